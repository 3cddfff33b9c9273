import { contains } from '../../workbook/cells/address.ts';
import { type CellValue, readEntry } from '../../workbook/cells/entry.ts';
import { resolveReference } from '../../workbook/reference.ts';
import { cellAt, numberFormatAt, type Sheet } from '../../workbook/sheet.ts';

type Bounds = { formula1?: unknown; formula2?: unknown; operator?: string };

const number = (value: unknown): number => (typeof value === 'number' ? value : Number(value));

const withinBounds = (value: number, { formula1, formula2, operator = 'Between' }: Bounds): boolean => {
  const [first, second] = [number(formula1), number(formula2)];
  // Bounds that are formulas are not calculated, so they bar nothing.
  if (Number.isNaN(first)) return true;
  switch (operator) {
    case 'Between':
      return value >= first && value <= second;
    case 'NotBetween':
      return value < first || value > second;
    case 'EqualTo':
      return value === first;
    case 'NotEqualTo':
      return value !== first;
    case 'GreaterThan':
      return value > first;
    case 'LessThan':
      return value < first;
    case 'GreaterThanOrEqualTo':
      return value >= first;
    default:
      return value <= first;
  }
};

const listed = (value: CellValue, source: unknown, sheet: Sheet): boolean => {
  const text = String(value).toLowerCase();
  if (typeof source !== 'string') return true;
  if (!source.startsWith('=')) return source.split(',').some((option) => option.trim().toLowerCase() === text);
  const found = resolveReference(sheet.workbook, source, sheet);
  if (!found) return true;
  for (let row = found.area.row; row < found.area.row + found.area.rows; row += 1) {
    for (let column = found.area.column; column < found.area.column + found.area.columns; column += 1) {
      if (String(cellAt(found.sheet, row, column)?.value ?? '').toLowerCase() === text) return true;
    }
  }
  return false;
};

/** Whether a cell's data validation lets a user type this. */
export const isAllowed = (sheet: Sheet, row: number, column: number, input: string): boolean => {
  const validation = sheet.validations.findLast(({ area }) => contains(area, { row, column, rows: 1, columns: 1 }));
  const alert = validation?.settings.errorAlert as { showAlert?: boolean; style?: string } | undefined;
  if (!validation || alert?.showAlert === false || (alert?.style && alert.style !== 'Stop')) return true;
  if (input === '') return validation.settings.ignoreBlanks !== false;
  const { value, formula } = readEntry(input, numberFormatAt(sheet, row, column), sheet.workbook.locale);
  if (formula) return true;
  const { list, wholeNumber, decimal, textLength, date, time } = validation.rule as Record<string, Bounds | undefined>;
  if (list) return listed(value, (list as { source?: unknown }).source, sheet);
  if (textLength) return withinBounds(String(value).length, textLength);
  const bounds = wholeNumber ?? decimal ?? date ?? time;
  if (!bounds) return true;
  if (typeof value !== 'number') return false;
  return (!wholeNumber || Number.isInteger(value)) && withinBounds(value, bounds);
};
