import { readFile } from 'node:fs/promises';
import { XMLParser } from 'fast-xml-parser';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVatClient } from '../../shared/client/vatClient.ts';
import { accessibilityErrors } from './accessibility.ts';
import { belgianDemo, DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsFrom } from './sheetCells.ts';

/* The VAT return in the workbook: its boxes compute over the lines beside them. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

describe.each([
  { name: 'a Dutch VAT return', credential: demo, label: 'Demo BV' },
  { name: 'a Belgian VAT return', credential: belgianDemo, label: 'Demo NV' },
])('$name', ({ credential, label }) => {
  it('has the boxes of the app, computed by the workbook over the lines', async () => {
    await connect(pane, credential, label);
    await openView('VAT return');
    expect(await accessibilityErrors(pane)).toEqual([]);
    const year = new Date().getFullYear() - 1;
    const period = `${year}-Q4`;
    await pane.getByLabel('Month or quarter').selectOption({ label: 'Quarter 4' });
    await pane.getByLabel('Year', { exact: true }).fill(String(year));
    await press('Bring in the VAT return');
    await seen(pane.getByText(`on sheet “VAT return ${period}”`));
    const { boxes } = await createVatClient({ base: app.address, credential, fetch }).vatReturn(period);
    const expected = boxes.map(({ box, part, declared, exact }) => [box, part, Number(declared), Number(exact)]);
    expect(expected.some(([, , declared]) => declared !== 0)).toBe(true);
    const computed = async () => {
      const rows = new Map((await rowsFrom(page, `VAT return ${period}`, 6, 'F')).map((row) => [row[0], row]));
      return boxes.map(({ box, part }) => {
        const row = rows.get(box as string)!;
        return [box, part, ...(part === 'base' ? [row[2], row[4]] : [row[3], row[5]])];
      });
    };
    await expect.poll(computed).toEqual(expected);
  });

  it('is refused for a year that is none, and says so beside the field', async () => {
    await connect(pane, credential, label);
    await openView('VAT return');
    await pane.getByLabel('Year', { exact: true }).fill('26');
    await press('Bring in the VAT return');
    await seen(pane.getByText('Write a year such as 2026.'));
    expect(await pane.getByLabel('Year', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
  });
});

/** A quarter of last year: the demo's returns of it are filed. */
const filedPeriod = `${new Date().getFullYear() - 1}-Q4`;
const openFiledPeriod = async (credential = demo, label = 'Demo BV') => {
  await connect(pane, credential, label);
  await openView('VAT return');
  await pane.getByLabel('Month or quarter').selectOption({ label: 'Quarter 4' });
  await pane.getByLabel('Year', { exact: true }).fill(filedPeriod.slice(0, 4));
};

describe('A Belgian VAT return in the workbook', () => {
  it('is downloaded as a file for Intervat, with its boxes and what was ticked', async () => {
    await openFiledPeriod(belgianDemo, 'Demo NV');
    const rightEdge = (field: Element) => field.closest('.fui-Input')!.getBoundingClientRect().right;
    const edge = await pane.getByLabel('Year', { exact: true }).evaluate(rightEdge);
    expect(edge).toBeLessThanOrEqual(await pane.locator('html').evaluate(({ clientWidth }) => clientWidth));
    await pane.getByLabel('Ask to be paid what the State owes').check();
    expect(await accessibilityErrors(pane)).toEqual([]);
    const download = page.waitForEvent('download');
    await press('Download the file');
    const file = await download;
    expect(file.suggestedFilename()).toBe(`vat-${filedPeriod}.xml`);
    const { VATConsignment } = new XMLParser({
      ignoreAttributes: false,
      removeNSPrefix: true,
      parseTagValue: false,
    }).parse(await readFile(await file.path(), 'utf8'));
    const { Data, Ask, ClientListingNihil } = VATConsignment.VATDeclaration;
    expect([Ask['@_Restitution'], ClientListingNihil]).toEqual(['YES', 'NO']);
    const written = Data.Amount.map((one: Record<string, string>) => [
      Number(one['@_GridNumber']),
      Number(one['#text']),
    ]);
    const client = createVatClient({ base: app.address, credential: belgianDemo, fetch });
    const { boxes } = await client.vatReturn(filedPeriod);
    const declared = boxes.flatMap(({ box, declared }) =>
      /^\d/.test(box!) && Number(declared) !== 0 ? [[Number(box), Number(declared)]] : [],
    );
    expect(declared.length).toBeGreaterThan(5);
    expect(written).toEqual(declared);
    await pane.getByLabel('Month or quarter').selectOption({ label: 'Whole year' });
    await press('Download the file');
    await seen(pane.getByText('expected a month or a quarter'));
  });
});

/** Cents of an amount in a cell. */
const cents = (cell: unknown): number => Math.round(Number(cell) * 100);

describe('A Dutch VAT return in the workbook', () => {
  // The demo's returns of earlier quarters are filed.
  const period = `${new Date().getFullYear()}-Q${Math.floor(new Date().getMonth() / 3) + 1}`;
  const lines = `VAT lines ${period}`;
  const bringIn = async (credential = demo) => {
    await connect(pane, credential, 'Demo BV');
    await openView('VAT return');
    await pane.getByLabel('Month or quarter').selectOption({ label: `Quarter ${period.at(-1)}` });
    await pane.getByLabel('Year', { exact: true }).fill(period.slice(0, 4));
    await press('Bring in the VAT return');
    await seen(pane.getByText(`on sheet “VAT return ${period}”`));
  };
  /** Selects the row of a sheet whose first cell is a text. */
  const selectRow = async (sheet: string, isWanted: (row: unknown[]) => boolean, column: string) => {
    const rows = await rowsFrom(page, sheet, 1, 'F');
    const place = rows.findIndex(isWanted) + 1;
    expect(place).toBeGreaterThan(0);
    await page.evaluate((cell) => window.workbook.select(cell), `'${sheet}'!${column}${place}`);
    return rows[place - 1]!;
  };

  it('shows the lines behind a box, which add up to it, and opens the invoice of one', async () => {
    await bringIn();
    const box = await selectRow(`VAT return ${period}`, ([name]) => name === '1a', 'D');
    await seen(pane.getByRole('heading', { name: 'Box 1a' }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Show lines');
    await seen(pane.getByText('The sheet with lines shows those of box 1a.'));
    // The totals above the lines count the rows that the filter shows.
    const totals = async () => (await rowsFrom(page, lines, 5, 'F'))[0]!.slice(1, 3).map(cents);
    await expect.poll(totals).toEqual([cents(box[4]), cents(box[5])]);
    const line = await selectRow(lines, ([name, , , kind]) => name === '1a' && kind === 'Sales', 'E');
    await seen(pane.getByRole('heading', { name: `Invoice ${line[4]}` }));
    const download = page.waitForEvent('download');
    await pane.getByRole('button', { name: `PDF of invoice ${line[4]}` }).click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  });

  it('is marked as filed after a question with its figures, which the sheet then says', async () => {
    await bringIn();
    await press('Mark as filed…');
    const dialog = pane.getByRole('alertdialog');
    await seen(dialog.getByText(`Was the return of ${period} filed?`));
    expect(await dialog.textContent()).toContain(DUTCH);
    const { boxes } = await createVatClient({ base: app.address, credential: demo, fetch }).vatReturn(period);
    const total = boxes.find(({ box }) => box === '5g')!;
    const { format } = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });
    await seen(dialog.getByText(`5g VAT: ${format(Number(total.declared))}`));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/vat/return?*', async (route) => {
      await answer;
      await route.continue();
    });
    await press('Mark as filed…');
    await pane.getByLabel('Year', { exact: true }).fill(String(Number(period.slice(0, 4)) - 2));
    goOn();
    await seen(dialog.getByText(`Was the return of ${period} filed?`));
    await dialog.getByRole('button', { name: 'Mark as filed' }).click();
    await seen(pane.getByText(`The return of ${period} is marked as filed.`));
    await expect.poll(async () => (await rowsFrom(page, `VAT return ${period}`, 3, 'F'))[0]![0]).toMatch(/^Filed on /);
  });

  it('that was filed before is told to be so, and a late invoice makes a supplement of it', async () => {
    await openFiledPeriod();
    await press('Mark as filed…');
    // Another period may be chosen by then.
    await seen(pane.getByText(`The return of ${filedPeriod} was filed on`));
    await seen(pane.getByText('and nothing in it has changed since'));
    const client = app.clientOf(demo);
    const customer = (await client.listrelations({})).find(({ CustomerNumber }) => CustomerNumber !== null);
    await client.addsalestransaction({
      CustomerNumber: customer!.CustomerNumber!,
      InvoiceDate: `31-12-${filedPeriod.slice(0, 4)}`,
      Invoice_InvoiceLine: [{ SubTotalInclTax: 12_100, TaxCode: '21% - Hoog' }],
    });
    const { boxes } = await createVatClient({ base: app.address, credential: demo, fetch }).vatReturn(filedPeriod);
    const owed = boxes.find(({ box, part }) => box === '1a' && part === 'tax')!;
    const button = pane.getByRole('button', { name: 'Mark as filed…' });
    await button.press('Enter');
    const dialog = pane.getByRole('alertdialog');
    await seen(dialog.getByText(`Was a supplement to the return of ${filedPeriod} filed?`));
    const { format } = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });
    await seen(dialog.getByText(`1a VAT: ${format(Number(owed.declared) + 2100)}`));
    expect(await dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => button.evaluate((shown) => shown === document.activeElement)).toBe(true);
    await button.press('Enter');
    await dialog.getByRole('button', { name: 'Mark as filed' }).press('Enter');
    await seen(pane.getByText(`The return of ${filedPeriod} is marked as filed.`));
    await press('Mark as filed…');
    await seen(pane.getByText('and nothing in it has changed since'));
  });

  it('is brought in by a key that may only read, which is told that it cannot mark it as filed', async () => {
    const issued = await app.administration(
      'key',
      'issue',
      '--administration',
      '1',
      '--username',
      'reads@example.com',
      '--scope',
      'read',
    );
    const apiKey = /\S+$/.exec(issued)![0];
    await bringIn({ apiKey, username: 'reads@example.com' });
    await seen(pane.getByText('This API key may only read, so it cannot mark a return as filed.'));
    expect(await pane.getByRole('button', { name: 'Mark as filed…' }).count()).toBe(0);
  });
});
