import { afterAll, beforeAll, expect, test } from 'vitest';
import { centsText } from '../../../../shared/money.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
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
  return { boxes: Object.fromEntries(boxes), filed, warnings: paper.warnings };
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
  expect(next.warnings.map(({ code }) => code)).toEqual(['LATE']);
});
