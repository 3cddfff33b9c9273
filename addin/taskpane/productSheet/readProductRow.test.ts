import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProductRows } from '../../../testing/addin/productRows.ts';
import type { Cell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { messagesOf } from '../locales/messages.ts';
import type { Language } from '../locales/words.ts';
import type { ProductColumn, StockMode } from '../sheetColumns/productTable.ts';

type Cells = Partial<Record<ProductColumn, Cell>>;

const rowsOf = (...rows: Cells[]): TableRow[] =>
  rows.map((cells, index) => ({
    number: index + 2,
    cells: new Map(Object.entries(cells)),
    natures: new Map(),
    addressOf: (key) => key,
    hidden: false,
  }));

const read = (cells: Cells, mode: StockMode = 'Relative', language: Language = 'en') =>
  readProductRows(rowsOf(cells), mode, messagesOf[language])[0]!;

const product = { ArticleNumber: 'A1' };

describe('A row of a new product', () => {
  const chair = { ...product, NewProduct: 'Yes', NewName: 'Chair', CategoryName: 'Wood' };

  it('has all that it will have, by a word in either language', () => {
    for (const word of ['Yes', 'ja', true]) {
      const one = read({ ...chair, NewProduct: word, EAN: '8710400000013', NewSalePrice: 12.5, NewStockQty: 3 });
      expect(one).toMatchObject({ kind: 'ready', newProduct: word, mode: 'Relative' });
      expect('update' in one && one.update).toEqual({
        ArticleNumber: 'A1',
        EAN: '8710400000013',
        NewName: 'Chair',
        CategoryName: 'Wood',
        NewSalePrice: '12.5',
        NewStockQty: '3',
        StockUpdateMode: 'Relative',
      });
    }
  });

  it('needs an article number, a name and a category, each named by its heading', () => {
    const messageOf = (cells: Cells) => {
      const row = read(cells);
      return row.kind === 'bad' ? row.message : row.kind;
    };
    expect(messageOf({ ...product, NewProduct: 'Yes' })).toMatch(
      /^New name \(NewName\): .+; Category \(CategoryName\): /,
    );
    expect(messageOf({ ...chair, CategoryName: '' })).toMatch(/^Category \(CategoryName\): [^;]+$/);
    expect(messageOf({ ...chair, ArticleNumber: '', EAN: '8710400000013' })).toMatch(
      /^Article number \(ArticleNumber\): [^;]+$/,
    );
    expect(messageOf({ NewProduct: 'Yes' })).toBe('Fill in an article number or an EAN.');
    expect(messageOf({ ...chair, NewProduct: 'maybe' })).toBe(
      'New product (NewProduct): expected Yes or No, found “maybe”',
    );
  });

  it('is refused by the name of a column that somebody deleted', () => {
    const [row] = rowsOf({ ...product, NewProduct: 'Yes', NewName: 'Chair' });
    const addressOf = (key: string) => (key === 'CategoryName' ? undefined : key);
    const [one] = readProductRows([{ ...row!, addressOf }], 'Relative', messagesOf.en);
    expect(one).toMatchObject({ message: `${messagesOf.en.problems.workbook.COLUMN_GONE}: Category` });
  });

  it('is a change of an existing product with No, or without a word', () => {
    for (const NewProduct of ['No', 'nee', '']) {
      const row = read({ ...chair, NewProduct });
      expect(row).toMatchObject({ kind: 'ready', update: { NewName: 'Chair', CategoryName: 'Wood' } });
      expect(row).not.toHaveProperty('newProduct');
    }
    expect(read({ ...product, NewProduct: 'No' })).toMatchObject({ kind: 'unchanged' });
  });

  it('and a change of the same product are both refused', () => {
    const rows = readProductRows(rowsOf(chair, { ...product, NewSalePrice: 2 }), 'Relative', messagesOf.en);
    expect(rows.map(({ kind }) => kind)).toEqual(['bad', 'bad']);
  });
});

describe('A row of a product sheet', () => {
  it('is sent with its filled cells only', () => {
    expect(read({ ...product, NewSalePrice: 12.5, NewName: '', StockUpdateMode: 'Relative' })).toMatchObject({
      kind: 'ready',
      update: { ArticleNumber: 'A1', NewSalePrice: '12.5' },
      mode: null,
    });
  });

  it('adds or sets its stock quantity by a word in either language', () => {
    const update = (word: string) => read({ ...product, NewStockQty: 5, StockUpdateMode: word });
    for (const word of ['Relative', 'relatief', ' RELATIVE ']) expect(update(word)).toMatchObject({ mode: 'Relative' });
    for (const word of ['Absolute', 'Absoluut']) {
      expect(update(word)).toMatchObject({
        mode: 'Absolute',
        update: { StockUpdateMode: 'Absolute', NewStockQty: '5' },
      });
    }
    expect(update('Add')).toEqual({
      number: 2,
      key: 'A1 ',
      hidden: false,
      kind: 'bad',
      message: 'Stock change (StockUpdateMode): expected Relative or Absolute, found “Add”',
      isUnconfirmed: false,
    });
  });

  it('without a stock mode has the default mode of the pane', () => {
    expect(read({ ...product, NewStockQty: 5 }, 'Absolute')).toMatchObject({ mode: 'Absolute' });
    expect(read({ ...product, NewStockQty: 5 }, 'Relative')).toMatchObject({ mode: 'Relative' });
  });

  it('reads numbers as Excel shows them, to 15 digits', () => {
    expect(read({ ...product, NewSalePrice: 0.1 + 0.2 })).toMatchObject({ update: { NewSalePrice: '0.3' } });
    expect(read({ ...product, NewSalePrice: 1.1 * 3 })).toMatchObject({ update: { NewSalePrice: '3.3' } });
  });

  it('sends exactly the typed amount', () => {
    const cents = fc.integer({ min: -999_999_999, max: 999_999_999 });
    fc.assert(
      fc.property(cents, (amount) => {
        const sent = (column: 'NewSalePrice' | 'NewStockQty', value: number) => {
          const row = read({ ...product, [column]: value / 100 });
          if (row.kind !== 'ready') throw new Error(row.kind);
          expect(Math.round(Number(row.update[column]) * 100)).toBe(value);
          expect(String(row.update[column])).toMatch(/^-?\d+(\.\d{1,2})?$/);
        };
        sent('NewStockQty', amount);
        sent('NewSalePrice', Math.abs(amount));
      }),
    );
  });

  it.each([
    ['12,50', '12.50'],
    ['12.50', '12.50'],
    ['-3,5', '-3.5'],
    ['1234,567', '1234.567'],
    ['0,125', '0.125'],
    [' 7 ', '7'],
  ])('reads the text %j as %s', (text, value) => {
    expect(read({ ...product, NewStockQty: text })).toMatchObject({ update: { NewStockQty: value } });
    const price = { kind: 'ready', update: { NewSalePrice: value } };
    expect(read({ ...product, NewSalePrice: text })).toMatchObject(value.startsWith('-') ? { kind: 'bad' } : price);
  });

  it.each(['NewSalePrice', 'NewPurchasePrice', 'NewVATPercentage'] as const)('refuses a %s below zero', (column) => {
    for (const value of [-0.01, '-1', '-0,5']) {
      expect(read({ ...product, [column]: value })).toMatchObject({ message: expect.stringContaining('less than 0') });
    }
    expect(read({ ...product, [column]: 0 })).toMatchObject({ kind: 'ready' });
  });

  it.each(['date', 'time', 'percentage', 'boolean'] as const)(
    'refuses a %s as a number, with the address of the cell',
    (nature) => {
      const [row] = rowsOf({ ...product, NewStockQty: 46387, NewName: 'x' });
      const natures = new Map([
        ['NewStockQty', nature],
        ['NewName', nature],
      ]);
      const [read] = readProductRows([{ ...row!, natures, addressOf: () => 'D2' }], 'Relative', messagesOf.en);
      expect(read).toMatchObject({
        kind: 'bad',
        message: expect.stringMatching(/^Stock quantity \(D2\): the cell (?!.*New name)/),
      });
    },
  );

  it('refuses a boolean as a number', () => {
    expect(read({ ...product, NewStockQty: true })).toMatchObject({ message: expect.stringContaining('“true”') });
  });

  it.each([
    ['NewSalePrice', '1.250', 'New sale price (NewSalePrice): “1.250” can be read in two ways; type it as a number'],
    ['NewSalePrice', '1,250', 'New sale price (NewSalePrice): “1,250” can be read in two ways; type it as a number'],
    ['NewSalePrice', 'abc', 'New sale price (NewSalePrice): expected a number such as 12.50, found “abc”'],
    ['NewSalePrice', '€ 12', 'New sale price (NewSalePrice): expected a number such as 12.50, found “€ 12”'],
    ['NewSalePrice', 12_345_678_901, 'New sale price (NewSalePrice): at most 10 digits before the decimals'],
    ['NewStockQty', true, 'Stock quantity (NewStockQty): expected a number such as 12.50, found “true”'],
    ['NewStockQty', '#DIV/0!', 'Stock quantity (NewStockQty): the formula returns #DIV/0!; correct it or type a value'],
    ['NewName', '#N/A', 'New name (NewName): the formula returns #N/A; correct it or type a value'],
    ['NewDescription', 'x'.repeat(401), 'New description (NewDescription): at most 400 characters, there are 401'],
    ['NewName', 'a\u0000b', 'New name (NewName): contains a character that cannot be sent'],
    ['Archived', 'perhaps', 'Archived (Archived): expected Yes or No, found “perhaps”'],
  ] as const)('with %s %j is refused with a message', (column, cell, message) => {
    expect(read({ ...product, [column]: cell })).toMatchObject({ kind: 'bad', message });
  });

  it('is refused with a message in Dutch', () => {
    const message = (cells: Cells) => read({ ...product, ...cells }, 'Relative', 'nl');
    expect(message({ NewSalePrice: 'abc' })).toMatchObject({
      message: 'Nieuwe verkoopprijs (NewSalePrice): verwacht een getal zoals 12,50, er staat “abc”',
    });
    expect(message({ NewSalePrice: 1e11, NewDescription: 'x'.repeat(500) })).toMatchObject({
      message:
        'Nieuwe verkoopprijs (NewSalePrice): hoogstens 10 cijfers voor de decimalen; Nieuwe omschrijving (NewDescription): hoogstens 400 tekens, het zijn er 500',
    });
  });

  it('is refused with all of its errors', () => {
    expect(read({ ...product, NewSalePrice: 'x', NewStockQty: 'y' })).toMatchObject({
      message:
        'New sale price (NewSalePrice): expected a number such as 12.50, found “x”; Stock quantity (NewStockQty): expected a number such as 12.50, found “y”',
    });
  });

  it('keeps the zeros of an article number, and reads a number cell as digits', () => {
    expect(read({ ArticleNumber: '0123', NewSalePrice: 1 })).toMatchObject({ update: { ArticleNumber: '0123' } });
    expect(read({ EAN: 8712345678901, NewSalePrice: 1 })).toMatchObject({ update: { EAN: '8712345678901' } });
    expect(read({ ArticleNumber: 12_345_678_901_234_568, NewSalePrice: 1 })).toMatchObject({
      kind: 'bad',
      message: 'Article number (ArticleNumber): the number has lost digits; format the cell as text and type it again',
    });
  });

  it('without a product is refused', () => {
    expect(read({ NewSalePrice: 5 })).toMatchObject({ kind: 'bad', message: messagesOf.en.cell.noProduct });
  });

  it('without changes is not sent', () => {
    expect(read({ ...product, StockUpdateMode: 'Relative', Status: 'Applied', Message: 'x', Price: 3 }).kind).toBe(
      'unchanged',
    );
    expect(read({ StockUpdateMode: 'Relative' }).kind).toBe('blank');
    expect(read({}).kind).toBe('blank');
  });

  it('archives or restores a product by a word in either language', () => {
    for (const [cell, Archived] of [
      ['Yes', true],
      ['Ja', true],
      [true, true],
      ['No', false],
      ['nee', false],
      [false, false],
    ] as const) {
      expect(read({ ...product, Archived: cell })).toMatchObject({ update: { Archived } });
    }
  });

  it('whose outcome is unknown is held back if it adds, and ready if it sets', () => {
    const unknown = { ...product, NewStockQty: 5, Status: 'Unknown' };
    expect(read({ ...unknown, StockUpdateMode: 'Relative' }).kind).toBe('held');
    expect(read({ ...unknown, Status: 'Onbekend' }).kind).toBe('held');
    expect(read({ ...unknown, StockUpdateMode: 'Absolute' }).kind).toBe('ready');
    expect(read({ ...unknown, Status: '' }).kind).toBe('ready');
  });
});

describe('Two rows for the same product', () => {
  const price = { NewSalePrice: 1 };

  it('are both refused with the numbers of both', () => {
    const rows = readProductRows(
      rowsOf(
        { ArticleNumber: 'A1', ...price },
        { ArticleNumber: 'A2', ...price },
        { ArticleNumber: ' A1', ...price },
        { EAN: '871', ArticleNumber: 'A3', ...price },
        { EAN: '871', ...price },
      ),
      'Relative',
      messagesOf.en,
    );
    expect(rows.map((row) => (row.kind === 'bad' ? row.message : row.kind))).toEqual([
      'Rows 2 and 4 are for the same product. Keep one of them.',
      'ready',
      'Rows 2 and 4 are for the same product. Keep one of them.',
      'Rows 5 and 6 are for the same product. Keep one of them.',
      'Rows 5 and 6 are for the same product. Keep one of them.',
    ]);
  });
});
