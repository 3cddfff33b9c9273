import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { demo, startApp } from './app.ts';
import { withAppPage } from './appPage.ts';
import { FAILED, failRequests } from './failedRequests.ts';
import { connect, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

/* Documents from rows, in the demo administration. */

const SHEET = 'Invoices to make';
const documentPage = withAppPage(() => startApp());
const { press } = documentPage;
let { app, page, pane } = documentPage;
beforeEach(async () => {
  ({ app, page, pane } = documentPage);
  await connect(pane, demo, 'Demo');
  await press('Make documents');
  await press('Make the sheet');
  await seen(pane.getByText(`Sheet “${SHEET}” is ready`));
});

const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
const column = async (heading: string) => (await rowsOf(page, SHEET)).slice(0, 3).map((row) => row[heading]);
const confirm = () => pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();

/** Two documents, the first with two lines: 2 x 10 and 1 x 5, and 3 x 4. */
async function fill(customer: string, article: string, code: string): Promise<void> {
  const lines = [
    ['A', '2', '10'],
    ['A', '1', '5'],
    ['B', '3', '4'],
  ] as const;
  for (const [index, [document, quantity, price]] of lines.entries()) {
    const row = index + 2;
    await type('Document *', row, document);
    if (index !== 1) await type('Customer number *', row, customer);
    await type('Article number *', row, article);
    await type('Quantity *', row, quantity);
    await type('Price excl. VAT *', row, price);
    await type('VAT code', row, code);
  }
}

/** The customer, an article and a tax code of an invoice of the demo to a business. */
async function sold(): Promise<{ customer: string; article: string; code: string }> {
  const client = app.clientOf(demo);
  const invoices = await client.listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
  const isSold = ({ ProductNumber }: { ProductNumber: string }) => ProductNumber !== '';
  const invoice = invoices.find(({ Invoice_InvoiceLine = [] }) => Invoice_InvoiceLine.some(isSold))!;
  const codes = await client.listtaxcodes({});
  const code = codes.find(({ TaxType, TaxPc }) => TaxType === 'Sales' && Number(TaxPc) === 21)!.TaxCode;
  const article = invoice.Invoice_InvoiceLine!.find(isSold)!.ProductNumber;
  return { customer: String(invoice.CustomerNumber), article, code };
}

describe('a sheet with invoices', () => {
  it('says which invoices could not be sent as e-invoices, and why, and makes them all the same', async () => {
    await app.administration('set', '1', '--iban', '');
    const { customer, article, code } = await sold();
    await fill(customer, article, code);
    await press('Push this sheet');
    await seen(pane.getByText('2 documents ready to send'));
    await seen(pane.getByText('2 invoices could be made, but not sent as an e-invoice (Peppol):'));
    await seen(pane.getByText("A, B: expected the administration's own IBAN"));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press(/^Push 2 documents to /);
    await confirm();
    await seen(pane.getByText(': 2 applied.'));
  });

  it('says what could not be read for its check, and reads it when asked', async () => {
    const { customer, article, code } = await sold();
    await fill(customer, article, code);
    const end = await failRequests(page, /\/(listtaxcodes|e-invoices\/check)/);
    await press('Push this sheet');
    await seen(pane.getByText('2 documents ready to send'));
    await seen(pane.getByText(`Not everything could be checked, and totals may be missing. ${FAILED}`));
    // The VAT codes, and what the invoices lack.
    const again = pane.getByRole('button', { name: 'Try again' });
    await expect.poll(() => again.count()).toBe(2);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await end();
    await again.last().click();
    await expect.poll(() => again.count()).toBe(1);
    await again.click();
    await seen(pane.getByText('Together 37.00 excl. VAT, 44.77 incl. VAT'));
    expect(await pane.getByText(FAILED).count()).toBe(0);
  });

  it('marks what is wrong, makes the invoices, and holds the same rows back', async () => {
    const client = app.clientOf(demo);
    const { customer, article, code } = await sold();
    await fill(`${customer} by name`, article, code);
    await type('Quantity *', 3, 'many');
    await press('Push this sheet');
    await seen(pane.getByText('1 document ready to send'));
    const issue = await seen(pane.getByText('expected a number such as 12.50, found “many”'));
    expect(await issue.textContent()).toMatch(/^Quantity \* \([A-Z]+3\): /);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await pane.getByRole('button', { name: /^Go to [A-Z]+3$/ }).click();
    await expect.poll(() => page.evaluate(() => window.workbook.selection())).toMatch(/3$/);
    const wrong = await page.evaluate(() => window.workbook.selection());
    const isMarked = () => page.evaluate((cell) => window.workbook.style(cell).fillColor === '#FDE0DD', wrong);
    expect([await column('Quantity *').then((cells) => cells[1]), await isMarked()]).toEqual(['many', true]);

    await type('Quantity *', 3, '1');
    await press('Check the rows again');
    await seen(pane.getByText('2 documents ready to send'));
    expect(await isMarked()).toBe(false);
    await seen(pane.getByText('Together 37.00 excl. VAT, 44.77 incl. VAT'));
    await press(/^Push 2 documents to /);
    const question = pane.getByRole('alertdialog');
    expect(await question.textContent()).toContain('2 documents will be made');
    await confirm();
    await seen(pane.getByText(': 2 applied.'));
    expect(await column('Status')).toEqual(['Applied', 'Applied', 'Applied']);
    expect(await column('Message')).toEqual(['Added to the administration.', '', 'Added to the administration.']);
    expect(await column('Total excl. VAT')).toEqual([25, '', 12]);
    expect(await column('Total incl. VAT')).toEqual([30.25, '', 14.52]);
    const numbers = await column('Number made');
    expect(numbers[1]).toBe(numbers[0]);
    const made = await client.listsalesinvoices({
      InvoiceNumber: String(numbers[0]),
      InlcudeInvoiceLinesInResponse: true,
    });
    expect(
      made.map(({ InvoiceTotalExclTax, Invoice_InvoiceLine }) => [
        Number(InvoiceTotalExclTax),
        Invoice_InvoiceLine!.length,
      ]),
    ).toEqual([[25, 2]]);

    await page.evaluate((sheet) => window.workbook.select(`'${sheet}'!A2:A4`), SHEET);
    await seen(pane.getByText('1 of 2 selected'));
    await seen(pane.getByRole('button', { name: `PDF of invoice ${numbers[0]}` }));
    await seen(pane.getByText('2 made before, not sent again'));
    await seen(pane.getByText('There is nothing to send'));
    // Somebody clears the status of the second one, and does not say that it is another.
    await type('Status', 4, '');
    await press('Check the rows again');
    await seen(pane.getByText('1 not sent: it says what was made before'));
    const latest = async () => Number((await client.listsalesinvoices({ Limit: 1 }))[0]!.InvoiceNumber);
    const before = await latest();
    await press('It is another one: make it');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    expect(await latest()).toBe(before + 1);
    expect((await column('Number made'))[2]).toBe(String(before + 1));
  });
});
