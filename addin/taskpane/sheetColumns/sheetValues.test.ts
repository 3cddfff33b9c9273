import { beforeAll, describe, expect, it } from 'vitest';
import { retryOptions } from '../../../shared/retry.ts';
import { kindOf } from '../../../shared/wire/field.ts';
import { inputOf, openSheetToFill, type SheetToFill } from '../../../testing/addin/sheetToFill.ts';
import { type Cell, dateSerial } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { attachCalculator } from '../../simulator/calculation/calculator.ts';
import { dutch, english, french, type Locale } from '../../simulator/workbook/cells/locale.ts';
import { filterTable } from '../../simulator/workbook/changes/filter.ts';
import { rowOf } from '../../simulator/workbook/sheet.ts';
import { readRequests } from '../documentSheet/readRequests.ts';
import { messagesOf } from '../locales/messages.ts';
import { pushedKinds } from '../sheetKinds.ts';
import { DOCUMENT, fieldOf, formatOf, type InputKind, type SheetView, wordsOf } from './requestColumns.ts';
import { requestSheets } from './requestSheets.ts';
import { codeWord } from './requestTable.ts';

/*
 * What Excel makes of what people type and paste, for every column of every sheet whose rows are sent: each is read, or
 * refused with the address of its cell. A new sheet, column or kind is tested by its declaration.
 */

const views = Object.keys(pushedKinds);

/** Excel in Dutch with the settings of Belgium, and in French. */
const belgian: Locale = { ...dutch, tag: 'nl-BE', shortDate: 'd/mm/yyyy' };
const belgianFrench: Locale = { ...french, tag: 'fr-BE', shortDate: 'dd-mm-yy' };

/** What is in a cell: a value with its format, or what is typed in an Excel with the settings of a country. */
type Entered = [cell: Cell, format: string] | [typed: string, locale: Locale];
type Refused = { refused: string };
/** `undefined`: the field is left out. */
type Case = [title: string, entered: Entered, expected: string | boolean | Refused | undefined];

const GENERAL = 'General';
const refused = (part: string): Refused => ({ refused: part });

const blank: Case[] = [
  ['nothing', ['', GENERAL], undefined],
  ['spaces only', ['   ', '@'], undefined],
];
const failed: Case[] = [
  ['a failed formula', ['#DIV/0!', GENERAL], refused('#DIV/0!')],
  ['a lookup that found nothing', ['#N/A', GENERAL], refused('#N/A')],
];
const numbers: Case[] = [
  ...blank,
  ...failed,
  ['a number', [12.5, GENERAL], '12.5'],
  ['a number with the noise of a float', [0.1 + 0.2, GENERAL], '0.3'],
  ['zero, which is not blank', [0, GENERAL], '0'],
  ['a decimal comma typed as text', ['12,5', '@'], '12.5'],
  ['a decimal point typed as text', ['12.50', '@'], '12.50'],
  ['a text that may have a thousands separator', ['1.250', '@'], refused('two ways')],
  ['the same with a comma', ['1,250', '@'], refused('two ways')],
  ['a Dutch amount in thousands as text', ['1.250,00', '@'], refused('number')],
  ['words', ['many', '@'], refused('number')],
  ['TRUE', [true, GENERAL], refused('TRUE or FALSE')],
  ['12,5 typed in the Netherlands', ['12,5', dutch], '12.5'],
  ['12,5 typed in Flanders', ['12,5', belgian], '12.5'],
  ['12,5 typed in Wallonia', ['12,5', belgianFrench], '12.5'],
  ['12.5 typed in English', ['12.5', english], '12.5'],
  ['0 typed', ['0', dutch], '0'],
];
/** No percentage is as much. */
const thousands: Case[] = [
  ['1.250,50 typed in the Netherlands', ['1.250,50', dutch], '1250.5'],
  ['1 250,50 typed in Wallonia', ['1 250,50', belgianFrench], '1250.5'],
  ['1,250.50 typed in English', ['1,250.50', english], '1250.5'],
];
/** A price of the product sheet in such a cell is asked about instead: `unusualPrice.test.ts`. */
const formatted: Case[] = [
  ['a cell formatted as a date', [45, 'dd-mm-yyyy'], refused('formatted as a date')],
  ['a cell formatted as a time', [0.5, 'hh:mm'], refused('formatted as a time')],
];
/** What Excel makes of 1-2 or 21% that somebody pastes: it is not sent as the number behind it. */
const shownOtherwise: Case[] = [
  ...formatted,
  ['a cell formatted as a percentage', [0.21, '0%'], refused('formatted as a percentage')],
  ['TRUE', [true, GENERAL], refused('TRUE or FALSE')],
];
const ofPercentage: Case = ['a percentage', [0.21, '0%'], refused('formatted as a percentage')];
const texts: Case[] = [
  ...blank,
  ...failed,
  ...shownOtherwise,
  ['leading zeros', ['0100', '@'], '0100'],
  ['leading zeros typed', ['0100', dutch], '0100'],
  ['a number that its format shows with leading zeros', [123, '00000'], refused('zeros')],
  ['a number as long as its format', [12345, '00000'], '12345'],
  ['an EAN of 13 digits typed', ['8710400000013', dutch], '8710400000013'],
  ['an EAN of 13 digits as a number', [8710400000013, '0'], '8710400000013'],
  ['an EAN of 13 digits that is shown as 8.71E+12', [8710400000013, GENERAL], '8710400000013'],
  ['a number that lost digits', [1234567890123456, '0'], refused('lost digits')],
  ['what looks like a formula', ['=cmd', '@'], '=cmd'],
  ['what looks like a power of ten', ['9E7', dutch], '9E7'],
  ['spaces around it', [' A1 ', '@'], 'A1'],
];
const wholeNumbers: Case[] = [
  ...blank,
  ...failed,
  ...formatted,
  ['a part of a number', [1.5, GENERAL], refused('whole number')],
  ['words', ['many', '@'], refused('')],
];
const cases: Readonly<Record<InputKind, Case[]>> = {
  text: texts,
  digits: [
    ...blank,
    ...failed,
    ...shownOtherwise,
    ['a number', [20260001, GENERAL], '20260001'],
    ['a number typed', ['20260001', dutch], '20260001'],
    ['words', ['many', '@'], refused('whole number')],
  ],
  numbered: [
    ...blank,
    ...failed,
    ...shownOtherwise,
    ['a number', [10001, GENERAL], '10001'],
    ['a choice of the list', ['10001 Bakkerij Jansen', '@'], '10001'],
    ['a choice of the list typed', ['10001 Bakkerij Jansen', dutch], '10001'],
  ],
  integer: [...wholeNumbers, ['a number', [14, GENERAL], '14'], ['a number typed', ['14', belgian], '14']],
  price: [...numbers, ...thousands, ...formatted, ofPercentage],
  amount: [...numbers, ...thousands, ...formatted, ofPercentage],
  decimal: [...numbers, ...thousands, ...formatted, ofPercentage],
  percentage: [
    ...numbers,
    ...formatted,
    ['a cell that shows 21%', [0.21, '0%'], '21'],
    ['a cell that shows 5.5%', [0.055, '0.0%'], '5.5'],
    ['21% typed', ['21%', english], '21'],
    ['5,5% typed in the Netherlands', ['5,5%', dutch], '5.5'],
    ['5,5 % typed in Wallonia', ['5,5%', belgianFrench], '5.5'],
  ],
  date: [
    ...blank,
    ...failed,
    ['a date', [dateSerial('2026-12-31'), 'dd-mm-yyyy'], '31-12-2026'],
    ['a date of an American Excel', [dateSerial('2026-04-03'), 'm/d/yyyy'], '03-04-2026'],
    ['a date with a time', [Number(dateSerial('2026-12-31')) + 0.75, 'dd-mm-yyyy hh:mm'], '31-12-2026'],
    ['a Dutch date as text', ['31-12-2026', '@'], '31-12-2026'],
    ['a Belgian date as text', ['31/12/2026', '@'], '31-12-2026'],
    ['a date with points as text', ['1.2.2026', '@'], '01-02-2026'],
    ['the year first as text', ['2026-12-31', '@'], '31-12-2026'],
    ['a text that may be American', ['03/04/2026', '@'], refused('two ways')],
    ['two digits of the year as text', ['31-12-26', '@'], refused('date')],
    ['a day that there is not', ['31-02-2026', '@'], refused('date')],
    ['a number without the format of a date', [45292, GENERAL], refused('not formatted as a date')],
    ['TRUE', [true, GENERAL], refused('date')],
    ['the 0 of a formula that refers to a blank cell', [0, 'dd-mm-yyyy'], refused('date')],
    ['a number of days below 0', [-5, 'dd-mm-yyyy'], refused('date')],
    ['an EAN, which is no day', [8710400000013, 'dd-mm-yyyy'], refused('date')],
    ['the day after 31-12-9999', [2_958_466, 'dd-mm-yyyy'], refused('date')],
    ['a date typed in the Netherlands', ['31-12-2026', dutch], '31-12-2026'],
    ['a short date typed in the Netherlands', ['31-12-26', dutch], '31-12-2026'],
    ['a date typed in Flanders', ['31/12/2026', belgian], '31-12-2026'],
    ['3/4/2026 typed in Flanders, which is in April', ['3/4/2026', belgian], '03-04-2026'],
    ['a date typed in Wallonia', ['31/12/2026', belgianFrench], '31-12-2026'],
    ['a date typed in American English', ['12/31/2026', english], '31-12-2026'],
    ['a Dutch date typed in American English, where it stays text', ['31-12-2026', english], '31-12-2026'],
  ],
  yesNo: [
    ...blank,
    ...failed,
    ...Object.values(messagesOf).flatMap(({ yes, no }): Case[] => [
      [yes, [yes, '@'], true],
      [`${no} typed`, [no.toUpperCase(), dutch], false],
    ]),
    ['TRUE', [true, GENERAL], true],
    ['FALSE', [false, GENERAL], false],
    ['something else', ['maybe', '@'], refused('Yes or No')],
  ],
  choice: [...blank, ...failed, ['something else', ['whatever', '@'], refused('expected')]],
};

/** The words of a choice, as the interface spells them and in each language. */
const wordCases = (words: readonly string[]): Case[] =>
  words.flatMap((word) => [
    [word, [word, '@'], word] as Case,
    ...Object.values(messagesOf).map((messages): Case => {
      const shown = codeWord(word, messages);
      return [`${shown}, in capitals`, [shown.toUpperCase(), '@'], word];
    }),
  ]);

const enter = (sheet: SheetToFill, row: number, column: string, [cell, as]: Entered): void =>
  typeof as === 'string' ? sheet.put(row, column, cell, as) : sheet.type(row, column, String(cell), as);

describe.each(views.map((view) => ({ view, input: inputOf(view) })))('A cell of the sheet $view', ({ view, input }) => {
  const all = Object.entries(input.columns).flatMap(([column, { kind, questioned }]) =>
    cases[kind]
      .concat(kind === 'choice' ? wordCases(wordsOf(input, column)) : [])
      // A stock change that is left empty is that of the pane.
      .filter((one) => column !== 'StockUpdateMode' || !blank.includes(one))
      .filter((one) => !questioned || !(formatted.includes(one) || one === ofPercentage))
      .map(([title, entered, expected]) => ({ column, title, entered, expected })),
  );
  let sheet: SheetToFill;
  let read: Awaited<ReturnType<SheetToFill['read']>>;
  beforeAll(async () => {
    sheet = await openSheetToFill(view, all.length);
    for (const [row, { column, entered }] of all.entries()) enter(sheet, row, column, entered);
    read = await sheet.read();
  });

  it.each(all.map((one, row) => ({ ...one, row })))(
    'under $column with $title is read, left out, or refused with its address',
    ({ column, row, expected }) => {
      const found = read[row]!.of(column);
      if (typeof expected !== 'object') {
        expect(found).toEqual(expected === undefined ? undefined : { value: expected });
        return;
      }
      expect(found).toHaveProperty('refused');
      const { refused } = found as Refused;
      expect(refused).toContain(`(${sheet.addressOf(row, column)})`);
      expect(refused).toContain(expected.refused);
    },
  );

  it.each(Object.keys(input.columns))('under %s has the kind of its field', (column) => {
    const fits: Readonly<Record<string, readonly InputKind[]>> = {
      text: ['text', 'numbered'],
      long: ['digits'],
      integer: ['integer', 'numbered'],
      decimal: ['price', 'amount', 'decimal', 'percentage'],
      date: ['date'],
      boolean: ['yesNo'],
      choice: ['choice'],
    };
    const { kind } = input.columns[column]!;
    expect(fits[kindOf(fieldOf(input, column))!.of]).toContain(kind);
    expect(formatOf[kind]).toBeDefined();
  });
});

const documentViews = views.filter((view) => view !== 'products' && requestSheets[view as SheetView].key === DOCUMENT);

describe.each(documentViews)('The document of a row of the sheet %s', (view) => {
  it.each([
    ['a failed formula', '#N/A', GENERAL, '#N/A'],
    ['a cell formatted as a date', 45, 'dd-mm-yyyy', 'formatted as a date'],
    ['a number that lost digits', 1234567890123456, '0', 'lost digits'],
  ])('with %s is refused in each row, with its address', async (_, cell, format, told) => {
    const sheet = await openSheetToFill(view, 2);
    const number = columnsOf(view, 'price', 'amount', 'decimal')[0]!;
    for (const row of [0, 1]) {
      sheet.put(row, DOCUMENT, cell, format);
      sheet.type(row, number, '1', dutch);
    }
    const read = readRequests(await sheet.read(), {
      sheet: requestSheets[view as SheetView],
      messages: messagesOf.en,
      taxRates: new Map(),
    });
    const about = read.map(({ issues }) => issues.find(({ column }) => column === DOCUMENT)?.message);
    expect(about).toEqual([0, 1].map(() => expect.stringContaining(told)));
    expect(about).toEqual([0, 1].map((row) => expect.stringContaining(`(${sheet.addressOf(row, DOCUMENT)})`)));
  });

  it('is the same for a number and for its text, and keeps leading zeros', async () => {
    const sheet = await openSheetToFill(view, 4);
    const number = columnsOf(view, 'price', 'amount', 'decimal')[0]!;
    const documents: [Cell, string][] = [
      [7, GENERAL],
      ['7', '@'],
      ['007', '@'],
      [' 7 ', '@'],
    ];
    for (const [row, [cell, format]] of documents.entries()) {
      sheet.put(row, DOCUMENT, cell, format);
      sheet.type(row, number, '1', dutch);
    }
    const read = readRequests(await sheet.read(), {
      sheet: requestSheets[view as SheetView],
      messages: messagesOf.en,
      taxRates: new Map(),
    });
    expect(read.map(({ key, rows }) => [key, rows.length])).toEqual([
      ['7', 3],
      ['007', 1],
    ]);
  });
});

/** The inputs of a sheet of one kind, such as those with numbers. */
const columnsOf = (view: string, ...kinds: readonly InputKind[]): string[] =>
  Object.entries(inputOf(view).columns).flatMap(([column, { kind }]) => (kinds.includes(kind) ? [column] : []));

describe.each(views)('The rows of the sheet %s', (view) => {
  const texts = columnsOf(view, 'text');
  const numbers = columnsOf(view, 'price', 'amount', 'decimal', 'percentage');
  const [text, number] = [texts[0]!, numbers[0]!];

  it('have the values of formulas, and the address of one that failed', async () => {
    const formulas = [
      ...numbers.map((column) => [column, '=10+2,5', '12.5'] as const),
      ...columnsOf(view, 'date').map((column) => [column, '=DATUM(2026;12;31)', '31-12-2026'] as const),
      ...texts.map((column) => [column, '="A"&TEKST(7;"000")', 'A007'] as const),
    ];
    const sheet = await openSheetToFill(view, 2 * formulas.length);
    attachCalculator(sheet.excel.workbook);
    for (const [row, [column, formula]] of formulas.entries()) {
      // In a cell with the text format a formula would stay text.
      for (const one of [2 * row, 2 * row + 1]) if (texts.includes(column)) sheet.put(one, column, '', GENERAL);
      sheet.type(2 * row, column, formula, dutch);
      sheet.type(2 * row + 1, column, '=1/0', dutch);
    }
    const read = await sheet.read();
    for (const [row, [column, , value]] of formulas.entries()) {
      expect(read[2 * row]!.of(column)).toEqual({ value });
      const error = `(${sheet.addressOf(2 * row + 1, column)}): the formula returns #DIV/0!`;
      expect(read[2 * row + 1]!.of(column)).toEqual({ refused: expect.stringContaining(error) });
    }
  });

  it('that are hidden by hand or by a filter are read in their place, and known as hidden', async () => {
    const sheet = await openSheetToFill(view, 4);
    for (const row of [0, 1, 2, 3]) sheet.type(row, text, row === 1 ? 'B2' : `A${row + 1}`, dutch);
    sheet.type(3, number, 'many', dutch);
    rowOf(sheet.sheet(), sheet.placeOf(3, text).row).hidden = true;
    const table = sheet.sheet().tables[0]!;
    const column = table.columns[sheet.placeOf(0, text).column - table.area.column]!;
    filterTable(table, column, { filterOn: 'Values', values: ['A1', 'A3', 'A4'] });
    const read = await sheet.read();
    expect(read.map(({ hidden }) => hidden).slice(0, 4)).toEqual([false, true, false, true]);
    expect(read.map((row) => row.of(text)).slice(0, 3)).toEqual([{ value: 'A1' }, { value: 'B2' }, { value: 'A3' }]);
    expect(read[3]!.of(number)).toEqual({ refused: expect.stringContaining(`(${sheet.addressOf(3, number)})`) });
  });

  it('are read on a protected sheet', async () => {
    const sheet = await openSheetToFill(view, 1);
    sheet.type(0, text, '0100', dutch);
    await inSheet(sheet, (worksheet) => worksheet.protection.protect());
    expect((await sheet.read())[0]!.of(text)).toEqual({ value: '0100' });
  });

  it('are found with other names of the sheet, the table and its headings, wherever the table is', async () => {
    const sheet = await openSheetToFill(view, 2);
    sheet.type(0, text, '0100', dutch);
    sheet.type(1, number, 'many', dutch);
    await inSheet(sheet, (worksheet) => {
      worksheet.name = 'Maart';
      worksheet.tables.getItemAt(0).name = 'Mijn_tabel';
      worksheet.getRange('A1').values = [['Iets anders']];
      worksheet.getRange('1:3').insert('Down');
      worksheet.getRange('A:A').insert('Right');
    });
    const read = await sheet.read();
    const { row } = sheet.placeOf(1, number);
    expect(row).toBe(5);
    expect(read[0]!.of(text)).toEqual({ value: '0100' });
    expect(read[1]!.of(number)).toEqual({ refused: expect.stringContaining(`(${sheet.addressOf(1, number)})`) });
  });

  it('are read where cells are merged: only the first of them has the value', async () => {
    const sheet = await openSheetToFill(view, 2);
    sheet.type(0, text, '0100', dutch);
    sheet.sheet().merges.push({ ...sheet.placeOf(0, text), rows: 2, columns: 1 });
    const read = await sheet.read();
    expect(read.map((row) => row.of(text)).slice(0, 2)).toEqual([{ value: '0100' }, undefined]);
  });

  it('are not read while a cell is being edited, which is said', async () => {
    const sheet = await openSheetToFill(view, 1);
    const handle = await sheet.handle();
    sheet.excel.workbook.editing = true;
    const said: unknown[] = [];
    const waiting = readTable(handle, {
      options: retryOptions({ initialBackoffMs: 1 }),
      onWaiting(reason) {
        said.push(reason);
        sheet.excel.workbook.editing = false;
      },
    });
    expect((await waiting).length).toBeGreaterThan(0);
    expect(said).toEqual(['CELL_BEING_EDITED', undefined]);
  });
});

const inSheet = (sheet: SheetToFill, work: (worksheet: Excel.Worksheet) => void): Promise<void> =>
  Excel.run(async (context) => {
    work(context.workbook.worksheets.getItem(sheet.sheet().name));
    await context.sync();
  });
