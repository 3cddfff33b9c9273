import { cellArea, contains, type Position } from '../../workbook/cells/address.ts';
import { type CellValue, readEntry } from '../../workbook/cells/entry.ts';
import { english, type Locale } from '../../workbook/cells/locale.ts';
import { resolveReference } from '../../workbook/reference.ts';
import { forEachCell, numberFormatAt, type Sheet, typedAt } from '../../workbook/sheet.ts';

type Bounds = { formula1?: unknown; formula2?: unknown; operator?: string };

const comparisons: Record<string, (value: number, first: number, second: number) => boolean> = {
  Between: (value, first, second) => value >= first && value <= second,
  NotBetween: (value, first, second) => value < first || value > second,
  EqualTo: (value, first) => value === first,
  NotEqualTo: (value, first) => value !== first,
  GreaterThan: (value, first) => value > first,
  LessThan: (value, first) => value < first,
  GreaterThanOrEqualTo: (value, first) => value >= first,
  LessThanOrEqualTo: (value, first) => value <= first,
};

/** A number, also where it is written as a date or a time; NaN for a formula. */
const boundOf = (bound: unknown): number =>
  typeof bound === 'string' && !bound.startsWith('=')
    ? Number(readEntry(bound, 'General', english).value)
    : Number(bound);

const isWithin = (value: number, { formula1, formula2, operator = 'Between' }: Bounds): boolean => {
  const [first, second] = [boundOf(formula1), boundOf(formula2)];
  const needsTwo = operator === 'Between' || operator === 'NotBetween';
  // Formulas are not calculated, so bounds that are formulas allow any value.
  if (Number.isNaN(first) || (needsTwo && Number.isNaN(second))) return true;
  return comparisons[operator]?.(value, first, second) ?? true;
};

/** What a list has: the text that enters it into a cell, and its value. */
type Choice = { text: string; value: CellValue };

/** A text of a list as it enters just that: what would become a number elsewhere is typed behind an apostrophe. */
const asText = (text: string, value: string, format: string, locale: Locale): string => {
  if (readEntry(text, format, locale).value === value) return text;
  return format === '@' ? value : `'${value}`;
};

/** What a list has for a cell; undefined for a source that is not known. */
const optionsOf = (source: unknown, sheet: Sheet, cell: Position): Choice[] | undefined => {
  if (typeof source !== 'string') return undefined;
  const { locale } = sheet.workbook;
  const format = numberFormatAt(sheet, cell.row, cell.column);
  if (!source.startsWith('=')) {
    const texts = source.split(',').map((option) => option.trim());
    return texts.map((text) => ({ text, value: readEntry(text, format, locale).value }));
  }
  const found = resolveReference(sheet.workbook, source, sheet);
  if (!found) return undefined;
  const options: Choice[] = [];
  forEachCell(found.sheet, found.area, ({ value }, row, column) => {
    if (value === '') return;
    const text = typedAt(found.sheet, row, column);
    options.push({ text: typeof value === 'string' ? asText(text, value, format, locale) : text, value });
  });
  return options;
};

/** Numbers are compared by the digits in which they are typed. */
const comparable = (value: CellValue): string =>
  typeof value === 'number' ? value.toPrecision(15) : String(value).toLowerCase();

const listed = (value: CellValue, source: unknown, sheet: Sheet, cell: Position): boolean => {
  const sought = comparable(value);
  const isListed = (option: Choice) => comparable(option.value) === sought || comparable(option.text) === sought;
  return optionsOf(source, sheet, cell)?.some(isListed) ?? true;
};

const validationOf = (sheet: Sheet, cell: Position) =>
  sheet.validations.findLast(({ areas }) => areas.some((area) => contains(area, cellArea(cell))));

/** The most choices that a cell offers: a longer list is typed. */
const MAX_CHOICES = 500;

/** What may be chosen for a cell, where its validation has a list. */
export const choicesOf = (sheet: Sheet, cell: Position): string[] | undefined => {
  const list = validationOf(sheet, cell)?.rule.list as { source?: unknown; inCellDropDown?: boolean } | undefined;
  if (!list || list.inCellDropDown === false) return undefined;
  return [...new Set(optionsOf(list.source, sheet, cell)?.map(({ text }) => text))].slice(0, MAX_CHOICES);
};

/** The most choices that are shown while somebody types. */
const MAX_SHOWN = 50;

/** The choices for a cell in which a typed text occurs; none while nothing is typed, or the text is a choice itself. */
export const choicesWith = (sheet: Sheet, cell: Position, typed: string): string[] => {
  const text = typed.trim().toLowerCase();
  const choices = text === '' ? [] : (choicesOf(sheet, cell) ?? []);
  const found = choices.filter((choice) => choice.toLowerCase().includes(text));
  return found.length === 1 && found[0]!.toLowerCase() === text ? [] : found.slice(0, MAX_SHOWN);
};

/** Whether the data validation of a cell allows this input. */
export const isAllowed = (sheet: Sheet, cell: Position, input: string): boolean => {
  const validation = validationOf(sheet, cell);
  const alert = validation?.settings.errorAlert as { showAlert?: boolean; style?: string } | undefined;
  if (!validation || alert?.showAlert === false || (alert?.style && alert.style !== 'Stop')) return true;
  if (input === '') return validation.settings.ignoreBlanks !== false;
  const { value, formula } = readEntry(input, numberFormatAt(sheet, cell.row, cell.column), sheet.workbook.locale);
  if (formula) return true;
  const { list, wholeNumber, decimal, textLength, date, time } = validation.rule as Record<string, Bounds | undefined>;
  if (list) return listed(value, (list as { source?: unknown }).source, sheet, cell);
  if (textLength) return isWithin(String(value).length, textLength);
  const bounds = wholeNumber ?? decimal ?? date ?? time;
  if (!bounds) return true;
  if (typeof value !== 'number') return false;
  return (!wholeNumber || Number.isInteger(value)) && isWithin(value, bounds);
};
