import { describe, expect, it } from 'vitest';
import { messagesOf } from '../locales/messages.ts';
import { readPastedNumbers } from './pastedNumbers.ts';
import { explainPaste, readPasted, rowsFromPasted, withNumbers } from './pastedRows.ts';

describe('Pasted numbers', () => {
  it.each([
    [['12,50'], ['12.50']],
    [['12.50'], ['12.50']],
    [
      ['€ 12,50', '12,50 EUR', '€12.50'],
      ['12.50', '12.50', '12.50'],
    ],
    [['1.250,00'], ['1250.00']],
    [['1,250.00'], ['1250.00']],
    [['1.250.000'], ['1250000']],
    [['1 250,5'], ['1250.5']],
    [
      ['0,125', '0.125'],
      ['0.125', '0.125'],
    ],
    [
      ['-3', '+4', '5'],
      ['-3', '4', '5'],
    ],
    [['1.250'], [undefined]],
    [
      ['1.250', '12,50'],
      ['1250', '12.50'],
    ],
    [
      ['1,250', '12,50'],
      ['1.250', '12.50'],
    ],
    [
      ['1.250', '12.50'],
      ['1.250', '12.50'],
    ],
    [
      ['1.250', '12,50', '12.50'],
      [undefined, '12.50', '12.50'],
    ],
    [
      ['31-12-2026', '15%', 'abc', '1,2,3', '12,'],
      [undefined, undefined, undefined, undefined, undefined],
    ],
  ])('%j are %j', (texts, numbers) => {
    expect(readPastedNumbers(texts)).toEqual(numbers);
  });
});

describe('Article numbers that are added to pasted text', () => {
  it.each([
    ['', []],
    ['A1', ['A1']],
    ['A1\nA2\n', ['A1', 'A2']],
    ['A1;A2; A3', ['A1', 'A2', 'A3']],
    ['A1\tA2', ['A1', 'A2']],
    ['A1\t12,50\nA2\t3,00', ['A1', 'A2']],
    ['\tA1\t12,50\n\tA2\t3,00', ['A1', 'A2']],
    ['12,50;;A1\n3,00;;A2', ['A1', 'A2']],
  ])('come below those of %j', (text, numbers) => {
    const { guesses } = readPasted(text);
    const pasted = readPasted(withNumbers(text, guesses, ['B1', 'B2']));
    expect(pasted.guesses).toEqual(numbers.length === 0 ? ['ArticleNumber'] : guesses);
    const { values, problems } = rowsFromPasted(pasted, pasted.guesses);
    expect(values.map(({ ArticleNumber }) => ArticleNumber)).toEqual([...numbers, 'B1', 'B2']);
    expect(problems).toEqual([]);
  });
});

describe('Pasted text', () => {
  it.each([
    ['', [], []],
    ['A1', [['A1']], ['ArticleNumber']],
    ['A1\nA2\n\n', [['A1'], ['A2']], ['ArticleNumber']],
    ['A1\r\n\r\nA3', [['A1'], [''], ['A3']], ['ArticleNumber']],
    ['A1;A2; A3 ', [['A1'], ['A2'], ['A3']], ['ArticleNumber']],
    ['0100\t12,50', [['0100', '12,50']], ['ArticleNumber', 'NewSalePrice']],
    [
      '0100;12.50\n0200;3',
      [
        ['0100', '12.50'],
        ['0200', '3'],
      ],
      ['ArticleNumber', 'NewSalePrice'],
    ],
    [
      '12,50\t0100\n3\t0200',
      [
        ['12,50', '0100'],
        ['3', '0200'],
      ],
      ['NewSalePrice', 'ArticleNumber'],
    ],
    [
      'A1\t12,50\t5\nA2\t13,00\t6',
      [
        ['A1', '12,50', '5'],
        ['A2', '13,00', '6'],
      ],
      ['ArticleNumber', 'NewSalePrice', 'unknown'],
    ],
    [
      'A1\t8712345678906\nA2\t8712345678913',
      [
        ['A1', '8712345678906'],
        ['A2', '8712345678913'],
      ],
      ['ArticleNumber', 'EAN'],
    ],
    [
      'A1\t\t5\n\nA3\t\t7',
      [
        ['A1', '5'],
        ['', ''],
        ['A3', '7'],
      ],
      ['ArticleNumber', 'unknown'],
    ],
    [
      'A1\t"Chair ""big"""\nA2\t',
      [
        ['A1', 'Chair "big"'],
        ['A2', ''],
      ],
      ['ArticleNumber', 'unknown'],
    ],
    [
      'A1\t12,50\t"Chair\nwith ""arms"""\r\nA2\t13,00\tTable\n',
      [
        ['A1', '12,50', 'Chair\nwith "arms"'],
        ['A2', '13,00', 'Table'],
      ],
      ['ArticleNumber', 'NewSalePrice', 'unknown'],
    ],
    [
      'A1;"Chair; oak";5\nA2;Table;"',
      [
        ['A1', 'Chair; oak', '5'],
        ['A2', 'Table', '"'],
      ],
      ['ArticleNumber', 'unknown', 'unknown'],
    ],
    [
      'A1\t"big" chair\nA2\t9" nails\nA3\t"oak\nA4\t5"',
      [
        ['A1', '"big" chair'],
        ['A2', '9" nails'],
        ['A3', '"oak'],
        ['A4', '5"'],
      ],
      ['ArticleNumber', 'unknown'],
    ],
    [
      'Artikelnummer\tNieuwe verkoopprijs\tKleur\nA1\t5\trood',
      [['A1', '5', 'rood']],
      ['ArticleNumber', 'NewSalePrice', 'unused'],
    ],
    ['EAN;Stock quantity\n8712345678906;4', [['8712345678906', '4']], ['EAN', 'NewStockQty']],
  ])('%j is read in rows and columns', (text, rows, guesses) => {
    expect(readPasted(text)).toEqual({ rows, guesses });
  });
});

describe('Rows from pasted columns', () => {
  const pasted = readPasted('A1\t12,50\t5\n\nA3\t€ 1.250,00\t');

  it('have each value in its column, and keep blank lines', () => {
    expect(rowsFromPasted(pasted, ['ArticleNumber', 'NewSalePrice', 'NewStockQty'])).toEqual({
      values: [
        { ArticleNumber: 'A1', NewSalePrice: '12.50', NewStockQty: '5' },
        {},
        { ArticleNumber: 'A3', NewSalePrice: '1250.00' },
      ],
      problems: [],
    });
    expect(rowsFromPasted(pasted, ['ArticleNumber', 'unused', 'unused']).values).toEqual([
      { ArticleNumber: 'A1' },
      {},
      { ArticleNumber: 'A3' },
    ]);
  });

  it.each([
    [['ArticleNumber', 'NewSalePrice', 'unknown'], 'Choose what each pasted column is, or “Not used”.'],
    [['unused', 'NewSalePrice', 'unused'], 'Choose the column with the article numbers or the EANs.'],
    [
      ['ArticleNumber', 'NewSalePrice', 'NewSalePrice'],
      'Two columns are chosen as “New sale price”. Keep one of them.',
    ],
    [['NewName', 'ArticleNumber', 'unused'], undefined],
  ] as const)('as %j are refused in words: %s', (choices, text) => {
    expect(explainPaste(rowsFromPasted(pasted, choices).problems, messagesOf.en)).toBe(text);
  });

  it('are refused with the first text that is no number', () => {
    const { problems } = rowsFromPasted(readPasted('A1\t12,50\nA2\t31-12-2026\nA3\t15%'), [
      'ArticleNumber',
      'NewSalePrice',
    ]);
    expect(explainPaste(problems, messagesOf.en)).toBe(
      'New sale price: “31-12-2026” on line 2 is no number, or can be read in two ways, and so is 1 more. Correct it, or leave the column out.',
    );
    expect(explainPaste(problems, messagesOf.nl)).toContain('“31-12-2026” op regel 2 is geen getal');
  });
});
