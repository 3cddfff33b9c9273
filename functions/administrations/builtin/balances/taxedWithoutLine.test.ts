import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLedgerClient } from '../../../../shared/client/ledgerClient.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { insertRows } from '../sql/insertRows.ts';
import { newRow } from '../sql/rows.ts';

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setTime(Date.UTC(2026, 9, 20, 11) / 1000);
  shop = await openShop(app);
});

/** What the only entry has beside its lines, with the amounts of the lines on the same accounts. */
async function taxed() {
  const ledger = createLedgerClient({ base: app.url, credential: shop.credential, fetch });
  const [all] = await Array.fromAsync(ledger.entryPages());
  expect(all!.taxedWithoutLine).toEqual([]);
  const [page] = await Array.fromAsync(ledger.entryPages({ entry: all!.lines[0]!.entry! }));
  return page!.taxedWithoutLine.map(({ account, ...parts }) => ({
    ...parts,
    lines: page!.lines.filter((line) => line.account === account).map(({ debit, credit }) => `${debit} ${credit}`),
  }));
}

test('An entry of a sales invoice comes with what is taxed at 0 %, by its code, on the side of its line', async () => {
  await shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate: '30-09-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 121, TaxCode: '21% - Hoog' },
      { SubTotalInclTax: 50, TaxCode: '0% - Goederen naar EU-landen' },
      { SubTotalInclTax: 20, TaxCode: '0% - Export buiten de EU' },
      { SubTotalInclTax: 10.01, TaxCode: '0% - Export buiten de EU' },
    ],
  });
  const [costCenter, taxAmount] = ['', '0'];
  // 100, 50 and 30.01 are sold on one account.
  const lines = ['0 180.01'];
  expect(await taxed()).toEqual([
    { costCenter, taxCode: '0% - Export buiten de EU', amount: '-30.01', taxBase: '-30.01', taxAmount, lines },
    { costCenter, taxCode: '0% - Goederen naar EU-landen', amount: '-50', taxBase: '-50', taxAmount, lines },
  ]);
});

test('An entry of a purchase comes with its VAT that may not be deducted, as a part of the cost', async () => {
  const rule = {
    administration_id: shop.administrationId,
    tax_type: 'Purchase',
    document: 'any',
    listing: '',
  } as const;
  const none = { tax_code: '9% - Inkoop laag', base_boxes: '1e', deductible_boxes: '5b', deductible_pc: 0n };
  await insertRows(app.db, 'vat_rule', [newRow('vat_rule', { ...rule, ...none })]);
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '15-08-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 242, TaxCode: '21% - Inkoop hoog' },
      { SubTotalInclTax: 109, TaxCode: '9% - Inkoop laag' },
    ],
  });
  expect(await taxed()).toEqual([
    { costCenter: '', taxCode: '9% - Inkoop laag', amount: '109', taxBase: '100', taxAmount: '9', lines: ['309 0'] },
  ]);
});
