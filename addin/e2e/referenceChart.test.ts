import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { referenceChart } from '../../testing/builtin/realData.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsOf } from './sheetCells.ts';

const { file, isThere, title } = referenceChart;

const appPage = withAppPage();

const sentence = 'an imported reference chart comes into the sheet with every number as it is in the file';

it.skipIf(!isThere)(title(sentence), async () => {
  const { app, page, pane, press } = appPage;
  const id = /\d+/.exec(
    await app.administration('create', '--name', 'Reference', '--country', 'NL', '--years', '2026', '--empty'),
  )?.[0];
  const username = 'chart@example.com';
  const issued = await app.administration('key', 'issue', '--administration', String(id), '--username', username);
  const apiKey = /\S+$/.exec(issued)![0];
  await app.administration(
    ...['import', 'accounts', file, '--administration', String(id), '--set', 'FiscalYear=2026', '--only', 'rgs_nivo=4'],
    ...['--columns', 'Number=rgs_reknr,Name=rgs_omskort,LedgerType=report_type,DebetOrCredit=rgs_dc'],
    ...['--values', 'LedgerType:Balance Sheet=BalanceSheet,Profit and Loss=IncomeStatement'],
    ...['--values', 'DebetOrCredit:D=debet,C=credit'],
  );
  const expected = (parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[])
    .filter((row) => row.rgs_nivo === '4')
    .map((row) => [row.rgs_reknr, row.rgs_omskort?.trim()]);

  await connect(pane, { apiKey, username }, 'Reference');
  await press('Ledger accounts');
  await press('Bring in ledger accounts');
  await seen(pane.getByText('on sheet “Ledger accounts”'));

  const rows = await rowsOf(page, 'Ledger accounts');
  const byNumber = ([one]: unknown[], [other]: unknown[]) => (String(one) < String(other) ? -1 : 1);
  expect(rows.map((row) => [row.Number, row.Name]).toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
  expect(rows.filter(({ Number: number }) => String(number).startsWith('0')).length).toBeGreaterThan(0);
  const formats = await page.evaluate(
    (last) => window.workbook.numberFormats(`'Ledger accounts'!A2:A${last}`),
    rows.length + 1,
  );
  expect(new Set(formats.flat())).toEqual(new Set(['@']));

  // The download has the same rows, read by another library than the one that wrote it.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download .xlsx' }).click(),
  ]);
  const downloaded = await readSheet(await download.path(), 'Ledger accounts');
  expect(
    downloaded
      .slice(1)
      .map(([number, name]) => [number, name])
      .toSorted(byNumber),
  ).toEqual(expected.toSorted(byNumber));
});
