/**
 * Pasted numbers as decimal text, in Dutch or English form: `12,50`, `1.250,00`, `€ 12.50`, `1 250`. Whether a comma
 * or a point separates the decimals is decided by the numbers that can only be read in one way, for all of them.
 * @returns undefined for a text that is no number, or that can be read in two ways, such as 1.250 alone
 */
export function readPastedNumbers(texts: readonly string[]): (string | undefined)[] {
  const plain = texts.map(withoutCurrency);
  const signs = new Set(plain.flatMap((text) => decimalSignOf(text) ?? []));
  const [only] = signs.size === 1 ? signs : [];
  return plain.map((text) => readNumber(text, decimalSignOf(text) ?? only));
}

type DecimalSign = ',' | '.';

/** Without spaces and a currency before or after the number. */
const withoutCurrency = (text: string): string =>
  text.replace(/[\s\u00a0\u202f]+/g, '').replace(/^(-?)(?:€|EUR)|(?:€|EUR)$/gi, '$1');

/** The sign before the decimals of a number; undefined where it could also separate thousands, or where there is none. */
function decimalSignOf(text: string): DecimalSign | undefined {
  const marks = text.replace(/[^.,]/g, '');
  const last = marks.at(-1) as DecimalSign | undefined;
  if (last === undefined) return undefined;
  // With both signs the last one is before the decimals; one that is repeated separates thousands.
  if (new Set(marks).size === 2) return last;
  if (marks.length > 1) return last === ',' ? '.' : ',';
  return /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? undefined : last;
}

function readNumber(text: string, decimalSign: DecimalSign | undefined): string | undefined {
  if (/^[+-]?\d+$/.test(text)) return text.replace('+', '');
  if (decimalSign === undefined) return undefined;
  const [decimals, thousands] = decimalSign === ',' ? [',', '\\.'] : ['\\.', ','];
  const form = new RegExp(`^[+-]?(?:\\d+|\\d{1,3}(?:${thousands}\\d{3})+)(?:${decimals}\\d+)?$`);
  if (!form.test(text)) return undefined;
  return text
    .replace('+', '')
    .replaceAll(decimalSign === ',' ? '.' : ',', '')
    .replace(',', '.');
}
