import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../../testing/app.ts';
import { invoicePdfs } from './invoiceFiles.ts';

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

it('a list waits no longer than its budget for new PDFs, names the others, and has them when it is asked again', async () => {
  for (const number of [20260001n, 20260002n, 20260003n]) {
    const notes = 'regel\n'.repeat(2000);
    await app.addInvoice({ number, date: '2026-01-31', excl: '10', tax: '2.10', incl: '12.10', row: { notes } });
  }
  const rows = await app.db.selectFrom('sales_invoice').orderBy('id').select('id').execute();
  const ids = rows.map(({ id }) => id);
  const administration = await app.db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
  const context = {
    db: app.db,
    administration,
    now: () => 1_800_000_000n,
    today: () => '2026-01-31',
    author: { origin: 'rest', key: null, action: '' },
    warn: () => {},
  } as const;
  const first = await invoicePdfs(context, ids, 0);
  expect([first.pdfs.size, first.pending]).toEqual([0, ['20260001', '20260002', '20260003']]);
  await expect.poll(async () => (await invoicePdfs(context, ids, 0)).pdfs.size).toBe(3);
  // A PDF may be given before it is stored.
  const stored = () => app.db.selectFrom('sales_invoice_pdf').selectAll().execute();
  await expect
    .poll(async () => (await stored()).map(({ content }) => content!.length > 10_000))
    .toEqual([true, true, true]);
});
