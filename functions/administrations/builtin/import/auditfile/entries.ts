import { abs, DECIMAL_SCALE, divide, HUNDRED, units } from '../../../../../shared/money.ts';
import { journalKinds } from '../../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { NewEntry } from '../../ledger/storeEntries.ts';
import type { Cents, Seconds } from '../../sql/schema.ts';
import type { KeptEntry, KeptLine } from './keptEntries.ts';
import { centsOf } from './transactions.ts';
import type { StoredCodes } from './vatCodes.ts';

/** An entry of the file, and the line on which it begins. */
export type FileEntry = NewEntry & { line: number };

/** What the lines of a file refer to, as it is stored. */
export type Stored = { relations: ReadonlyMap<string, bigint>; codes: StoredCodes; now: Seconds };

/** The type of each journal in a file; any other type is a memorial. */
export const journalTypes = {
  sales: 'S',
  purchases: 'P',
  bank: 'B',
  cash: 'C',
  memorial: 'M',
} as const satisfies Record<NewEntry['journal'], string>;
const kindOfJournal = new Map<string, NewEntry['journal']>(journalKinds.map((kind) => [journalTypes[kind], kind]));

/** The entry to store. */
export function entryOf({ line, journalType, nr, date, description, lines }: KeptEntry, stored: Stored): FileEntry {
  const journal = kindOfJournal.get(journalType) ?? 'memorial';
  return {
    line,
    journal,
    entry_number: isGiven(nr) ? '' : nr,
    date,
    description,
    is_imported: 1n,
    created_on: stored.now,
    lines: withBases(
      lines.map((one) => lineOf(one, nr, journal, stored)),
      lines,
      stored,
    ),
  };
}

/** Whether a number such as #12 was given to an entry without one when it was written. */
const isGiven = (nr: string): boolean => /^#\d+$/.test(nr);

/**
 * The document of a line. A `docRef` where there is none is the number of the entry, which is that of an invoice in
 * journals of invoices only.
 */
function documentOf(invRef: string, docRef: string, nr: string, kind: NewEntry['journal']): string {
  if (!isGiven(nr) && (kind === 'sales' || kind === 'purchases')) return invRef || docRef || nr;
  return invRef || (docRef === nr ? '' : docRef);
}

function lineOf({ texts, vat }: KeptLine, nr: string, kind: NewEntry['journal'], { relations, codes }: Stored) {
  const [accID, amnt, amntTp, custSupID, invRef, docRef, cost, costID, desc] = texts;
  const [vatID, vatPerc, vatAmnt, vatAmntTp] = vat ?? ['', '', '', ''];
  const amount = signed(amnt, amntTp);
  const byPercentage = codes.get(vatID);
  const tax = signed(vatAmnt, vatAmntTp);
  const code = byPercentage?.get(percentageOf(vatPerc)) ?? byPercentage?.values().next().value;
  return {
    ledger_account_number: accID,
    amount,
    relation_id: relations.get(custSupID) ?? null,
    document: documentOf(invRef, docRef, nr, kind),
    cost_center: cost || costID,
    description: desc,
    ...(code === undefined
      ? { tax_code: '', tax_base: 0n, tax_amount: 0n }
      : { tax_code: code, tax_base: baseOf(amount, tax, percentageOf(vatPerc)), tax_amount: tax }),
  };
}

/**
 * What was taxed on a line: nothing on a line of tax, and else its amount; or what is left of that without the tax where
 * that is what the tax is a percentage of, as VAT that may not be deducted is a part of the cost.
 */
function baseOf(amount: Cents, tax: Cents, percentage: bigint): Cents {
  if (tax === amount) return 0n;
  const isTaxOf = (base: Cents) => abs(divide(base * percentage, HUNDRED) - tax) <= 1n;
  return percentage > 0n && !isTaxOf(amount) && isTaxOf(amount - tax) ? amount - tax : amount;
}

/**
 * A line of tax has no base in the file; by its tax code it gets one. Where its percentage is not that of the code, as in
 * a year in which a rate changes, its base follows from its own percentage; so do those of the code in the same entry.
 */
function withBases(
  lines: ReturnType<typeof lineOf>[],
  kept: readonly KeptLine[],
  { codes }: Pick<Stored, 'codes'>,
): ReturnType<typeof lineOf>[] {
  const percentages = kept.map(({ vat }) => (vat === undefined ? -1n : percentageOf(vat[1])));
  const isTaxWith = (index: number): boolean => {
    const { tax_code, amount, tax_amount } = lines[index]!;
    return tax_code !== '' && amount !== 0n && amount === tax_amount && percentages[index]! > 0n;
  };
  const changed = new Set(
    lines.flatMap(({ tax_code }, index) =>
      isTaxWith(index) && !codes.get(kept[index]!.vat![0])!.has(percentages[index]!) ? tax_code : [],
    ),
  );
  if (changed.size === 0) return lines;
  return lines.map((line, index) =>
    changed.has(line.tax_code) && isTaxWith(index)
      ? { ...line, tax_base: divide(line.tax_amount * HUNDRED, percentages[index]!) }
      : line,
  );
}

/** An amount of the file: debit is positive; 0 for one that is no amount. */
function signed(amount: string, side: string): Cents {
  const cents = centsOf(amount) ?? 0n;
  return side === 'C' ? -cents : cents;
}

const percentageOf = (text: string): bigint => (/^\d+(\.\d*)?$/.test(text) ? units(text, DECIMAL_SCALE) : -1n);
