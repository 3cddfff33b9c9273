import { expect, it } from 'vitest';
import { ONE } from '../../../../../shared/money.ts';
import { startApp } from '../../../../../testing/app.ts';
import { openShop } from '../../../../../testing/shop.ts';
import { vatPaper } from '../../vat/vatPaper.ts';
import { readVatPeriod } from '../../vat/vatPeriod.ts';
import { newRow } from '../rows.ts';
import { bookedTax } from './024-assessed-tax.ts';

it('purchases of an older version get the tax that was booked where it is certain, and returns name the others', async () => {
  const app = await startApp();
  app.setTime(Date.UTC(2026, 10, 5, 11) / 1000);
  const shop = await openShop(app);
  const codes = ['21% - Inkoop hoog', '9% - Inkoop laag', '0% - Diensten uit EU-landen'];
  for (const TaxCode of codes) {
    await shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      InvoiceDate: '02-10-2026',
      Invoice_InvoiceLine: [{ SubTotalInclTax: 109, TaxCode }],
    });
  }
  const rule = { administration_id: shop.administrationId, tax_type: 'Purchase' as const, tax_code: codes[1]! };
  const half = {
    document: 'any' as const,
    base_boxes: '',
    owed_boxes: '',
    deductible_boxes: '5b',
    listing: '' as const,
  };
  await app.db
    .insertInto('vat_rule')
    .values(newRow('vat_rule', { ...rule, ...half, deductible_pc: 50n * ONE, self_assessed_pc: 0n, doubt: '' }))
    .execute();
  await app.db.updateTable('purchase_invoice_line').set({ assessed_tax: null, deductible_tax: null }).execute();

  await bookedTax.up(app.db);

  const lines = await app.db
    .selectFrom('purchase_invoice_line')
    .orderBy('id')
    .select(['tax_code', 'assessed_tax', 'deductible_tax'])
    .execute();
  expect(lines.map((line) => [line.tax_code, line.assessed_tax, line.deductible_tax])).toEqual([
    [codes[0], 0n, 1892n],
    [codes[1], null, null],
    [codes[2], null, null],
  ]);
  const administration = await app.db
    .selectFrom('administration')
    .where('id', '=', shop.administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const { paper } = await vatPaper(app.db, administration, readVatPeriod('2026-10')!);
  expect(paper.remarks.find(({ code }) => code === 'NOT_BOOKED')?.values).toEqual(['2, 3', '0']);
  await app.close();
});
