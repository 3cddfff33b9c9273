import { DECIMAL_SCALE, decimalText, units } from '../../../../../shared/money.ts';
import type { taxTypes } from '../../../../../shared/resources/taxCode.ts';
import type { Report } from '../../files/readRows.ts';
import { taxCodeText } from '../../setup/accountCharts/taxCodes.ts';
import { taxCodesOfAuditfiles } from '../taxCodes.ts';
import type { OpenSink } from './recordSink.ts';
import { lineOf, textOf, type XmlRecord } from './records.ts';

export type VatRecord = {
  record: XmlRecord;
  /** Percentage -> the number of transaction lines with it. */
  uses: Map<bigint, number>;
};

/** Adds a VAT code; a repeated one is reported. */
export function addVatCode(codes: Map<string, VatRecord>, record: XmlRecord, report: Report): void {
  const code = textOf(record, 'vatID');
  if (codes.has(code)) report(lineOf(record, 'vatID'), 'vatID', `expected VAT code ${code} once`);
  codes.set(code, { record, uses: new Map() });
}

const headings = ['TaxPc', 'Name', 'TaxType', 'TaxExempt'];
const elements = { TaxPc: 'vatPerc', Name: 'vatDesc', TaxCode: 'vatID' };

/** The tax codes that a VAT code became, by percentage. */
export type StoredCodes = ReadonlyMap<string, ReadonlyMap<bigint, string>>;

/** Stores tax codes of the VAT codes; returns them, and the VAT codes without a known percentage. */
export async function storeTaxCodes(
  openSink: OpenSink,
  codes: readonly VatRecord[],
  year: number,
): Promise<{ stored: StoredCodes; unknown: string[] }> {
  const sink = await openSink(taxCodesOfAuditfiles, headings, elements);
  const { rows, unknown } = vatRows(codes, year);
  for (const { record, cells } of rows) await sink.add(record, cells);
  await sink.end();
  const stored = new Map<string, Map<bigint, string>>();
  for (const { record, cells } of rows) {
    const [percentage, name] = cells as [string, string];
    const id = textOf(record, 'vatID');
    const byPercentage = stored.get(id) ?? new Map<bigint, string>();
    stored.set(id, byPercentage.set(units(percentage, DECIMAL_SCALE), taxCodeText(percentage, name)));
  }
  return { stored, unknown };
}

/** The rows of tax codes, and the VAT codes without a known percentage. */
function vatRows(
  codes: readonly VatRecord[],
  year: number,
): { rows: { record: XmlRecord; cells: string[] }[]; unknown: string[] } {
  const rows: { record: XmlRecord; cells: string[] }[] = [];
  const unknown: string[] = [];
  const taken = new Set<string>();
  for (const { record, uses } of codes) {
    const text = (element: string) => textOf(record, element);
    const [id, name] = [text('vatID'), text('vatDesc')];
    const toPay = text('vatToPayAccID') !== '';
    const toClaim = text('vatToClaimAccID') !== '';
    const sides: Side[] = [
      ...(toPay || !toClaim ? ['Sales' as const] : []),
      ...(toClaim || !toPay ? ['Purchase' as const] : []),
    ];
    const known = sides.flatMap((side) => {
      const percentage = mostUsed(uses) ?? percentageIn(name, year, side) ?? (toPay || toClaim ? undefined : '0');
      return percentage === undefined
        ? []
        : { side, percentage: percentage.replace(/^0(?=\d)|(?<=\.\d*)0+$|\.0+$/g, '') };
    });
    if (known.length === 0) unknown.push(`${id} ${name}`);
    for (const { side, percentage } of known) {
      const exempt = percentage === '0' && /vrijgesteld|exempt/i.test(name);
      // Two codes may have one name.
      const given = nameIn(name || id, percentage);
      const key = `${side} ${percentage} ${given}`;
      const called = taken.has(key) ? `${given} (${id})` : given;
      taken.add(key);
      rows.push({ record, cells: [percentage, called, side, String(exempt)] });
    }
  }
  return { rows, unknown };
}

/** The name in a text such as `21% - Hoog`, which is how an administration writes its own codes. */
const nameIn = (text: string, percentage: string): string =>
  text.startsWith(`${percentage}% - `) ? text.slice(`${percentage}% - `.length) : text;

/** The percentage of most lines; of equals the highest. */
function mostUsed(uses: ReadonlyMap<bigint, number>): string | undefined {
  const [best] = [...uses].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? 1 : -1));
  return best === undefined ? undefined : decimalText(best[0], DECIMAL_SCALE);
}

type Side = (typeof taxTypes)[number];

/**
 * The percentage in a description: a number, a word for no tax, or high or low as they were in that year. A percentage of
 * reverse-charged sales is that of the buyer.
 */
function percentageIn(name: string, year: number, side: Side): string | undefined {
  if (side === 'Sales' && /verlegd|vrijgesteld/i.test(name)) return '0';
  const ofTax = name.replace(/(?<![\d.,])\d+(?:[.,]\d+)?\s*%\s*(?:niet\s+)?aftrekbaar/gi, '');
  const written = /(?<![\d.,])(\d{1,2}(?:[.,]\d+)?)\s*%/.exec(ofTax)?.[1];
  if (written !== undefined) return written.replace(',', '.');
  if (/verlegd|vrijgesteld|geen btw|buiten de EU|binnen de EU|in de EU|export|uitvoer|invoer|intracomm/i.test(name)) {
    return '0';
  }
  if (/\bhoog/i.test(name)) return year <= 2012 ? '19' : '21';
  if (/\blaag/i.test(name)) return year <= 2018 ? '6' : '9';
  return undefined;
}
