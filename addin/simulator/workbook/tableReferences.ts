import { cellArea, contains, type Position } from './cells/address.ts';
import {
  loseColumnsIn,
  mapTable,
  type NamedTable,
  renameColumnsIn,
  renameTableIn,
} from './cells/formulas/structured.ts';
import { rewriteCellsOf, rewriteFormulas, rewriteRules } from './rewrite.ts';
import type { Sheet } from './sheet.ts';
import type { Table, TableColumn } from './table.ts';

/* Formulas that refer to tables, after those changed. */

/** A table in formulas of a cell. */
export const namedIn = (table: Table, home: Sheet, cell: Position | undefined): NamedTable => ({
  name: table.name,
  isHome: cell !== undefined && home === table.sheet && contains(table.area, cellArea(cell)),
});

/** Formulas follow the new name of a table. */
export const followTableName = ({ sheet, name }: Table, before: string): void =>
  rewriteFormulas(sheet.workbook, (formula) => renameTableIn(formula, before, name));

/** Formulas of a copied sheet refer to the tables of the copy, as they refer to its cells. */
export const followCopiedTable = (copy: Sheet, before: string, name: string): void => {
  const rewrite = (formula: string) => renameTableIn(formula, before, name);
  rewriteCellsOf(copy, rewrite);
  rewriteRules(copy, rewrite);
};

/** Formulas follow the new names of columns. @param renamed the new names by the old ones in lower case */
export const followColumnNames = (table: Table, renamed: ReadonlyMap<string, string>): void =>
  rewriteFormulas(table.sheet.workbook, (formula, home, cell) =>
    renameColumnsIn(formula, namedIn(table, home, cell), (column) => renamed.get(column.toLowerCase())),
  );

/** Formulas lose the columns that a table no longer has. @param before the columns that it had */
export const loseColumns = (table: Table, before: readonly TableColumn[]): void => {
  const lost = new Set(
    before.filter((column) => !table.columns.includes(column)).map(({ name }) => name.toLowerCase()),
  );
  if (lost.size === 0) return;
  const names = before.map(({ name }) => name);
  rewriteFormulas(table.sheet.workbook, (formula, home, cell) =>
    loseColumnsIn(formula, namedIn(table, home, cell), names, (column) => lost.has(column.toLowerCase())),
  );
};

/** Formulas lose a table. */
export const loseTable = (table: Table): void =>
  rewriteFormulas(table.sheet.workbook, (formula, home, cell) =>
    mapTable(formula, namedIn(table, home, cell), () => '#REF!'),
  );
