import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../../testing/app.ts';
import { invoiceDocuments } from './invoiceDocuments.ts';
import { invoicePdfFile, invoicePdfs } from './invoiceFiles.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const issuer = { street: 'Kade', city: 'Gent', vat_number: 'BE0417497106', company_number: '0417497106' };
  await app.db
    .updateTable('administration')
    .set({ ...issuer, iban: 'BE68539007547034' })
    .execute();
});
afterAll(() => app.close());

async function newContext() {
  const administration = await app.db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
  return {
    db: app.db,
    administration,
    now: () => 1_800_000_000n,
    today: () => '2026-01-31',
    author: { origin: 'rest', key: null, action: '' },
    warn: () => {},
  } as const;
}

it('a list waits no longer than its budget for new PDFs, names the others, and has them when it is asked again', async () => {
  for (const number of [20260001n, 20260002n, 20260003n]) {
    const notes = 'regel\n'.repeat(2000);
    await app.addInvoice({ number, date: '2026-01-31', excl: '10', tax: '2.10', incl: '12.10', row: { notes } });
  }
  // Lists begin with the highest number.
  const rows = await app.db.selectFrom('sales_invoice').orderBy('id', 'desc').select('id').execute();
  const ids = rows.map(({ id }) => id);
  const context = await newContext();
  const first = await invoicePdfs(context, ids, 0);
  expect([first.pdfs.size, first.pending]).toEqual([0, ['20260003', '20260002', '20260001']]);
  await expect.poll(async () => (await invoicePdfs(context, ids, 0)).pdfs.size).toBe(3);
  // A PDF may be given before it is stored.
  const stored = () => app.db.selectFrom('sales_invoice_pdf').selectAll().execute();
  await expect
    .poll(async () => (await stored()).map(({ content }) => content!.length > 10_000))
    .toEqual([true, true, true]);
});

it('a PDF of an invoice that changed after it was read is given, and not stored', async () => {
  await app.addInvoice({ number: 20260004n, date: '2026-01-31', excl: '10', tax: '2.10', incl: '12.10', row: {} });
  const invoice = app.db.selectFrom('sales_invoice').where('number', '=', 20260004n);
  const { id } = await invoice.select('id').executeTakeFirstOrThrow();
  const context = await newContext();
  const stored = async () => {
    const pdfs = app.db.selectFrom('sales_invoice_pdf').where('sales_invoice_id', '=', id).select('content');
    return (await pdfs.execute()).map(({ content }) => content!.length);
  };
  const read = async () => (await invoiceDocuments(context, [id])).get(id)!;
  const before = await read();
  // As an anonymisation does.
  await app.db.updateTable('sales_invoice').where('id', '=', id).set({ customer_name: 'Relation 1' }).execute();
  expect((await invoicePdfFile(context, id, before)).length).toBeGreaterThan(1000);
  expect(await stored()).toEqual([]);

  const { length } = await invoicePdfFile(context, id, await read());
  expect(await stored()).toEqual([length]);
});
