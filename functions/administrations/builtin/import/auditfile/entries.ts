import { DECIMAL_SCALE, units } from '../../../../../shared/money.ts';
import { journalKinds } from '../../../../../shared/resources/generalLedger/ledgerEntry.ts';
import { UnreadableFile } from '../../files/source.ts';
import type { NewEntry } from '../../ledger/storeEntries.ts';
import type { Cents, Seconds } from '../../sql/schema.ts';
import { type Container, recordReader, textOf, type XmlRecord } from './records.ts';
import { centsOf } from './transactions.ts';
import type { StoredCodes } from './vatCodes.ts';
import { type Encoding, type Files, type OnRead, readXml } from './xml.ts';

/** An entry of the file, and the line on which it begins. */
export type FileEntry = NewEntry & { line: number };

/** A file that was checked. */
export type Source = { file: Files; encoding: Encoding; onRead: OnRead | undefined };

/** What the lines of a file refer to, as it is stored. */
export type Stored = { relations: ReadonlyMap<string, bigint>; codes: StoredCodes; now: Seconds };

/** Lines of one entry, which are held in memory together. */
const MAX_LINES = 100_000;

/** The type of each journal in a file; any other type is a memorial. */
export const journalTypes = {
  sales: 'S',
  purchases: 'P',
  bank: 'B',
  cash: 'C',
  memorial: 'M',
} as const satisfies Record<NewEntry['journal'], string>;
const kindOfJournal = new Map<string, NewEntry['journal']>(journalKinds.map((kind) => [journalTypes[kind], kind]));

/** The entries of a file that was checked, in its order, in batches as they are read. */
export async function* readEntries({ file, encoding, onRead }: Source, stored: Stored): AsyncGenerator<FileEntry[]> {
  let entries: FileEntry[] = [];
  let lines: XmlRecord[] = [];
  const reader = recordReader({
    record: (name, record, within) => {
      if (name !== 'trLine' || within.at(-1)?.element !== 'transaction') return;
      if (lines.length === MAX_LINES) {
        throw new UnreadableFile(
          record.line,
          `expected at most ${MAX_LINES.toLocaleString('en')} lines in a transaction`,
        );
      }
      lines.push(record);
    },
    container: (container, within) => {
      if (container.element !== 'transaction') return;
      entries.push(entryOf(container, within.at(-1), lines, stored));
      lines = [];
    },
  });
  for await (const events of readXml(file, encoding, onRead)) {
    for (const event of events) reader.take(event);
    yield entries;
    entries = [];
  }
}

function entryOf(
  transaction: Container,
  journal: Container | undefined,
  lines: readonly XmlRecord[],
  stored: Stored,
): FileEntry {
  const nr = textOf(transaction, 'nr');
  const kind = kindOfJournal.get(journal === undefined ? '' : textOf(journal, 'jrnTp')) ?? 'memorial';
  return {
    line: transaction.line,
    journal: kind,
    entry_number: isGiven(nr) ? '' : nr,
    date: textOf(transaction, 'trDt'),
    description: textOf(transaction, 'desc'),
    is_imported: 1n,
    created_on: stored.now,
    lines: lines.map((line) => lineOf(line, nr, kind, stored)),
  };
}

/** Whether a number such as #12 was given to an entry without one when it was written. */
const isGiven = (nr: string): boolean => /^#\d+$/.test(nr);

/** The document of a line. Where one is missing the number of the entry stands, which is that of an invoice. */
function documentOf(given: string, nr: string, kind: NewEntry['journal']): string {
  if (!isGiven(nr) && (kind === 'sales' || kind === 'purchases')) return given || nr;
  return given === nr ? '' : given;
}

function lineOf(line: XmlRecord, nr: string, kind: NewEntry['journal'], { relations, codes }: Stored) {
  const text = (element: string) => textOf(line, element);
  const amount = signed(text('amnt'), text('amntTp'));
  const vat = line.parts.find(({ name }) => name === 'vat')?.values;
  const byPercentage = codes.get(vat?.get('vatID') ?? '');
  const tax = signed(vat?.get('vatAmnt') ?? '', vat?.get('vatAmntTp') ?? '');
  const code = byPercentage?.get(percentageOf(vat?.get('vatPerc') ?? '')) ?? byPercentage?.values().next().value;
  return {
    ledger_account_number: text('accID'),
    amount,
    relation_id: relations.get(text('custSupID')) ?? null,
    document: documentOf(text('invRef') || text('docRef'), nr, kind),
    cost_center: text('cost') || text('costID'),
    description: text('desc'),
    ...(code === undefined
      ? { tax_code: '', tax_base: 0n, tax_amount: 0n }
      : { tax_code: code, tax_base: tax === amount ? 0n : amount, tax_amount: tax }),
  };
}

/** An amount of the file: debit is positive; 0 for one that is no amount. */
function signed(amount: string, side: string): Cents {
  const cents = centsOf(amount) ?? 0n;
  return side === 'C' ? -cents : cents;
}

const percentageOf = (text: string): bigint => (/^\d+(\.\d*)?$/.test(text) ? units(text, DECIMAL_SCALE) : -1n);
