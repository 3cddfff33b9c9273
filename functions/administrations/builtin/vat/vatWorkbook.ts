import { Workbook, type Worksheet } from '@cj-tech-master/excelts';
import { type Cents, centsText, sum } from '../../../../shared/money.ts';
import { vatRemarkText } from '../../../../shared/resources/vatReturn/vatRemark.ts';
import { type VatRemark, vatRemarkTexts } from '../../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import { vatSums } from '../../../../shared/resources/vatReturn/vatSums.ts';
import { type CalendarDate, daysBetween } from '../../../../shared/wire/calendarDate.ts';
import { formBoxes, type VatPart } from './vatBoxes.ts';
import { type ClientListingRow, natureCodes, type VatListingRow } from './vatListings.ts';
import type { VatEntry, VatReturn, VatRounding } from './vatReturn.ts';

/** What the working paper of a return shows. */
export type VatPaper = {
  title: string;
  found: VatReturn;
  rounding: VatRounding;
  listing: readonly VatListingRow[];
  /** Left out where there is none for the period. */
  clients?: readonly ClientListingRow[];
  remarks: readonly VatRemark[];
};

const HEADING_ROW = 3;
const AMOUNT = '#,##0.00';
const DATE = 'dd-mm-yyyy';
const COLUMNS: Record<VatPart, { exact: string; declared: string }> = {
  base: { exact: 'C', declared: 'E' },
  tax: { exact: 'D', declared: 'F' },
};

/**
 * The working paper of a return as an .xlsx file: the boxes, each a formula over the lines below it; the lines; the
 * listing of supplies within the EU; and what is remarkable.
 */
export async function vatWorkbook(paper: VatPaper): Promise<Uint8Array> {
  const workbook = new Workbook();
  workbook.calcProperties = { fullCalcOnLoad: true };
  addBoxes(
    workbook.addWorksheet('VAT return', { views: [{ state: 'frozen', ySplit: HEADING_ROW, xSplit: 0 }] }),
    paper,
  );
  addTable(workbook.addWorksheet('Lines'), 'VatLines', lineColumns, paper.found.entries);
  addTable(workbook.addWorksheet('EU listing'), 'EuListing', listingColumns, paper.listing);
  if (paper.clients !== undefined) {
    addTable(workbook.addWorksheet('Client listing'), 'ClientListing', clientColumns, paper.clients);
  }
  addTable(workbook.addWorksheet('Remarks'), 'Remarks', remarkColumns, paper.remarks);
  return new Uint8Array(await workbook.xlsx.writeBuffer({ validate: false }));
}

function addBoxes(sheet: Worksheet, { title, found, rounding }: VatPaper): void {
  const { country, boxes } = found;
  sheet.getCell('A1').value = title;
  sheet.getCell('A1').font = { bold: true, size: 14 };
  const headings = ['Box', 'Name', 'Base', 'VAT', 'Base declared', 'VAT declared'];
  headings.forEach((heading, index) => {
    const cell = sheet.getCell(HEADING_ROW, index + 1);
    cell.value = heading;
    cell.font = { bold: true };
  });
  [8, 58, 16, 16, 16, 16].forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
  });
  const shown = formBoxes[country];
  const rowOf = new Map(shown.map(({ box }, index) => [box, HEADING_ROW + 1 + index]));
  for (const { box, name, parts } of shown) {
    const row = rowOf.get(box)!;
    sheet.getCell(`A${row}`).value = box;
    sheet.getCell(`B${row}`).value = name;
    for (const part of parts) {
      const amounts = boxes.get(box)![part]!;
      const columns = COLUMNS[part];
      const exact =
        sumFormula(box, columns.exact, rowOf) ??
        `SUMIFS(VatLines[Amount],VatLines[Box],$A${row},VatLines[Part],"${part}")`;
      const declared =
        sumFormula(box, columns.declared, rowOf) ?? declaredFormula(`${columns.exact}${row}`, box, found, rounding);
      setAmount(sheet, `${columns.exact}${row}`, exact, amounts.exact);
      setAmount(sheet, `${columns.declared}${row}`, declared, amounts.declared);
    }
    if (vatSums[box] !== undefined) for (const column of 'ABDF') sheet.getCell(`${column}${row}`).font = { bold: true };
  }
}

function setAmount(sheet: Worksheet, address: string, formula: string, result: Cents): void {
  const cell = sheet.getCell(address);
  cell.value = { formula, result: numberOf(result) };
  cell.numFmt = AMOUNT;
}

/** The formula of a box that is a sum, over a column; undefined for any other. */
function sumFormula(box: string, column: string, rowOf: ReadonlyMap<string, number>): string | undefined {
  const sum = vatSums[box];
  if (sum === undefined) return undefined;
  const cells = (boxes: readonly string[]) => boxes.map((one) => `${column}${rowOf.get(one)}`).join('+');
  const formula = sum.less.length === 0 ? cells(sum.of) : `${cells(sum.of)}-(${cells(sum.less)})`;
  return sum.isPositive ? `MAX(0,${formula})` : formula;
}

/** The formula of what a box declares, as `vatReturn` rounds it. */
function declaredFormula(cell: string, box: string, { country, carried }: VatReturn, rounding: VatRounding): string {
  if (country === 'BE') return carried.some((one) => one.box === box) ? `MAX(0,${cell})` : `ROUND(${cell},2)`;
  if (rounding === 'nearest') return `ROUND(${cell},0)`;
  // A sum of cents can be a hair beside a whole euro.
  return box === '5b' ? `-INT(-ROUND(${cell},2))` : `INT(ROUND(${cell},2))`;
}

type PaperColumn<Row> = {
  name: string;
  width: number;
  format?: string;
  /** What adds up to the sum below the rows, if it has one. */
  total?: (row: Row) => Cents;
  value: (row: Row) => string | number;
};

/** A sheet with a table of rows; one empty row where there are none, since a table needs one. */
function addTable<Row>(
  sheet: Worksheet,
  name: string,
  columns: readonly PaperColumn<Row>[],
  rows: readonly Row[],
): void {
  sheet.views = [{ state: 'frozen', ySplit: 1, xSplit: 0 }];
  columns.forEach(({ width, format }, index) => {
    const column = sheet.getColumn(index + 1);
    column.width = width;
    column.numFmt = format ?? '@';
  });
  const cells = rows.map((row) => columns.map(({ value }) => value(row)));
  const hasTotals = columns.some(({ total }) => total !== undefined);
  sheet.addTable({
    name,
    ref: 'A1',
    headerRow: true,
    totalsRow: hasTotals,
    style: { theme: 'TableStyleLight9', showRowStripes: true },
    columns: columns.map(({ name, total }, index) => ({
      name,
      filterButton: true,
      ...(total === undefined ? {} : { totalsRowFunction: 'sum' as const }),
      ...(hasTotals && index === 0 ? { totalsRowLabel: 'Total' } : {}),
    })),
    rows: cells.length > 0 ? cells : [columns.map(() => '')],
  });
  columns.forEach(({ name: column, total }, index) => {
    if (total === undefined) return;
    const row = 2 + Math.max(cells.length, 1);
    const result = numberOf(sum(rows.map(total)));
    sheet.getCell(row, index + 1).value = { formula: `SUBTOTAL(109,${name}[${column}])`, result };
  });
}

const lineColumns: readonly PaperColumn<VatEntry>[] = [
  { name: 'Box', width: 8, value: ({ box }) => box },
  { name: 'Part', width: 8, value: ({ part }) => part },
  { name: 'Amount', width: 14, format: AMOUNT, value: ({ amount }) => numberOf(amount) },
  { name: 'Side', width: 10, value: ({ line }) => line.taxType },
  { name: 'Document', width: 14, value: ({ line }) => line.number },
  { name: 'Date', width: 12, format: DATE, value: ({ line }) => serialOf(line.date) },
  { name: 'Relation', width: 30, value: ({ line }) => line.relation.name },
  { name: 'VAT number', width: 18, value: ({ line }) => line.relation.vatNumber },
  { name: 'Country', width: 9, value: ({ line }) => line.relation.country },
  { name: 'Tax code', width: 32, value: ({ line }) => line.taxCode },
  { name: 'Document base', width: 15, format: AMOUNT, value: ({ line }) => numberOf(line.base) },
  { name: 'Document VAT', width: 15, format: AMOUNT, value: ({ line }) => numberOf(line.tax) },
];

const listingColumns: readonly PaperColumn<VatListingRow>[] = [
  { name: 'VAT number', width: 20, value: ({ vatNumber }) => vatNumber },
  { name: 'Name', width: 32, value: ({ name }) => name },
  { name: 'Code', width: 8, value: ({ nature }) => natureCodes[nature] },
  { name: 'Amount', width: 16, format: AMOUNT, total: ({ amount }) => amount, value: ({ amount }) => numberOf(amount) },
];

const clientColumns: readonly PaperColumn<ClientListingRow>[] = [
  { name: 'VAT number', width: 20, value: ({ vatNumber }) => vatNumber },
  { name: 'Name', width: 32, value: ({ name }) => name },
  {
    name: 'Turnover',
    width: 16,
    format: AMOUNT,
    total: ({ turnover }) => turnover,
    value: ({ turnover }) => numberOf(turnover),
  },
  { name: 'VAT', width: 16, format: AMOUNT, total: ({ tax }) => tax, value: ({ tax }) => numberOf(tax) },
];

const remarkColumns: readonly PaperColumn<VatRemark>[] = [
  { name: 'Code', width: 18, value: ({ code }) => code },
  { name: 'Remark', width: 110, value: (remark) => vatRemarkText(remark, vatRemarkTexts) },
];

/** A cell of a workbook is a float; up to 15 digits it is the amount that is meant. */
const numberOf = (cents: Cents): number => Number(centsText(cents));

/** The serial number of a date in a workbook. */
const serialOf = (date: CalendarDate): number => daysBetween('1899-12-30', date);
