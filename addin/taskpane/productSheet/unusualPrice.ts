import { DECIMAL_SCALE, decimalText, ONE, units } from '../../../shared/money.ts';
import { timeOfSerial } from '../../../shared/spreadsheet.ts';
import { decimalsOf, readDecimal } from '../../../shared/wire/decimal.ts';
import type { CellNature } from '../../excel/cellNature.ts';
import type { Messages } from '../locales/en.ts';
import type { PriceField } from '../sheetColumns/productTable.ts';

/**
 * Why a new price may be a mistake. `date`, `time` and `percentage`: its cell is formatted so. `like...`: its cell has a
 * number that such an entry becomes in a cell with the format of a price.
 */
type PriceDoubt = Exclude<keyof Messages['priceDoubts'], 'of'>;

/** A new price that is held back until the user allows it. */
export type UnusualPrice = {
  field: PriceField;
  /** Decimal text. */
  value: string;
  /** The present price, if the sheet has it. */
  present: string | undefined;
  doubts: readonly PriceDoubt[];
};

/** The factor by which a price may differ from the present one. */
const MAX_FACTOR = 10n;

/** The first and the last day of this century as serial numbers: entered dates are nearly always between them. */
const [FIRST_DATE, LAST_DATE] = [36_526, 73_050];

/** A part of a day, such as 9:20, has many decimals; prices have hardly more than these. */
const MAX_PRICE_DECIMALS = 4;

/**
 * The doubts about a new price; none for a usual one.
 * @param value decimal text, not negative
 * @param nature of its cell @param present the present price as decimal text, if it is known
 */
export function priceDoubts(value: string, nature: CellNature | undefined, present: string | undefined): PriceDoubt[] {
  if (nature === 'date' || nature === 'time' || nature === 'percentage') return [nature];
  const plain = readDecimal(value) ?? '0';
  const [price, before] = [units(plain, DECIMAL_SCALE), units(readDecimal(present) ?? '0', DECIMAL_SCALE)];
  if (present !== undefined && price === before) return [];
  if (price === 0n) return ['zero'];
  if (before === 0n) return looksOf(plain, price);
  if (price >= before * MAX_FACTOR) return [...looksOf(plain, price), 'tenfold'];
  return price * MAX_FACTOR <= before ? [...looksOf(plain, price), 'tenth'] : [];
}

/** What else an amount looks like. */
function looksOf(value: string, price: bigint): PriceDoubt[] {
  const day = Math.floor(Number(value));
  const isPartOfDay = decimalsOf(value) > MAX_PRICE_DECIMALS;
  if (day >= FIRST_DATE && day <= LAST_DATE && (decimalsOf(value) === 0 || isPartOfDay)) return ['likeDate'];
  if (price >= ONE) return [];
  return [isPartOfDay ? 'likeTime' : 'likePercentage'];
}

/** The unusual prices of a row in words: `New sale price 46,387.00: looks like the date 31-12-2026`. */
export const explainUnusual = (unusual: readonly UnusualPrice[], { headings, priceDoubts }: Messages): string =>
  unusual
    .map(({ field, value, present = '', doubts }) => {
      // An EAN that was pasted as a price is no day of any calendar.
      const time = timeOfSerial(Number(value));
      const at = time === undefined ? value : new Date(time).toISOString();
      const facts = {
        date: time === undefined ? value : at.slice(0, 10).split('-').reverse().join('-'),
        time: at.slice(11, 16),
        percentage: decimalText(units(readDecimal(value) ?? '0', DECIMAL_SCALE) * 100n, DECIMAL_SCALE),
        present,
      };
      const reasons = doubts.map((doubt) => priceDoubts[doubt](facts)).join('; ');
      return priceDoubts.of(headings.products[field], value, reasons);
    })
    .join('; ');
