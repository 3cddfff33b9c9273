import { describe, expect, it } from 'vitest';
import { kindOf } from '../../../shared/wire/field.ts';
import { type Cell, dateSerial } from '../../excel/cell.ts';
import { natureOf } from '../../excel/cellNature.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { messagesOf } from '../locales/messages.ts';
import { fieldOf, formatOf, type InputKind, type RequestSheet } from '../sheetColumns/requestColumns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { readRequests } from './readRequests.ts';

/* What Excel makes of what people type and paste, for every column of every sheet. */

type Case = [title: string, cell: Cell, format: string, value: unknown];

const GENERAL = 'General';
const refused = (part: string) => ({ refused: part });
const numbers: Case[] = [
  ['a number', 12.5, GENERAL, '12.5'],
  ['a number with the noise of a float', 0.1 + 0.2, GENERAL, '0.3'],
  ['zero, which is not blank', 0, GENERAL, '0'],
  ['a decimal comma typed as text', '12,5', '@', '12.5'],
  ['a decimal point typed as text', '12.50', '@', '12.50'],
  ['a text that may have a thousands separator', '1.250', '@', refused('two ways')],
  ['the same with a comma', '1,250', '@', refused('two ways')],
  ['a Dutch amount in thousands', '1.250,00', '@', refused('number')],
  ['a cell formatted as a date', 45, 'dd-mm-yyyy', refused('formatted as a date')],
  ['a cell formatted as a time', 0.5, 'hh:mm', refused('formatted as a time')],
  ['TRUE', true, GENERAL, refused('TRUE or FALSE')],
  ['words', 'many', '@', refused('number')],
  ['a failed formula', '#DIV/0!', GENERAL, refused('#DIV/0!')],
];
const texts: Case[] = [
  ['leading zeros', '0100', '@', '0100'],
  ['an EAN of 13 digits as a number', 8710400000013, '0', '8710400000013'],
  ['a number that lost digits', 1234567890123456, '0', refused('lost digits')],
  ['what looks like a formula', '=cmd', '@', '=cmd'],
  ['spaces around it', ' A1 ', '@', 'A1'],
  ['a failed formula', '#N/A', GENERAL, refused('#N/A')],
];
const cases: Readonly<Record<InputKind, Case[]>> = {
  text: texts,
  digits: [
    ['a number', 20260001, GENERAL, '20260001'],
    ['words', 'many', '@', refused('whole number')],
  ],
  numbered: [
    ['a number', 10001, GENERAL, '10001'],
    ['a choice of the list', '10001 Bakkerij Jansen', '@', '10001'],
    ['a failed formula', '#REF!', GENERAL, refused('#REF!')],
  ],
  integer: [
    ['a number', 14, GENERAL, '14'],
    ['a part of a number', 1.5, GENERAL, refused('whole number')],
  ],
  price: numbers,
  amount: numbers,
  decimal: [...numbers, ['a percentage', 0.21, '0%', refused('formatted as a percentage')]],
  percentage: [...numbers, ['a cell formatted as a percentage', 0.21, '0.00%', '21'], ['a part', 0.055, '0.0%', '5.5']],
  date: [
    ['a date', dateSerial('2026-12-31'), 'dd-mm-yyyy', '31-12-2026'],
    ['a date of an American Excel', dateSerial('2026-04-03'), 'm/d/yyyy', '03-04-2026'],
    ['a date with a time', Number(dateSerial('2026-12-31')) + 0.75, 'dd-mm-yyyy hh:mm', '31-12-2026'],
    ['a Dutch date as text', '31-12-2026', '@', '31-12-2026'],
    ['a Belgian date as text', '31/12/2026', '@', '31-12-2026'],
    ['a date with points', '1.2.2026', '@', '01-02-2026'],
    ['the year first', '2026-12-31', '@', '31-12-2026'],
    ['a date that may be American', '03/04/2026', '@', refused('two ways')],
    ['two digits of the year', '31-12-26', '@', refused('date')],
    ['a day that there is not', '31-02-2026', '@', refused('date')],
    ['a number without the format of a date', 45292, GENERAL, refused('not formatted as a date')],
    ['a failed formula', '#VALUE!', GENERAL, refused('#VALUE!')],
  ],
  yesNo: [
    ['Yes', 'Yes', '@', true],
    ['the Dutch word', 'nee', '@', false],
    ['TRUE', true, GENERAL, true],
    ['something else', 'maybe', '@', refused('Yes or No')],
  ],
  choice: [['something else', 'whatever', '@', refused('expected')]],
};

/** A row of a sheet with one filled column. */
const rowWith = (sheet: RequestSheet, column: string, cell: Cell, format: string): TableRow => ({
  number: 7,
  cells: new Map<string, Cell>([
    [sheet.key, 'A'],
    [column, cell],
  ]),
  natures: new Map([[column, natureOf(cell, format)]]),
  addressOf: (key) => (key === column ? 'C7' : 'A7'),
  hidden: false,
});

describe.each(Object.values(requestSheets))('A cell of the sheet $view', (sheet) => {
  const all = Object.entries(sheet.columns).flatMap(([column, { kind }]) =>
    cases[kind].map(([title, cell, format, value]) => ({ column, title, cell, format, value })),
  );

  it.each(all)('under $column with $title is read, or refused with its address', ({ column, cell, format, value }) => {
    const [read] = readRequests([rowWith(sheet, column, cell, format)], {
      sheet,
      messages: messagesOf.en,
      rateOf: () => undefined,
    });
    const about = read!.issues.filter((issue) => issue.column === column).map(({ message }) => message);
    const isRefused = typeof value === 'object' && value !== null;
    if (isRefused) {
      expect(about).toHaveLength(1);
      expect(about[0]).toContain('(C7)');
      expect(about[0]).toContain((value as { refused: string }).refused);
      return;
    }
    const { request } = read!;
    const part = sheet.columns[column]!.line ? (request[sheet.lines!] as Record<string, unknown>[])[0]! : request;
    expect(part[column]).toBe(value);
  });

  it('that is blank is left out', () => {
    const column = Object.keys(sheet.columns).find((name) => name !== sheet.key)!;
    expect(
      readRequests([rowWith(sheet, column, '', '@')], { sheet, messages: messagesOf.en, rateOf: () => undefined }),
    ).toHaveLength(sheet.key in sheet.columns ? 1 : 0);
  });

  it.each(Object.keys(sheet.columns))('under %s has the kind of its field', (column) => {
    const fits: Readonly<Record<string, readonly InputKind[]>> = {
      text: ['text', 'numbered'],
      long: ['digits'],
      integer: ['integer', 'numbered'],
      decimal: ['price', 'amount', 'decimal', 'percentage'],
      date: ['date'],
      boolean: ['yesNo'],
      choice: ['choice'],
    };
    const { kind } = sheet.columns[column]!;
    expect(fits[kindOf(fieldOf(sheet, column))!.of]).toContain(kind);
    expect(formatOf[kind]).toBeDefined();
  });
});
