import { beforeEach, expect, it } from 'vitest';
import type { MaterialBooking } from '../../shared/resources/materialBooking.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { relationsInDatabase } from './relationsInDatabase.ts';
import { rowsOf } from './sheetCells.ts';

/* What lists are asked for beside a period (pane.test.ts, refreshAll.test.ts), and what they wait for. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, page, pane } = appPage;
beforeEach(async () => {
  ({ app, page, pane } = appPage);
  await connect(pane, demo, 'Demo');
});

it('Relations of one kind come with contacts, bank accounts and custom fields on sheets of their own', async () => {
  const suppliers = (await app.clientOf(demo).listrelations({ RelationType: 'Supplier', Limit: 200 })).filter(
    ({ SupplierNumber }) => SupplierNumber,
  );
  await openView('Relations');
  await pane.getByLabel('Supplier', { exact: true }).check();
  for (const part of ['contacts', 'bank accounts', 'custom fields']) {
    await pane.getByLabel(`With ${part} on a separate sheet`).check();
  }
  await press('Bring in relations');
  await seen(pane.getByText('on sheet “Custom fields'));
  const [ofRelations, ofContacts, ofAccounts, ofFields] = (await page.evaluate(() => window.workbook.sheets())).slice(
    -4,
  );
  const relations = await rowsOf(page, ofRelations!);
  const expected = relationsInDatabase(app.databaseFile, 1).filter(({ Supplier }) => Supplier === true);
  expect(relations.map((row) => row['Relation ID']).sort()).toEqual(expected.map((row) => row['Relation ID']).sort());
  expect(relations.length).toBe(suppliers.length);

  const contacts = await rowsOf(page, ofContacts!);
  expect(contacts.map((row) => row['E-mail']).sort()).toEqual(
    suppliers.flatMap(({ Relation_Contact }) => Relation_Contact.map(({ Email }) => Email)).sort(),
  );
  const accounts = await rowsOf(page, ofAccounts!);
  expect(accounts.map((row) => row.IBAN).sort()).toEqual(
    suppliers.flatMap(({ Relation_BankAccount }) => Relation_BankAccount.map(({ IBAN }) => IBAN)).sort(),
  );
  const fields = await rowsOf(page, ofFields!);
  expect(fields.length).toBe(suppliers.flatMap(({ Relation_CustomField }) => Relation_CustomField).length);
  expect([contacts.length, accounts.length].every((count) => count > 0)).toBe(true);
  expect(await accessibilityErrors(pane)).toEqual([]);
});

it('One invoice comes by its number, with its lines, on sheets that are named after it', async () => {
  const client = app.clientOf(demo);
  const InvoiceNumber = (await client.listsalesinvoices({ Limit: 30 }))[17]!.InvoiceNumber!;
  const [invoice] = await client.listsalesinvoices({ InvoiceNumber, InlcudeInvoiceLinesInResponse: true });
  await openView('Sales invoices');
  await pane.getByLabel('Invoice number').fill(InvoiceNumber);
  await pane.getByLabel('With invoice lines').check();
  await pane.getByLabel('With an ageing overview').uncheck();
  await press('Bring in sales invoices');
  await seen(pane.getByText(`on sheet “Invoice lines ${InvoiceNumber}”`));
  const rows = await rowsOf(page, `Sales invoices ${InvoiceNumber}`);
  expect(rows.map((row) => [row['Invoice number'], row.Customer, row['Total incl. VAT']])).toEqual([
    [InvoiceNumber, invoice!.CustomerName, Number(invoice!.InvoiceTotalInclTax)],
  ]);
  const lines = await rowsOf(page, `Invoice lines ${InvoiceNumber}`);
  expect(lines.map((row) => row['Article number'])).toEqual(
    invoice!.Invoice_InvoiceLine!.map(({ ProductNumber }) => ProductNumber),
  );
});

it('Material bookings of a project and an article are those that the service has of both', async () => {
  const client = app.clientOf(demo);
  const all: MaterialBooking[] = await client.listprojectmaterialbooking({});
  const { MaterialBookings_Project: project, Product_Number } = all[0]!;
  const expected = all.filter(
    (one) => one.MaterialBookings_Project.Number === project.Number && one.Product_Number === Product_Number,
  );
  expect(expected.length).toBeLessThan(all.length);
  await openView('Material bookings');
  await pane.getByLabel('Project', { exact: true }).fill(String(project.Number));
  await pane.getByLabel('Number', { exact: true }).check();
  await pane.getByLabel('Article number').fill(Product_Number);
  await press('Bring in material bookings');
  await seen(pane.getByText('on sheet “Material bookings'));
  const [sheet] = (await page.evaluate(() => window.workbook.sheets())).slice(-1);
  const rows = await rowsOf(page, sheet!);
  expect(rows.map((row) => [row['Project number'], row['Article number'], row.Quantity])).toEqual(
    expected.map(({ Quantity }) => [String(project.Number), Product_Number, Number(Quantity)]),
  );
});

it('A list that meets a rate limit says until when it waits, and comes by itself', async () => {
  let refusals = 0;
  await page.route(/\/rest\/listtaxcodes/, (route) =>
    refusals++ === 0 ? route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: {} }) : route.continue(),
  );
  await openView('Tax codes');
  await press('Bring in tax codes');
  await seen(pane.getByText(/its rate limit is reached\. The work continues automatically at \d\d:\d\d:\d\d\./));
  expect(await accessibilityErrors(pane)).toEqual([]);
  await seen(pane.getByText('on sheet “Tax codes”'));
  expect(await pane.getByText('its rate limit is reached').count()).toBe(0);
  expect((await rowsOf(page, 'Tax codes')).length).toBe((await app.clientOf(demo).listtaxcodes({})).length);
});

it('A list of a service that does not answer says that it is slow, and leaves nothing when it is cancelled', async () => {
  const asked = page.waitForRequest(/\/rest\/listtaxcodes/);
  await page.route(/\/rest\/listtaxcodes/, () => {});
  await openView('Tax codes');
  await press('Bring in tax codes');
  await asked;
  await seen(pane.getByText(/^The service has not responded/));
  await press('Cancel');
  await seen(pane.getByText('Cancelled. The workbook was not changed.'));
  expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
  await page.unroute(/\/rest\/listtaxcodes/);
  await press('Bring in tax codes');
  await seen(pane.getByText('on sheet “Tax codes”'));
});
