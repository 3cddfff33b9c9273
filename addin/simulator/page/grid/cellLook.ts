import type { CSSProperties } from 'react';
import { tableColors } from '../../tableStyle.ts';
import { cellAt, isBlank, type Sheet, styleAt, textAt, valueAt } from '../../workbook/sheet.ts';
import { bodyArea, type Table, tableAt } from '../../workbook/table.ts';

type CellLook = {
  text: string;
  style: CSSProperties;
  /** The table whose header the cell belongs to. */
  header: Table | undefined;
};

/** The approximate width of a character in the grid's font, in pixels. */
const CHARACTER_WIDTH = 7.2;

const tableLook = (table: Table, row: number): CSSProperties => {
  const colors = tableColors(table);
  if (!colors) return {};
  const body = bodyArea(table);
  if (row < body.row) {
    return colors.header
      ? { background: colors.header.fill, color: colors.header.font, fontWeight: 600 }
      : { fontWeight: 600, borderBottomColor: '#7F7F7F' };
  }
  const banded = table.showBandedRows && (row - body.row) % 2 === 0;
  return { background: banded ? colors.band : undefined, borderBottomColor: colors.line };
};

/** The width that the text of a cell takes: a long text flows over empty cells to its right, as in Excel. */
export const spillWidth = (sheet: Sheet, row: number, column: number, text: string, starts: Float64Array): number => {
  const own = starts[column + 1]! - starts[column]!;
  const { wrapText, horizontalAlignment, fontSize = 11 } = styleAt(sheet, row, column);
  const needed = (text.length * CHARACTER_WIDTH * fontSize) / 11 + 8;
  const flows = typeof valueAt(sheet, row, column) === 'string' && text !== '' && !wrapText;
  if (!flows || needed <= own || (horizontalAlignment ?? 'Left') !== 'Left' || tableAt(sheet, row, column)) return own;
  let end = column + 1;
  while (end < starts.length - 1 && starts[end]! - starts[column]! < needed && isBlank(cellAt(sheet, row, end)))
    end += 1;
  return starts[end]! - starts[column]!;
};

const alignments: Record<string, CSSProperties['textAlign']> = { Left: 'left', Center: 'center', Right: 'right' };

const naturalAlignments: Record<string, CSSProperties['textAlign']> = { number: 'right', boolean: 'center' };

export const cellLook = (sheet: Sheet, row: number, column: number, width: number): CellLook => {
  const value = valueAt(sheet, row, column);
  const style = styleAt(sheet, row, column);
  const table = tableAt(sheet, row, column);
  const text = textAt(sheet, row, column);
  const isTooWide = typeof value === 'number' && text.length * CHARACTER_WIDTH > width - 4;
  const base: CSSProperties = table ? tableLook(table, row) : {};
  const lines = [style.underline && 'underline', style.strikethrough && 'line-through'].filter(Boolean);
  return {
    // Part of a number would look like another number.
    text: isTooWide ? '#'.repeat(Math.max(1, Math.floor((width - 8) / CHARACTER_WIDTH))) : text,
    style: {
      ...base,
      textAlign: alignments[style.horizontalAlignment ?? ''] ?? naturalAlignments[typeof value] ?? 'left',
      fontWeight: style.bold ? 700 : base.fontWeight,
      fontStyle: style.italic ? 'italic' : undefined,
      textDecoration: lines.length > 0 ? lines.join(' ') : undefined,
      color: style.fontColor ?? base.color,
      background: style.fillColor ?? base.background,
      fontSize: style.fontSize ? `${(style.fontSize * 13) / 11}px` : undefined,
      ...(style.wrapText ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', lineHeight: 1.2 } : {}),
      paddingInlineStart: style.indentLevel ? 4 + style.indentLevel * 9 : undefined,
    },
    header: table?.area.row === row ? table : undefined,
  };
};
