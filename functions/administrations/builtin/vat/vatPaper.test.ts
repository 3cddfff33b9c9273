import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { centsText } from '../../../../shared/money.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { deeper } from '../../../../testing/deep.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { type NewEntry, storeEntries } from '../ledger/storeEntries.ts';
import { usualTaxCodes } from '../setup/accountCharts/taxCodes.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { writingIn } from '../sql/transaction.ts';
import { fileReturn } from './filedReturns.ts';
import { vatPaper } from './vatPaper.ts';
import { readVatPeriod } from './vatPeriod.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const october = readVatPeriod('2026-10')!;
const november = readVatPeriod('2026-11')!;

/** The paper of a period, and its boxes that are not zero: base and tax. */
async function paperOf({ administrationId }: Shop, period: typeof october) {
  const administration = await app.db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const { paper, filed } = await vatPaper(app.db, administration, period, { supplementAbove: 100_000n });
  const boxes = [...paper.found.boxes].flatMap(([box, { base, tax }]) => {
    const amounts = [base, tax].map((one) => (one === undefined ? '' : centsText(one.exact)));
    return amounts.some((one) => one !== '' && one !== '0.00') ? [[box, amounts.join(' ').trim()]] : [];
  });
  return { boxes: Object.fromEntries(boxes), filed, warnings: paper.remarks };
}

test('the return has what the endpoints booked, without drafts and orders, and not what is in another period', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 100, TaxPc: 21 };
  const invoice = { CustomerNumber: 7, InvoiceDate: '31-10-2026', Invoice_InvoiceLine: [line] };
  await shop.accepted('addsalesinvoice', invoice);
  await shop.accepted('addsalesinvoice', { ...invoice, AddAsDraft: true });
  await shop.accepted('addsalesinvoice', { ...invoice, InvoiceDate: '01-11-2026' });
  await shop.accepted('addorder', { CustomerNumber: 7, OrderDate: '31-10-2026', Order_Orderline: [line] });
  await shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate: '01-10-2026',
    Invoice_InvoiceLine: [{ SubTotalInclTax: -10.9, TaxPc: 9 }],
  });
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '02-10-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 121, TaxPc: 21 },
      { SubTotalInclTax: 50.05, TaxCode: '0% - Diensten uit EU-landen' },
    ],
  });
  const { boxes, warnings } = await paperOf(shop, october);
  expect(boxes).toEqual({
    '1a': '100.00 21.00',
    '1b': '-10.00 -0.90',
    '4b': '50.05 10.51',
    '5a': '30.61',
    '5b': '31.51',
    '5g': '-0.90',
  });
  expect(warnings).toEqual([]);
});

test('what is entered after a return was filed is in the next one that was not, with its own date', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  const sale = (date: string, amount: number) =>
    shop.accepted('addsalestransaction', {
      CustomerNumber: 7,
      InvoiceDate: date,
      Invoice_InvoiceLine: [{ SubTotalInclTax: amount, TaxPc: 21 }],
    });
  await sale('10-10-2026', 121);
  const { id } = await app.db
    .selectFrom('administration')
    .where('id', '=', shop.administrationId)
    .select('id')
    .executeTakeFirstOrThrow();
  const now = BigInt(Date.UTC(2026, 10, 6) / 1000);
  await writingIn(app.db, { administrationId: id, author: byCommand('vat'), now }, (trx) =>
    fileReturn(trx, id, october, { boxes: new Map([['1a', { tax: { exact: 2100n, declared: 2100n } }]]) }, now),
  );
  app.setTime(Date.UTC(2026, 10, 7, 11) / 1000);
  await sale('11-10-2026', 242);
  await sale('02-11-2026', 12.1);
  expect((await paperOf(shop, october)).boxes).toMatchObject({ '1a': '100.00 21.00' });
  const next = await paperOf(shop, november);
  expect(next.boxes).toMatchObject({ '1a': '210.00 44.10' });
  expect(next.warnings).toEqual([
    { code: 'LATE', values: ['1', '42.00', 'next'] },
    { code: 'ACCOUNTS_DIFFER', values: ['2.10', '44.10'] },
    { code: 'ENTRY_DIFFERS', values: ['2026-10-11', '2', '0.00', '42.00'] },
  ]);
});

/** Books an entry without a document. */
async function enter({ administrationId }: Shop, entry: NewEntry): Promise<void> {
  const administration = await app.db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const by = { administrationId, author: byCommand('test'), now: entry.created_on! };
  await writingIn(app.db, by, (db) => storeEntries({ db, administration }, [entry]));
}

const taxLine = (ledger_account_number: string, tax_code: string, amount: bigint, tax_base: bigint) => ({
  ledger_account_number,
  document: 'M1',
  tax_code,
  amount,
  tax_base,
  tax_amount: amount,
});

test('entries without a document are in the return by their tax lines, and what moves the accounts otherwise is named', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  const entry = { journal: 'memorial' as const, date: '2026-10-12', description: 'Correctie', created_on: 1n };
  await enter(shop, {
    ...entry,
    lines: [
      { ledger_account_number: '1300', document: 'M1', amount: 12_100n },
      { ledger_account_number: '8000', document: 'M1', amount: -10_000n },
      taxLine('1500', '21% - Hoog', -2100n, -10_000n),
    ],
  });
  await enter(shop, {
    ...entry,
    date: '2026-10-13',
    lines: [
      { ledger_account_number: '4000', document: 'M2', amount: 5000n },
      { ledger_account_number: '1600', document: 'M2', amount: -5000n },
      taxLine('1530', '0% - Diensten uit EU-landen', 1050n, 5000n),
      taxLine('1500', '0% - Diensten uit EU-landen', -1050n, -5000n),
    ],
  });
  // The tax of the month before is paid: that is in no return.
  await enter(shop, {
    ...entry,
    date: '2026-10-31',
    description: 'Btw september',
    lines: [
      { ledger_account_number: '1500', document: '', amount: 700n },
      { ledger_account_number: '1560', document: '', amount: -700n },
    ],
  });
  const { boxes, warnings } = await paperOf(shop, october);
  expect(boxes).toEqual({
    '1a': '100.00 21.00',
    '4b': '50.00 10.50',
    '5a': '31.50',
    '5b': '10.50',
    '5g': '21.00',
  });
  expect(warnings).toEqual([
    { code: 'ACCOUNTS_DIFFER', values: ['14.00', '21.00'] },
    { code: 'ENTRY_DIFFERS', values: ['2026-10-31', 'Btw september', '-7.00', '0.00'] },
  ]);
});

test.each(['NL', 'BE'] as const)(
  'the tax of any documents of %s is what their VAT accounts moved by',
  async (country) => {
    app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
    const codes = usualTaxCodes[country];
    const amount = fc.integer({ min: -100_000, max: 100_000 }).map((cents) => (cents / 100).toFixed(2));
    const document = (type: 'Sales' | 'Purchase') => {
      const line = fc.record({
        TaxCode: fc.constantFrom(...codes.filter(({ tax_type }) => tax_type === type).map(({ code }) => code)),
        SubTotalInclTax: amount,
        LedgerAccountNumber: fc.constantFrom(...(country === 'NL' ? ['4000', '7000'] : ['604000', '612000'])),
      });
      return fc.record({ type: fc.constant(type), lines: fc.array(line, { minLength: 1, maxLength: 4 }) });
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(document('Sales'), document('Purchase')), { minLength: 1, maxLength: 6 }),
        async (documents) => {
          const shop = await openShop(app, country);
          for (const { type, lines } of documents) {
            const dated = { InvoiceDate: '10-10-2026', Invoice_InvoiceLine: lines };
            if (type === 'Sales') await shop.accepted('addsalestransaction', { CustomerNumber: 7, ...dated });
            else await shop.accepted('addpurchasetransaction', { SupplierNumber: 3, ...dated });
          }
          const { boxes, warnings } = await paperOf(shop, october);
          const [{ moved }] = (await app.db
            .selectFrom('journal_line')
            .where('administration_id', '=', shop.administrationId)
            .where('ledger_account_number', 'in', country === 'NL' ? ['1500', '1530'] : ['451100', '411100'])
            .select((eb) => eb.fn.sum<bigint>(eb('credit', '-', eb.ref('debit'))).as('moved'))
            .execute()) as [{ moved: bigint | null }];
          const cents = (text: string | undefined) => BigInt((text ?? '0.00').replace('.', ''));
          const toPay = country === 'NL' ? cents(boxes['5g']) : cents(boxes['71']) - cents(boxes['72']);
          expect(toPay).toBe(BigInt(moved ?? 0));
          expect(warnings.map(({ code }) => code)).not.toContain('ACCOUNTS_DIFFER');
        },
      ),
      { numRuns: deeper(8, 60), endOnFailure: true },
    );
  },
);
