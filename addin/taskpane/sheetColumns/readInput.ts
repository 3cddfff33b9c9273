import type { PushedName } from '../../../shared/api.ts';
import { type FieldError, type Found, found, refused } from '../../../shared/fieldErrors.ts';
import { decimalText, units } from '../../../shared/money.ts';
import { Problem } from '../../../shared/problem.ts';
import { readWrite } from '../../../shared/readRequest.ts';
import { writeDate } from '../../../shared/wire/calendarDate.ts';
import { readDecimal } from '../../../shared/wire/decimal.ts';
import { cut } from '../../../shared/wire/describeValue.ts';
import { type Cell, dateOfSerial, isCellError, textOfCell } from '../../excel/cell.ts';
import type { CellNature } from '../../excel/cellNature.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import type { Messages } from '../locales/en.ts';
import { languages, wordsIn } from '../locales/words.ts';
import { yesOrNo } from '../push/translatedWords.ts';
import { type InputSheet, type RequestColumn, wordsOf } from './requestColumns.ts';
import { codeWord } from './requestTable.ts';

/** The value of a filled cell to send, or why it is refused. */
type ReadInput = Found<unknown, string>;

/** A filled cell of a column; its type is by its format too. */
type FilledCell = { cell: Cell; nature: CellNature | undefined };

/** Reads the filled cells of a row of any sheet, by the columns that the sheet declares. */
export function readFilled(row: TableRow, sheet: InputSheet, messages: Messages): Map<string, ReadInput> {
  const read = new Map<string, ReadInput>();
  for (const [column, declared] of Object.entries(sheet.columns)) {
    const cell = row.cells.get(column) ?? '';
    if (textOfCell(cell) === '') continue;
    const filled = { cell, nature: row.natures.get(column) };
    const words = declared.kind === 'choice' ? wordsOf(sheet, column) : [];
    read.set(column, readInput(declared, words, filled, messages));
  }
  return read;
}

/**
 * What is wrong with a cell. A column that somebody deleted has none, and can only lack a value.
 * @param address of the cell; undefined in a deleted column
 */
export const aboutCell = (heading: string, address: string | undefined, text: string, messages: Messages): string =>
  address === undefined
    ? messages.labelled(messages.problems.workbook.COLUMN_GONE, heading)
    : messages.cell.at(heading, address, text);

/** A request as the service reads it, or the errors that it would return. */
export function readAsService(
  endpoint: PushedName,
  request: object,
): Found<Record<string, unknown>, readonly FieldError[]> {
  try {
    return found(readWrite(endpoint, request).request as Record<string, unknown>);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return refused(error.errors);
  }
}

/**
 * Reads a cell as a field of a request. What could be meant in two ways is refused, since a wrong amount or date is
 * worse than a question.
 * @param words of a choice, as the interface spells them
 */
function readInput(
  { kind, sign, questioned }: RequestColumn,
  words: readonly string[],
  filled: FilledCell,
  messages: Messages,
): ReadInput {
  const { cell, nature } = filled;
  if (isCellError(cell)) return refused(messages.cell.error(String(cell)));
  const isNotNegative = sign === 'notNegative';
  switch (kind) {
    case 'text':
      // Such as an article number: 00123 is another one than 123.
      return nature === 'padded' ? refused(messages.cell.padded) : readText(filled, messages);
    case 'digits':
      return readText(filled, messages);
    case 'numbered':
      return readNumbered(filled, messages);
    case 'yesNo':
      return readYesOrNo(cell, messages);
    case 'choice':
      return readChoice(cell, words, messages);
    case 'date':
      return readDateCell(filled, messages);
    case 'percentage':
      if (nature === 'percentage' && typeof cell === 'number') {
        return readNumber(hundredfold(cell), messages, isNotNegative);
      }
      return readFormatted(filled, messages, isNotNegative);
    case 'integer':
    case 'price':
    case 'amount':
    case 'decimal':
      return questioned && typeof cell === 'number'
        ? readNumber(cell, messages, isNotNegative)
        : readFormatted(filled, messages, isNotNegative);
  }
}

/** A number in a cell that is not formatted as something else. */
function readFormatted({ cell, nature }: FilledCell, messages: Messages, isNotNegative: boolean): ReadInput {
  const refusals: Partial<Record<CellNature, string>> = messages.cell.natures;
  const refusal = nature && refusals[nature];
  return refusal === undefined ? readNumber(cell, messages, isNotNegative) : refused(refusal);
}

/**
 * A text, or the digits of a number. A number with more than 15 has lost the others already, and one that is shown as a
 * date (1-2 that was pasted) or a percentage is another text on the screen.
 */
export function readText({ cell, nature }: FilledCell, messages: Messages): ReadInput {
  if (isCellError(cell)) return refused(messages.cell.error(String(cell)));
  const refusals: Partial<Record<CellNature, string>> = messages.cell.naturesOfText;
  const refusal = nature && refusals[nature];
  if (refusal !== undefined && typeof cell !== 'string') return refused(refusal);
  return typeof cell === 'number' && Math.abs(cell) >= 1e15
    ? refused(messages.cell.lostDigits)
    : found(textOfCell(cell));
}

/** A number, with or without the name that a list shows behind it. */
function readNumbered(filled: FilledCell, messages: Messages): ReadInput {
  const read = readText(filled, messages);
  return read.kind === 'refused' ? read : found(/^\S*/.exec(String(read.value))![0]);
}

/**
 * A number as the decimal text to send. A text is taken when it is plain digits with a comma or a point before the
 * decimals; one that could have a thousands separator (1.250) is refused, since a wrong price is worse.
 */
function readNumber(cell: Cell, messages: Messages, isNotNegative: boolean): ReadInput {
  const text = textOfCell(cell);
  if (typeof cell === 'boolean') return refused(messages.cell.number(text));
  if (isNotNegative && /^-.*[1-9]/.test(text)) return refused(messages.cell.negativePrice);
  if (typeof cell === 'number') return found(text);
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return refused(messages.cell.ambiguous(text));
  return found(text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'));
}

/** 21 for a cell that shows 21%: exact, within the digits that Excel stores. */
const DIGITS = 18;
const hundredfold = (cell: number): string =>
  decimalText(units(readDecimal(textOfCell(cell)) ?? '0', DIGITS) * 100n, DIGITS);

/** A refused cell for a message, which stands in a cell itself. */
export const shownText = (cell: Cell): string => cut(textOfCell(cell));

function readYesOrNo(cell: Cell, messages: Messages): ReadInput {
  const value = yesOrNo(cell);
  return value === undefined ? refused(messages.cell.yesOrNo(shownText(cell))) : found(value);
}

/** The word of a choice that a cell has: in any language of the pane, or as the interface spells it. */
export function chosenWord<Word extends string>(cell: Cell, words: readonly Word[]): Word | undefined {
  const text = textOfCell(cell).toLowerCase();
  return words.find((word) =>
    [word, ...languages.map((language) => codeWord(word, wordsIn[language]))].some((one) => one.toLowerCase() === text),
  );
}

function readChoice(cell: Cell, words: readonly string[], messages: Messages): ReadInput {
  const value = chosenWord(cell, words);
  if (value !== undefined) return found(value);
  const offered = words.map((word) => codeWord(word, messages));
  return refused(messages.cell.choice(offered, shownText(cell)));
}

/**
 * A date as the interface writes it. A text is taken with the year first, or with the day first. With slashes and a day
 * up to 12 it could be American, and is refused.
 */
function readDateCell({ cell, nature }: FilledCell, messages: Messages): ReadInput {
  if (typeof cell === 'boolean') return refused(messages.cell.date(shownText(cell)));
  if (typeof cell === 'number') {
    if (nature !== 'date') return refused(messages.cell.notDate);
    const date = dateOfSerial(cell);
    return date === undefined ? refused(messages.cell.date(shownText(cell))) : found(writeDate(date));
  }
  const text = cell.trim();
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return found(dateText(day!, month!, year));
  const [, first, separator, second, last] = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  if (first === undefined) return refused(messages.cell.date(shownText(text)));
  const isAmbiguous = separator === '/' && Number(first) <= 12 && Number(second) <= 12 && first !== second;
  if (isAmbiguous) return refused(messages.cell.ambiguousDate(text));
  return found(dateText(first, second!, last!));
}

const dateText = (day: string, month: string, year: string): string =>
  `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year}`;
