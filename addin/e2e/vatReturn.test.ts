import { beforeEach, describe, expect, it } from 'vitest';
import { createVatClient } from '../../shared/client/vatClient.ts';
import { accessibilityErrors } from './accessibility.ts';
import { belgianDemo, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';

/* The VAT return in the workbook: its boxes compute over the lines beside them. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

/** The cells of a sheet from a row on, counted from 1. */
const rowsFrom = (sheet: string, row: number) =>
  page.evaluate(
    ([name, first]) =>
      window.workbook.values(`'${name}'!A${first}:F${/\d+$/.exec(window.workbook.usedRange(name as string)!)}`),
    [sheet, row] as const,
  );

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
      const rows = new Map((await rowsFrom(`VAT return ${period}`, 6)).map((row) => [row[0], row]));
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
