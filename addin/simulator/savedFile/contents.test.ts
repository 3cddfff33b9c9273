import { expect, test } from 'vitest';
import type { Row } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { contentsOf, rowReader, rowSlices, withoutRows, workbookOf } from './contents.ts';

/** The workbook that a worker makes of what it gets. */
function sent(workbook: Workbook): Workbook {
  const rows = rowReader();
  for (const slice of rowSlices(workbook)) rows.add(structuredClone(slice));
  return workbookOf(rows.into(structuredClone(withoutRows(contentsOf(workbook)))));
}

const bold = { bold: true };
const rows: (Row | undefined)[] = [
  {
    cells: [{ value: 1.5 }, undefined, { value: -0, style: bold }, { value: 'text' }, { value: '', style: bold }],
    height: 30,
  },
  undefined,
  {
    cells: [
      { value: 3, formula: '=A1*2' },
      { value: 'text', formula: '=D1', style: bold },
      { value: '=A9', formula: '=A9' },
      { value: true },
      { value: false, formula: '=1>2', style: bold },
      { value: '#N/A' },
    ],
    hidden: true,
    style: bold,
  },
  { cells: [], filtered: true },
  {
    cells: [
      { value: 'noted', note: { text: 'A note', author: 'Somebody' }, style: bold },
      { value: '0100', quoted: true },
      { value: 1, formula: '=SEQUENCE(2)', spills: { row: 4, column: 2, rows: 1, columns: 2 } },
      { value: 2, spilled: true },
      { value: 'site', hyperlink: { address: 'https://example.com' } },
    ],
  },
];

test('The rows of a workbook stay what they are in a worker, in more than one slice and on more than one sheet', () => {
  const workbook = new Workbook();
  workbook.active.rows = rows;
  const copy = new Workbook();
  const second = copy.active;
  second.rows = Array.from({ length: 4000 }, (_, row) => ({
    cells: Array.from({ length: 8 }, (_unused, column) => ({ value: column % 2 === 0 ? row : `text ${row % 50}` })),
  }));
  workbook.sheets.push(second);

  const [first, other] = sent(workbook).sheets;
  expect(first!.rows).toStrictEqual(rows);
  expect(other!.rows).toStrictEqual(second.rows);
});

test('Cells with the same style have it as one object in a worker', () => {
  const workbook = new Workbook();
  workbook.active.rows = Array.from({ length: 20_000 }, (_, row) => ({ cells: [{ value: row, style: bold }] }));
  const styles = new Set(sent(workbook).active.rows.map((row) => row!.cells[0]!.style));
  expect([...styles]).toEqual([bold]);
});

test('Cells that repeat the one above are one object on the page, but for those with a formula or a note', () => {
  const workbook = new Workbook();
  const cells = () => [
    { value: 'Gouda', style: bold },
    { value: 5, formula: '=2+3' },
    { value: 5, note: { text: 'n' } },
  ];
  workbook.active.rows = Array.from({ length: 3 }, () => ({ cells: cells() }));
  const columns = [0, 1, 2].map((column) => new Set(sent(workbook).active.rows.map((row) => row!.cells[column])).size);
  expect(columns).toEqual([1, 3, 3]);
});
