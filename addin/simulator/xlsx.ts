import type { CellObject, Row, Sheet as XlsxSheet } from 'write-excel-file/universal';
import { fileFormula, isSoundFormula } from './fileFormula.ts';
import { tableColors } from './tableStyle.ts';
import { indexes, matrixOf } from './workbook/cells/address.ts';
import type { Style } from './workbook/cells/style.ts';
import { type Cell, PIXELS_PER_POINT, type Sheet, STANDARD_COLUMN_WIDTH, styleAt, usedArea } from './workbook/sheet.ts';
import { tableAt } from './workbook/table.ts';
import type { Workbook } from './workbook/workbook.ts';

/** Excel counts column widths in characters of its standard font; a column has five pixels of padding. */
const characters = (points: number): number =>
  Math.max(0, Math.round(((points * PIXELS_PER_POINT - 5) / 7) * 100) / 100);

const aligned = (alignment: string | undefined): 'left' | 'center' | 'right' | undefined => {
  const lower = alignment?.toLowerCase();
  return lower === 'left' || lower === 'center' || lower === 'right' ? lower : undefined;
};

const styled = (style: Style): Partial<CellObject> => {
  const align = aligned(style.horizontalAlignment);
  const vertical = style.verticalAlignment?.toLowerCase();
  return {
    ...(style.numberFormat ? { format: style.numberFormat } : {}),
    ...(style.bold ? { fontWeight: 'bold' as const } : {}),
    ...(style.italic ? { fontStyle: 'italic' as const } : {}),
    ...(style.underline ? { textDecoration: { underline: true as const } } : {}),
    ...(style.fontSize ? { fontSize: style.fontSize } : {}),
    ...(style.fontName ? { fontFamily: style.fontName } : {}),
    ...(style.fontColor ? { textColor: style.fontColor } : {}),
    ...(style.fillColor ? { backgroundColor: style.fillColor } : {}),
    ...(align ? { align } : {}),
    ...(vertical === 'top' || vertical === 'center' ? { alignVertical: vertical } : {}),
    ...(style.wrapText ? { wrap: true } : {}),
    ...(style.indentLevel ? { indent: style.indentLevel } : {}),
  };
};

const content = (cell: Cell | undefined): Partial<CellObject> => {
  if (!cell || cell.value === '') return {};
  if (cell.formula && isSoundFormula(cell.formula)) return { value: fileFormula(cell.formula), type: 'Formula' };
  if (typeof cell.value === 'number') return { value: cell.value, type: Number };
  if (typeof cell.value === 'boolean') return { value: cell.value, type: Boolean };
  return { value: cell.value, type: String };
};

const headerLook = (sheet: Sheet, row: number, column: number): Style => {
  const table = tableAt(sheet, row, column);
  if (table?.area.row !== row) return {};
  const colors = tableColors(table)?.header;
  return { bold: true, ...(colors ? { fillColor: colors.fill, fontColor: colors.font } : {}) };
};

const cellObject = (sheet: Sheet, row: number, column: number): CellObject | null => {
  const style = { ...headerLook(sheet, row, column), ...styleAt(sheet, row, column) };
  const cell = sheet.rows[row]?.cells[column];
  const object: CellObject = { ...content(cell), ...styled(style) };
  const height = sheet.rows[row]?.height;
  if (height !== undefined) object.height = height;
  // Of the number formats, only text ("@") means anything for an empty cell or a text.
  if (object.value === undefined || object.type === Boolean || (object.type === String && object.format !== '@')) {
    delete object.format;
  }
  return Object.keys(object).length === 0 ? null : object;
};

/** The sheets of a workbook for write-excel-file. Texts that look like numbers or formulas stay texts. */
export const xlsxSheets = (workbook: Workbook): XlsxSheet<never>[] =>
  workbook.sheets.map((sheet) => {
    const used = usedArea(sheet, false);
    const rows = used ? used.row + used.rows : 0;
    const columns = Math.max(used ? used.column + used.columns : 0, 1);
    const area = { row: 0, column: 0, rows, columns };
    const data: Row[] = matrixOf(area, (row, column) => cellObject(sheet, row, column));
    return {
      data,
      sheet: sheet.name,
      columns: indexes(0, columns).map((column) => ({
        width: characters(sheet.columns[column]?.width ?? STANDARD_COLUMN_WIDTH),
      })),
      ...(sheet.frozen.rows ? { stickyRowsCount: sheet.frozen.rows } : {}),
      ...(sheet.frozen.columns ? { stickyColumnsCount: sheet.frozen.columns } : {}),
      ...(sheet.gridlines ? {} : { showGridLines: false }),
    };
  });
