import { copyChart } from '../sheetCharts/chart.ts';
import { fixedAddress } from './cells/address.ts';
import { findName, type NamedItem } from './names.ts';
import { resolveReference } from './reference.ts';
import type { Sheet } from './sheet.ts';
import { addSheet, copyName } from './sheets.ts';
import { copyTable } from './table.ts';

/** The formula of a name for the copy: cells of the sheet become the same cells of the copy. */
const copiedFormula = ({ formula }: NamedItem, sheet: Sheet, copy: Sheet): string => {
  const found = resolveReference(sheet.workbook, formula, sheet);
  return found?.sheet === sheet ? `=${fixedAddress(copy.name, found.area)}` : formula;
};

/** The names of the sheet, and those of the workbook for its cells, which the copy has for itself, too. */
const namesFor = (sheet: Sheet, copy: Sheet): NamedItem[] => {
  const { workbook } = sheet;
  const ofCells = workbook.names.filter(
    ({ name, formula }) =>
      !findName(sheet.names, name) && resolveReference(workbook, formula, workbook.active)?.sheet === sheet,
  );
  return [...sheet.names, ...ofCells].map((item) => ({
    ...item,
    id: String(workbook.nextId()),
    formula: copiedFormula(item, sheet, copy),
    scope: copy,
  }));
};

/**
 * Copies a sheet, with its cells, formats, rules, names, filter and protection, and its tables, which get new names and
 * ids. Its custom properties are lost, as in Excel: OfficeDev/office-js#5486.
 */
export const copySheet = (sheet: Sheet): Sheet => {
  const { workbook } = sheet;
  const copy = addSheet(workbook, copyName(workbook, sheet.name));
  const { formulas, tabColor, gridlines, headings, activeCell } = sheet;
  Object.assign(copy, {
    rows: sheet.rows.map((row) => row && { ...row, cells: row.cells.map((cell) => cell && { ...cell }) }),
    columns: sheet.columns.map((column) => column && { ...column }),
    frozen: { ...sheet.frozen },
    print: structuredClone(sheet.print),
    protection: structuredClone(sheet.protection),
    validations: structuredClone(sheet.validations),
    conditionalFormats: sheet.conditionalFormats.map((format) => ({
      ...structuredClone(format),
      id: `{${workbook.nextId()}}`,
    })),
    filter: structuredClone(sheet.filter),
    merges: [...sheet.merges],
    selection: { ...sheet.selection },
    ...{ formulas, tabColor, gridlines, headings, activeCell },
  });
  copy.names = namesFor(sheet, copy);
  for (const table of sheet.tables) copyTable(table, copy);
  copy.charts = sheet.charts.map((chart) => copyChart(chart, sheet.id, copy.id, `{chart-${workbook.nextId()}}`));
  return copy;
};
