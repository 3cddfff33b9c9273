import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVatClient } from '../../../../shared/client/vatClient.ts';
import { centsText } from '../../../../shared/money.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { deeper } from '../../../../testing/deep.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { removeEntries } from '../ledger/removeEntries.ts';
import { type NewEntry, storeEntries } from '../ledger/storeEntries.ts';
import { usualTaxCodes } from '../setup/accountCharts/taxCodes.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { writingIn } from '../sql/transaction.ts';
import { figuresOf, fileReturn } from './filedReturns.ts';
import { vatPaper } from './vatPaper.ts';
import { readVatPeriod } from './vatPeriod.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const september = readVatPeriod('2026-09')!;
const october = readVatPeriod('2026-10')!;
const november = readVatPeriod('2026-11')!;

const administrationOf = ({ administrationId }: Shop) =>
  app.db.selectFrom('administration').where('id', '=', administrationId).selectAll().executeTakeFirstOrThrow();

/** The paper of a period, and its boxes that are not zero: base and tax. */
async function paperOf(shop: Shop, period: typeof october, options?: Parameters<typeof vatPaper>[3]) {
  const { paper, filed } = await vatPaper(app.db, await administrationOf(shop), period, options);
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

test('the cent that rounding leaves on lines that cancel out is deducted in the return too, as it is booked', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  const code = {
    administration_id: shop.administrationId,
    tax_type: 'Purchase',
    tax_code: '21% - Inkoop hoog',
  } as const;
  const boxes = { document: 'any', base_boxes: '', owed_boxes: '', deductible_boxes: '5b' } as const;
  const half = { self_assessed_pc: 0n, deductible_pc: 50n * 10n ** 8n, listing: '', doubt: '' } as const;
  await app.db
    .insertInto('vat_rule')
    .values({ ...code, ...boxes, ...half })
    .execute();
  const line = { SubTotalInclTax: 12.16, TaxCode: code.tax_code };
  const returned = { ...line, LedgerAccountNumber: '4000' };
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '02-10-2026',
    Invoice_InvoiceLine: [line, line, returned, { ...returned, SubTotalInclTax: -12.16 }],
  });
  // Half of 2 x 2.11.
  expect(await shop.journalOf({ purchaseInvoice: 1 })).toContainEqual({
    account: '1530',
    amount: '2.11',
    taxCode: code.tax_code,
  });
  const { boxes: found, warnings } = await paperOf(shop, october);
  expect(found).toEqual({ '5b': '2.11', '5g': '-2.11' });
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
    fileReturn(trx, id, october, { figures: '{"1a":{"tax":"2100"}}', documents: '' }, now),
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

/** Files a return as it is, or its supplement; at eleven o'clock on a day of November 2026. */
async function file(
  shop: Shop,
  period: typeof october,
  day: number,
  options?: Parameters<typeof vatPaper>[3],
): Promise<void> {
  const { administrationId } = shop;
  const now = BigInt(Date.UTC(2026, 10, day, 11) / 1000);
  const { paper } = await vatPaper(app.db, await administrationOf(shop), period, options);
  await writingIn(app.db, { administrationId, author: byCommand('vat'), now }, (trx) =>
    fileReturn(trx, administrationId, period, figuresOf(paper.found), now),
  );
}

/** Sells on a day of October 2026, with 21% VAT in the amount. */
const sellInOctober = (shop: Shop, day: number, SubTotalInclTax: number) =>
  shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate: `${day}-10-2026`,
    Invoice_InvoiceLine: [{ SubTotalInclTax, TaxPc: 21 }],
  });

const at = (day: number) => app.setTime(Date.UTC(2026, 10, day, 12) / 1000);
const codesOf = (warnings: readonly { code: string }[]) => warnings.map(({ code }) => code);

test.each([
  ['NL', null, '42.00', 'next'],
  ['NL', 4199n, '42.00', 'supplement'],
  ['NL', 4200n, '42.00', 'next'],
  ['BE', null, '42.00', 'next'],
  ['BE', 4199n, '42.00', 'supplement'],
] as const)(
  'a filed return of %s with a limit of %s names what came later, and its %s are for the %s',
  async (country, limit, tax, due) => {
    at(5);
    const shop = await openShop(app, country);
    await sellInOctober(shop, 10, 121);
    await file(shop, october, 6);
    expect((await paperOf(shop, october)).warnings).toEqual([]);
    at(7);
    await sellInOctober(shop, 11, 242);
    await app.db
      .updateTable('administration')
      .where('id', '=', shop.administrationId)
      .set({ vat_supplement_above: limit })
      .execute();
    expect((await paperOf(shop, october)).warnings).toEqual([
      { code: 'LATE_DOCUMENT', values: ['2', '2026-10-11', tax, '2026-11-01'] },
      { code: 'CORRECTION', values: [tax, due === 'next' ? 'late' : due, '0.00'] },
      { code: 'ACCOUNTS_DIFFER', values: ['63.00', '21.00'] },
      { code: 'ENTRY_DIFFERS', values: ['2026-10-11', '2 Bakkerij Jansen', '42.00', '0.00'] },
    ]);
    expect((await paperOf(shop, november)).warnings[0]).toEqual({ code: 'LATE', values: ['1', tax, due] });
  },
);

test('1,000 euros are for the next Dutch return, a cent more is a supplement, and Belgium has none', async () => {
  for (const [country, incl, due] of [
    ['NL', 5761.9, 'late'],
    ['NL', 5761.96, 'supplement'],
    ['BE', 57_619, 'late'],
  ] as const) {
    at(5);
    const shop = await openShop(app, country);
    await file(shop, october, 6);
    at(7);
    await sellInOctober(shop, 11, incl);
    const correction = (await paperOf(shop, october)).warnings.find(({ code }) => code === 'CORRECTION');
    expect(correction?.values[1]).toBe(due);
  }
});

test('a supplement has what came later, which then counts in no other return', async () => {
  at(5);
  const shop = await openShop(app);
  await sellInOctober(shop, 10, 121);
  await file(shop, october, 6);
  at(7);
  await sellInOctober(shop, 11, 242);
  expect((await paperOf(shop, october, { isSupplement: true })).boxes).toMatchObject({ '1a': '300.00 63.00' });
  await file(shop, october, 8, { isSupplement: true });
  const { boxes, filed, warnings } = await paperOf(shop, october);
  expect(boxes).toMatchObject({ '1a': '300.00 63.00' });
  expect(filed?.filed_on).toBe(BigInt(Date.UTC(2026, 10, 8, 11) / 1000));
  expect(warnings).toEqual([]);
  expect((await paperOf(shop, november)).boxes).toEqual({});
  const returns = await app.db
    .selectFrom('vat_return')
    .where('administration_id', '=', shop.administrationId)
    .select('period')
    .execute();
  expect(returns).toEqual([{ period: '2026-10' }]);
});

test('a supplement is refused when a later return has been filed with what came later', async () => {
  at(5);
  const shop = await openShop(app);
  await file(shop, october, 6);
  at(7);
  await sellInOctober(shop, 11, 242);
  await file(shop, november, 8);
  expect((await paperOf(shop, november)).boxes).toMatchObject({ '1a': '200.00 42.00' });
  await expect(paperOf(shop, october, { isSupplement: true })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: '1 was declared in the return of 2026-11, which was filed.',
  });
});

test('what is dated in a Belgian quarter that was filed is in the next quarter, with sales, purchases and credits apart', async () => {
  const [third, fourth] = [readVatPeriod('2026-Q3')!, readVatPeriod('2026-Q4')!];
  at(5);
  const shop = await openShop(app, 'BE');
  const sell = (InvoiceDate: string, SubTotalInclTax: number) =>
    shop.accepted('addsalestransaction', {
      CustomerNumber: 7,
      InvoiceDate,
      Invoice_InvoiceLine: [{ SubTotalInclTax, TaxPc: 21 }],
    });
  const buy = (InvoiceDate: string, SubTotalInclTax: number) =>
    shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      InvoiceDate,
      Invoice_InvoiceLine: [{ SubTotalInclTax, TaxPc: 21, LedgerAccountNumber: '604000' }],
    });
  await sell('10-09-2026', 121);
  await file(shop, third, 6);
  const declared = { '03': '100.00', '54': '21.00', XX: '21.00', '71': '21.00' };
  expect((await paperOf(shop, third)).boxes).toEqual(declared);
  at(7);
  await sell('30-09-2026', 242);
  await sell('30-09-2026', -60.5);
  await buy('01-07-2026', 363);
  await buy('15-08-2026', -12.1);
  await sell('01-10-2026', 12.1);
  const later = await paperOf(shop, third);
  expect(later.boxes).toEqual(declared);
  expect(later.warnings.filter(({ code }) => code === 'LATE_DOCUMENT' || code === 'CORRECTION')).toEqual([
    { code: 'LATE_DOCUMENT', values: ['2', '2026-09-30', '42.00', '2026-10-01'] },
    { code: 'LATE_DOCUMENT', values: ['3', '2026-09-30', '-10.50', '2026-10-01'] },
    { code: 'LATE_DOCUMENT', values: ['1', '2026-07-01', '-63.00', '2026-10-01'] },
    { code: 'LATE_DOCUMENT', values: ['2', '2026-08-15', '2.10', '2026-10-01'] },
    // 42.00 less 10.50 less 63.00 and 2.10.
    { code: 'CORRECTION', values: ['-29.40', 'late', '0.00'] },
  ]);
  const next = await paperOf(shop, fourth);
  // 200 and 10 are sold, 50 is credited; 300 is bought, less a credit of 10, which is in 85 as well.
  expect(next.boxes).toEqual({
    '03': '210.00',
    '49': '50.00',
    '54': '44.10',
    '59': '63.00',
    '63': '2.10',
    '64': '10.50',
    '72': '27.30',
    '81': '290.00',
    '85': '10.00',
    XX: '46.20',
    YY: '73.50',
  });
  expect(next.warnings.find(({ code }) => code === 'LATE')).toEqual({ code: 'LATE', values: ['4', '-29.40', 'next'] });
  // The year has each once.
  expect((await paperOf(shop, readVatPeriod('2026')!)).boxes).toMatchObject({ '03': '310.00', '49': '50.00' });
});

/** Sells on a day of 2026, with 21% VAT in the amount. */
const sellOn = (shop: Shop, InvoiceDate: string, SubTotalInclTax: number) =>
  shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate,
    Invoice_InvoiceLine: [{ SubTotalInclTax, TaxPc: 21 }],
  });

test('a supplement is refused when a later return has been filed with what came later, also of a period before', async () => {
  at(5);
  const shop = await openShop(app);
  await file(shop, september, 6);
  await file(shop, october, 6);
  at(7);
  await sellOn(shop, '15-09-2026', 242);
  await file(shop, november, 8);
  expect((await paperOf(shop, november)).boxes).toMatchObject({ '1a': '200.00 42.00' });
  at(9);
  await sellOn(shop, '11-10-2026', 121);
  await expect(paperOf(shop, october, { isSupplement: true })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: '1 was declared in the return of 2026-11, which was filed.',
  });
});

test('what came later counts once after a month and its quarter were filed both', async () => {
  at(5);
  const shop = await openShop(app);
  await file(shop, september, 5);
  await file(shop, readVatPeriod('2026-Q3')!, 6);
  at(7);
  await sellOn(shop, '15-09-2026', 242);
  await sellOn(shop, '15-08-2026', 12.1);
  expect((await paperOf(shop, october)).boxes).toEqual({ '1a': '210.00 44.10', '5a': '44.10', '5g': '44.10' });
});

test('a filed return names each document that is gone or has other amounts, by the boxes', async () => {
  at(5);
  const shop = await openShop(app);
  const memorial = (document: string, cents: bigint) =>
    enter(shop, {
      journal: 'memorial',
      date: '2026-10-12',
      description: document,
      created_on: 1n,
      lines: [
        { ledger_account_number: '1300', document, amount: (cents * 121n) / 100n },
        { ledger_account_number: '8000', document, amount: -cents },
        { ...taxLine('1500', '21% - Hoog', -(cents * 21n) / 100n, -cents), document },
      ],
    });
  await memorial('M1', 10_000n);
  await memorial('M2', 20_000n);
  await memorial('M3', 30_000n);
  await file(shop, october, 6);
  // A corrected audit file replaces its entries: the same one again is no change.
  const entries = await app.db
    .selectFrom('journal_entry')
    .where('administration_id', '=', shop.administrationId)
    .orderBy('id')
    .select('id')
    .execute();
  const by = { administrationId: shop.administrationId, author: byCommand('test'), now: 2n };
  await writingIn(app.db, by, (db) =>
    removeEntries(
      db,
      shop.administrationId,
      entries.map(({ id }) => id),
    ),
  );
  await memorial('M1', 10_000n);
  await memorial('M2', 25_000n);
  const { warnings } = await paperOf(shop, october);
  expect(warnings.filter(({ code }) => code === 'DOCUMENT_CHANGED').map(({ values }) => values)).toEqual([
    ['M2', '2026-10-12', '1a', 'base', '200.00', '250.00'],
    ['M2', '2026-10-12', '1a', 'tax', '42.00', '52.50'],
    ['M3', '2026-10-12', '1a', 'base', '300.00', '0.00'],
    ['M3', '2026-10-12', '1a', 'tax', '63.00', '0.00'],
  ]);
  expect(warnings.find(({ code }) => code === 'CORRECTION')?.values).toEqual(['-52.50', 'next', '-52.50']);
});

test('what an audit file has again after a return was filed stays in that return, and only what is new is in the next', async () => {
  at(5);
  const shop = await openShop(app);
  const imported = (day: number, document: string, cents: bigint) =>
    enter(shop, {
      journal: 'sales',
      entry_number: document,
      date: '2026-10-12',
      description: document,
      is_imported: 1n,
      created_on: BigInt(Date.UTC(2026, 10, day, 12) / 1000),
      lines: [
        { ledger_account_number: '1300', document, amount: (cents * 121n) / 100n },
        { ledger_account_number: '8000', document, amount: -cents },
        { ...taxLine('1500', '21% - Hoog', -(cents * 21n) / 100n, -cents), document },
      ],
    });
  await imported(5, 'S1', 10_000n);
  await imported(5, 'S2', 20_000n);
  await file(shop, october, 6);
  at(7);
  const { administrationId } = shop;
  const entries = await app.db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administrationId)
    .select('id')
    .execute();
  await writingIn(app.db, { administrationId, author: byCommand('test'), now: 2n }, (db) =>
    removeEntries(
      db,
      administrationId,
      entries.map(({ id }) => id),
    ),
  );
  await imported(7, 'S1', 10_000n);
  await imported(7, 'S2', 25_000n);
  await imported(7, 'S3', 1000n);
  const { boxes, warnings } = await paperOf(shop, october);
  expect(boxes).toEqual({ '1a': '350.00 73.50', '5a': '73.50', '5g': '73.50' });
  expect(warnings.filter(({ code }) => code !== 'CHANGED')).toEqual([
    { code: 'DOCUMENT_CHANGED', values: ['S2', '2026-10-12', '1a', 'base', '200.00', '250.00'] },
    { code: 'DOCUMENT_CHANGED', values: ['S2', '2026-10-12', '1a', 'tax', '42.00', '52.50'] },
    { code: 'LATE_DOCUMENT', values: ['S3', '2026-10-12', '2.10', '2026-11-01'] },
    // S3 is in the next return by itself: 10.50 of S2 is to be corrected there.
    { code: 'CORRECTION', values: ['12.60', 'both', '10.50'] },
    { code: 'ACCOUNTS_DIFFER', values: ['75.60', '73.50'] },
    { code: 'ENTRY_DIFFERS', values: ['2026-10-12', 'S3', '2.10', '0.00'] },
  ]);
  expect((await paperOf(shop, november)).boxes).toEqual({ '1a': '10.00 2.10', '5a': '2.10', '5g': '2.10' });
});

test('a return that an earlier version filed is compared by its boxes', async () => {
  at(5);
  const shop = await openShop(app);
  await sellInOctober(shop, 10, 121);
  await file(shop, october, 6);
  await app.db
    .updateTable('vat_return')
    .where('administration_id', '=', shop.administrationId)
    .set({ documents: '', figures: '{"1a":{"base":"20000","tax":"4200"},"5a":{"tax":"4200"},"5g":{"tax":"4200"}}' })
    .execute();
  const { warnings } = await paperOf(shop, october);
  expect(codesOf(warnings)).toEqual(['CHANGED', 'CHANGED', 'CHANGED', 'CHANGED', 'CORRECTION']);
  expect(warnings.at(-1)?.values).toEqual(['-21.00', 'next', '-21.00']);
});

test('a return is compared as it was rounded when it was filed, whatever rounds it now', async () => {
  at(5);
  const shop = await openShop(app);
  await sellInOctober(shop, 10, 121.79);
  await file(shop, october, 6, { rounding: 'favourable' });
  expect((await paperOf(shop, october)).warnings).toEqual([]);
  at(7);
  await sellInOctober(shop, 11, 242);
  expect(codesOf((await paperOf(shop, october)).warnings)).not.toContain('CHANGED');
  await file(shop, october, 8, { isSupplement: true });
  expect((await paperOf(shop, october, { rounding: 'favourable' })).warnings).toEqual([]);
});

/** Books an entry without a document. */
async function enter(shop: Shop, entry: NewEntry): Promise<void> {
  const { administrationId } = shop;
  const administration = await administrationOf(shop);
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

test('an entry with lines of several customers has each of them in the listing, and in lines of its own', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  const { administrationId: administration_id } = shop;
  const vatNumbers = ['DE123456789', 'FR12345678901'];
  const relations = await app.db
    .selectFrom('relation')
    .where('administration_id', '=', administration_id)
    .orderBy('id')
    .limit(2)
    .select('id')
    .execute();
  for (const [index, { id }] of relations.entries()) {
    const vat_number = vatNumbers[index]!;
    await app.db
      .updateTable('relation')
      .where('id', '=', id)
      .set({ vat_number, country_code: vat_number.slice(0, 2) })
      .execute();
  }
  const [german, french] = relations.map(({ id }) => id);
  const tax_code = '0% - Goederen naar EU-landen';
  const sold = (relation_id: bigint | undefined, amount: bigint) => ({
    ledger_account_number: '8000',
    document: 'V1',
    tax_code,
    amount: -amount,
    tax_base: -amount,
    ...(relation_id === undefined ? {} : { relation_id }),
  });
  await enter(shop, {
    journal: 'sales',
    date: '2026-10-12',
    description: 'Verkopen van 12 oktober',
    created_on: 1n,
    lines: [
      { ledger_account_number: '1300', document: 'V1', amount: 60_000n },
      ...[sold(german, 10_000n), sold(french, 30_000n), sold(german, 20_000n)],
    ],
  });
  const { paper } = await vatPaper(app.db, await administrationOf(shop), october);
  expect(paper.listing.map(({ vatNumber, amount }) => [vatNumber, centsText(amount)])).toEqual([
    ['DE123456789', '300.00'],
    ['FR12345678901', '300.00'],
  ]);
  const client = createVatClient({ base: app.url, credential: shop.credential, fetch });
  const lines = (await Array.fromAsync(client.vatLines('2026-10'))).flat();
  expect(lines.map(({ vatNumber, box, amount }) => [vatNumber, box, amount])).toEqual([
    ['DE123456789', '3b', '300'],
    ['FR12345678901', '3b', '300'],
  ]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(2);
});

test('entries with reverse-charged tax and without its base, as audit files have them, get it from the tax', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  await enter(shop, {
    journal: 'purchases',
    entry_number: 'I-7',
    date: '2026-10-13',
    description: 'Hosting',
    created_on: 1n,
    lines: [
      { ledger_account_number: '4000', document: 'I-7', amount: 5000n },
      { ledger_account_number: '1600', document: 'I-7', amount: -5000n },
      { ...taxLine('1530', '0% - Diensten uit EU-landen', 1050n, 0n), document: 'I-7' },
      { ...taxLine('1500', '0% - Diensten uit EU-landen', -1050n, 0n), document: 'I-7' },
    ],
  });
  const { boxes, warnings } = await paperOf(shop, october);
  expect(boxes).toEqual({ '4b': '50.00 10.50', '5a': '10.50', '5b': '10.50' });
  expect(warnings).toEqual([{ code: 'BASE_DERIVED', values: ['I-7', '0'] }]);
});

/** The lines of an entry that takes back the one of a purchase invoice, as the pane makes it. */
async function counterLines(shop: Shop, number: bigint): Promise<NewEntry['lines']> {
  const lines = await app.db
    .selectFrom('journal_line as line')
    .innerJoin('journal_entry as entry', 'entry.id', 'line.journal_entry_id')
    .innerJoin('purchase_invoice as invoice', 'invoice.id', 'entry.purchase_invoice_id')
    .where('invoice.administration_id', '=', shop.administrationId)
    .where('invoice.number', '=', number)
    .orderBy('line.id')
    .selectAll('line')
    .execute();
  return lines.map(
    ({ ledger_account_number, document, relation_id, debit, credit, tax_code, tax_base, tax_amount }) => ({
      ledger_account_number,
      document,
      relation_id,
      amount: credit - debit,
      tax_code,
      tax_base: -tax_base,
      tax_amount: -tax_amount,
    }),
  );
}

/** Lets half of the VAT on Belgian purchases at the usual rate be deducted. @returns their tax code */
async function deductHalf(shop: Shop): Promise<string> {
  const code = {
    administration_id: shop.administrationId,
    tax_type: 'Purchase',
    tax_code: shop.tax.purchaseHigh,
  } as const;
  const half = { self_assessed_pc: 0n, deductible_pc: 50n * 10n ** 8n, listing: '', doubt: '' } as const;
  await app.db
    .insertInto('vat_rule')
    .values([
      { ...code, ...half, document: 'invoice', base_boxes: 'X*', owed_boxes: '', deductible_boxes: '59' },
      { ...code, ...half, document: 'credit', base_boxes: '-X* 85*', owed_boxes: '', deductible_boxes: '63' },
    ])
    .execute();
  return code.tax_code;
}

test('an entry that takes back a Belgian purchase takes back the tax that was not deducted too', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app, 'BE');
  const code = await deductHalf(shop);
  // Half of 21.01 is 10.51.
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '02-10-2026',
    Invoice_InvoiceLine: [{ SubTotalInclTax: 121.06, TaxCode: code, LedgerAccountNumber: '613000' }],
  });
  const { boxes: booked } = await paperOf(shop, october);
  expect(booked).toEqual({ '82': '110.55', '59': '10.51', YY: '10.51', '72': '10.51' });
  const lines = await counterLines(shop, 1n);
  await enter(shop, { journal: 'memorial', date: '2026-10-30', description: 'Terug', created_on: 1n, lines });
  const { boxes, warnings } = await paperOf(shop, october);
  expect(boxes).toEqual({ '85': '110.55', '59': '10.51', '63': '10.51', XX: '10.51', YY: '10.51' });
  expect(warnings.map(({ code }) => code)).not.toContain('UNUSUAL_RATE');
});

test('an entry that takes back a Belgian purchase of an older rate takes back what was not deducted at that rate', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app, 'BE');
  const code = await deductHalf(shop);
  const setPercentage = (percentage: bigint) =>
    app.db
      .updateTable('tax_code')
      .where('administration_id', '=', shop.administrationId)
      .where('code', '=', code)
      .set({ percentage: percentage * 10n ** 8n })
      .execute();
  // Half of 12.01 is 6.01, and 6.00 is not deducted.
  await setPercentage(12n);
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '02-10-2026',
    Invoice_InvoiceLine: [{ SubTotalInclTax: 112.06, TaxCode: code, LedgerAccountNumber: '613000' }],
  });
  await setPercentage(21n);
  expect((await paperOf(shop, october)).boxes).toEqual({ '82': '106.05', '59': '6.01', YY: '6.01', '72': '6.01' });
  const lines = await counterLines(shop, 1n);
  await enter(shop, { journal: 'memorial', date: '2026-10-30', description: 'Terug', created_on: 1n, lines });
  const { boxes, warnings } = await paperOf(shop, october);
  expect(boxes).toEqual({ '85': '106.05', '59': '6.01', '63': '6.01', XX: '6.01', YY: '6.01' });
  expect(warnings.map(({ code }) => code)).not.toContain('UNUSUAL_RATE');
});

test('Belgian entries are of the kinds of purchase of the accounts that bear their cost', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app, 'BE');
  const { purchaseHigh: high, purchaseLow: low } = shop.tax;
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '02-10-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 121, TaxCode: high, LedgerAccountNumber: '604000' },
      { SubTotalInclTax: 60.5, TaxCode: high, LedgerAccountNumber: '613000' },
      { SubTotalInclTax: 106, TaxCode: low, LedgerAccountNumber: '613000' },
    ],
  });
  const entry = { journal: 'memorial' as const, description: 'Aankoop', created_on: 1n };
  await enter(shop, { ...entry, date: '2026-10-03', lines: await counterLines(shop, 1n) });
  const { boxes } = await paperOf(shop, october);
  expect(boxes).toEqual({ '85': '250.00', '59': '37.50', '63': '37.50', XX: '37.50', YY: '37.50' });
  // Goods at one rate and an investment at another one, which are paid at once.
  const line = (ledger_account_number: string, amount: bigint) => ({ ledger_account_number, document: 'K1', amount });
  await enter(shop, {
    ...entry,
    date: '2026-11-03',
    lines: [
      line('550000', -17_400n),
      line('240000', 5000n),
      line('604000', 10_000n),
      taxLine('411000', high, 2100n, 10_000n),
      taxLine('411000', low, 300n, 5000n),
    ],
  });
  expect((await paperOf(shop, november)).boxes).toMatchObject({ '81': '100.00', '83': '50.00', '59': '24.00' });
});

/** Makes two codes of sales those of purchases too, as most are in some audit files. */
async function shareCodes(shop: Shop): Promise<void> {
  const { administrationId: administration_id } = shop;
  const codes = await app.db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration_id)
    .where('code', 'in', ['21% - Hoog', '0% - Export buiten de EU'])
    .selectAll()
    .execute();
  expect(codes.map(({ tax_type }) => tax_type)).toEqual(['Sales', 'Sales']);
  const purchaseCodes = codes.map(({ id: _, ...code }) => ({ ...code, tax_type: 'Purchase' as const }));
  await app.db.insertInto('tax_code').values(purchaseCodes).execute();
  const rule = { administration_id, tax_type: 'Purchase', document: 'any', base_boxes: '', owed_boxes: '' } as const;
  const more = { self_assessed_pc: 0n, deductible_pc: 100n * 10n ** 8n, listing: '', doubt: '' } as const;
  const deducted = { ...rule, ...more, tax_code: '21% - Hoog', deductible_boxes: '5b' };
  await app.db.insertInto('vat_rule').values(deducted).execute();
}

test('a code of both sides, as audit files have them, is that of the journal, and elsewhere that of its tax or its base', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  await shareCodes(shop);
  /** Positive is debit: an amount on an account, with the code and the tax beside it. */
  const book = (journal: NewEntry['journal'], amount: bigint, tax: bigint) =>
    enter(shop, {
      journal,
      date: '2026-10-13',
      description: `${journal} ${amount}`,
      created_on: 1n,
      lines: [
        { ledger_account_number: '1100', document: 'D', amount: -amount - tax },
        { ledger_account_number: '1500', document: 'D', amount: tax },
        {
          ledger_account_number: '8000',
          document: 'D',
          amount,
          tax_code: tax === 0n ? '0% - Export buiten de EU' : '21% - Hoog',
          tax_base: amount,
          tax_amount: tax,
        },
      ],
    });
  await book('sales', -100_000n, -21_000n);
  await book('sales', 10_000n, 2100n);
  await book('purchases', 50_000n, 10_500n);
  await book('purchases', -5000n, -1050n);
  await book('cash', -1000n, -210n);
  await book('cash', 2000n, 420n);
  await book('sales', -30_000n, 0n);
  await book('sales', 3000n, 0n);
  await book('memorial', -400n, 0n);
  expect((await paperOf(shop, october)).boxes).toEqual({
    '1a': '910.00 191.10',
    '3a': '274.00',
    '5a': '191.10',
    '5b': '98.70',
    '5g': '92.40',
  });
});

test('a code of both sides is that of the VAT account where its tax stands, so that counter-entries take back their side', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  await shareCodes(shop);
  /** Positive is debit: an amount on an account, its tax on the account of VAT, and both on that of the other party. */
  const book = (journal: NewEntry['journal'], account: string, vat: string, amount: bigint, tax: bigint) =>
    enter(shop, {
      journal,
      date: '2026-10-13',
      description: `${journal} ${amount}`,
      created_on: 1n,
      lines: [
        { ledger_account_number: '1100', document: 'D', amount: -amount - tax },
        { ledger_account_number: account, document: 'D', amount },
        {
          ledger_account_number: vat,
          document: 'D',
          amount: tax,
          tax_code: '21% - Hoog',
          tax_base: amount,
          tax_amount: tax,
        },
      ],
    });
  await book('sales', '8000', '1500', -100_000n, -21_000n);
  await book('memorial', '8000', '1500', 40_000n, 8400n);
  await book('purchases', '7000', '1530', 50_000n, 10_500n);
  await book('memorial', '7000', '1530', -10_000n, -2100n);
  // 1000 - 400 was sold, with 210 - 84; of 105 that was deducted, 21 is taken back.
  expect((await paperOf(shop, october)).boxes).toEqual({
    '1a': '600.00 126.00',
    '5a': '126.00',
    '5b': '84.00',
    '5g': '42.00',
  });
});

test('a code of both sides without a line of tax is that of the account of the customer or the supplier of its entry', async () => {
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  await shareCodes(shop);
  const partyIn = (column: 'customer_number' | 'supplier_number') =>
    app.db
      .selectFrom('relation')
      .where('administration_id', '=', shop.administrationId)
      .where(column, 'is not', null)
      .select('id')
      .executeTakeFirstOrThrow();
  const [customer, supplier] = [await partyIn('customer_number'), await partyIn('supplier_number')];
  /** Positive is debit: what was taxed with its tax beside it, its tax without a code, and both of the party. */
  const book = (
    journal: NewEntry['journal'],
    [account, vat, control]: [string, string, string],
    [amount, tax]: [bigint, bigint],
    code = '21% - Hoog',
  ) => {
    const taxed = { tax_code: code, tax_base: amount, tax_amount: tax };
    const { id: relation_id } = control === '1300' ? customer : supplier;
    return enter(shop, {
      journal,
      date: '2026-10-13',
      description: `${journal} ${amount}`,
      created_on: 1n,
      lines: [
        { ledger_account_number: control, document: 'D', amount: -amount - tax, relation_id },
        { ledger_account_number: vat, document: 'D', amount: tax },
        { ledger_account_number: account, document: 'D', amount, ...taxed },
      ],
    });
  };
  const sale = ['8000', '1500', '1300'] satisfies [string, string, string];
  const purchase = ['7000', '1530', '1600'] satisfies [string, string, string];
  await book('sales', sale, [-100_000n, -21_000n]);
  await book('memorial', sale, [40_000n, 8400n]);
  await book('purchases', purchase, [50_000n, 10_500n]);
  await book('memorial', purchase, [-10_000n, -2100n]);
  await book('sales', sale, [-30_000n, 0n], '0% - Export buiten de EU');
  await book('memorial', sale, [3000n, 0n], '0% - Export buiten de EU');
  // A statement of the bank: a customer paid, and telephone was paid.
  await enter(shop, {
    journal: 'bank',
    date: '2026-10-14',
    description: 'statement',
    created_on: 1n,
    lines: [
      { ledger_account_number: '1300', document: 'D', amount: -5000n, relation_id: customer.id },
      { ledger_account_number: '1530', document: 'D', amount: 210n },
      {
        ...{ ledger_account_number: '4000', document: 'D', amount: 1000n },
        ...{ tax_code: '21% - Hoog', tax_base: 1000n, tax_amount: 210n },
      },
      { ledger_account_number: '1100', document: 'D', amount: 3790n },
    ],
  });
  // 1000 - 400 and 300 - 30 were sold, with 210 - 84; 105 - 21 + 2.10 is deducted.
  expect((await paperOf(shop, october)).boxes).toEqual({
    '1a': '600.00 126.00',
    '3a': '270.00',
    '5a': '126.00',
    '5b': '86.10',
    '5g': '39.90',
  });
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
