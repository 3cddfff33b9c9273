import { describe, expect, it } from 'vitest';
import { readProductRows } from '../../../testing/addin/productRows.ts';
import type { Cell } from '../../excel/cell.ts';
import { type CellNature, natureOf } from '../../excel/cellNature.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { messagesOf } from '../locales/messages.ts';
import type { Language } from '../locales/words.ts';
import { explainUnusual, priceDoubts } from './unusualPrice.ts';

describe('A new price', () => {
  it.each([
    ['12.5', '10', []],
    ['10', '10', []],
    ['99.99', '10', []],
    ['100', '10', ['tenfold']],
    ['1250', '12.5', ['tenfold']],
    ['11.00000001', '1.1', ['tenfold']],
    ['1.01', '10', []],
    ['1', '10', ['tenth']],
    ['0.5', '0.4', []],
    ['0.11', '1.1', ['likePercentage', 'tenth']],
    ['0', '10', ['zero']],
    ['0', '0', []],
    ['500', '0', []],
    ['46387', '12.5', ['likeDate', 'tenfold']],
    ['46387', '45000', []],
    ['46387.3888888889', '12.5', ['likeDate', 'tenfold']],
    ['40000.5', '12.5', ['tenfold']],
    ['0.388888888888889', '12.5', ['likeTime', 'tenth']],
    ['0.15', '12.5', ['likePercentage', 'tenth']],
    ['1e-7', '12.5', ['likeTime', 'tenth']],
  ])('of %s in place of %s is doubted for %j', (value, present, doubts) => {
    expect(priceDoubts(value, 'number', present)).toEqual(doubts);
  });

  it.each([
    ['12.5', []],
    ['1', []],
    ['36525', []],
    ['36526', ['likeDate']],
    ['73050', ['likeDate']],
    ['73051', []],
    ['46387.25', []],
    ['0', ['zero']],
    ['0.15', ['likePercentage']],
    ['0.388888888888889', ['likeTime']],
  ])('of %s without a present price is doubted for %j', (value, doubts) => {
    expect(priceDoubts(value, 'number', undefined)).toEqual(doubts);
  });

  it.each(['date', 'time', 'percentage'] as const)('in a cell with the format of a %s is always doubted', (nature) => {
    expect(priceDoubts('12.5', nature, '12.5')).toEqual([nature]);
  });
});

const rowWith = (cells: Record<string, Cell>, natures: Record<string, CellNature>): TableRow => ({
  number: 2,
  cells: new Map(Object.entries({ ArticleNumber: 'A1', ...cells })),
  natures: new Map(Object.entries(natures)),
  addressOf: (key) => key,
  hidden: false,
});

/** Why the prices of a row are held back, in words. */
const explained = (cells: Record<string, Cell>, language: Language = 'en', format = '#,##0.00######') => {
  const natures = { NewSalePrice: natureOf(cells.NewSalePrice ?? '', format) };
  const [row] = readProductRows([rowWith(cells, natures)], 'Relative', messagesOf[language]);
  if (row?.kind !== 'ready') throw new Error(JSON.stringify(row));
  return explainUnusual(row.unusual, messagesOf[language]);
};

describe('A row with unusual prices', () => {
  it.each([
    [46_387, 'dd-mm-yyyy', 'New sale price 46,387.00: the cell is formatted as a date, 31-12-2026'],
    [0.3888888888888889, 'h:mm', 'New sale price 0.38888889: the cell is formatted as a time, 09:20'],
    [0.125, '0.0%', 'New sale price 0.125: the cell is formatted as a percentage, 12.5%'],
    [0.15, '#,##0.00', 'New sale price 0.15: looks like 15%; a tenth of the present price of 12.50, or less'],
    ['0,15', '@', 'New sale price 0.15: looks like 15%; a tenth of the present price of 12.50, or less'],
    [0, '#,##0.00', 'New sale price 0.00: the price becomes 0'],
    ['125,00', '@', 'New sale price 125.00: ten times the present price of 12.50, or more'],
    // More days than any calendar has.
    [8710400013, '#,##0.00', 'New sale price 8,710,400,013.00: ten times the present price of 12.50, or more'],
    [8710400013, 'dd-mm-yyyy', 'New sale price 8,710,400,013.00: the cell is formatted as a date, 8710400013'],
    ['13,00', '@', ''],
  ])('says what %j with the format %s may be', (NewSalePrice, format, text) => {
    expect(explained({ NewSalePrice, Price: 12.5 }, 'en', format)).toBe(text);
  });

  it('says so in Dutch', () => {
    expect(explained({ NewSalePrice: 46_387, Price: 2.95 }, 'nl')).toBe(
      'Nieuwe verkoopprijs 46.387,00: lijkt de datum 31-12-2026; tien keer de huidige prijs van 2,95, of meer',
    );
    expect(explained({ NewSalePrice: 0.125 }, 'nl')).toBe('Nieuwe verkoopprijs 0,125: lijkt 12,5%');
  });

  it('names each of its prices', () => {
    expect(explained({ NewSalePrice: 0, NewPurchasePrice: '0,00', Price: 'unknown' })).toBe(
      'New sale price 0.00: the price becomes 0; New purchase price 0.00: the price becomes 0',
    );
  });
});
