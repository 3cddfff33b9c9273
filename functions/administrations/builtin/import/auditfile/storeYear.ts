import { createHash } from 'node:crypto';
import type { Period } from '../../balances/fiscalYears.ts';
import type { Report } from '../../files/readRows.ts';
import { invoicesOfEntries } from '../../ledger/invoicesOfEntries.ts';
import { costCenterNames } from '../../ledger/ledgerAccounts.ts';
import { linesOfEntries } from '../../ledger/linesOfEntries.ts';
import { removeEntries } from '../../ledger/removeEntries.ts';
import { type NewEntry, storeEntries } from '../../ledger/storeEntries.ts';
import type { Database } from '../../sql/database.ts';
import { pagesOf } from '../../sql/pages.ts';
import type { Row } from '../../sql/schema.ts';
import type { ImportTarget } from '../importRows.ts';
import { entryOf, type FileEntry, type Stored } from './entries.ts';
import type { KeptEntry } from './keptEntries.ts';

/** What a file changes in the entries of its year. */
export type EntryCounts = {
  added: number;
  removed: number;
  unchanged: number;
  /** Booked here already: they are not booked again. */
  matched: number;
  /** The first entries that are added to or removed from a year that was imported before. */
  differences: string[];
};

export const noEntries = (): EntryCounts => ({ added: 0, removed: 0, unchanged: 0, matched: 0, differences: [] });

/** Differences that are shown. */
const MAX_SHOWN = 20;
/** Entries that are stored together: with more of them, more of what is read outlives a small collection of garbage. */
const BATCH_SIZE = 100;

/** The administration of an import, and where its problems go. */
export type YearContext = {
  db: Database;
  administration: Row<'administration'>;
  target: ImportTarget;
  counts: EntryCounts;
  report: Report;
  /** For what a person may take with a warning. */
  contradiction: Report;
};

/**
 * Makes the imported entries of a year those of a file, except what was booked here. An entry that is the same stays as
 * it is.
 */
export async function storeYear(
  context: YearContext,
  kept: AsyncIterable<KeptEntry[]>,
  days: Period,
  stored: Stored,
): Promise<void> {
  const { db, administration, target, counts, report, contradiction } = context;
  const { imported, made, documents } = await entriesHere(db, administration.id, days);
  const wasImported = imported.size > 0;
  const closed = administration.closed_until;
  const show = (sign: '+' | '-', { journal, entry_number, date, description }: Shown) => {
    if (!wasImported || counts.differences.length > MAX_SHOWN) return;
    const more = counts.differences.length === MAX_SHOWN;
    counts.differences.push(more ? '...' : `${sign} ${date} ${journal} ${entry_number} ${description}`.trimEnd());
  };
  let batch: FileEntry[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    await storeEntries(
      { db, administration },
      batch.map(({ line: _, ...entry }) => entry),
    );
    await target.logging.logSoFar();
    batch = [];
  };
  for await (const some of kept) {
    const read = some.map((entry) => entryOf(entry, stored)).filter((entry) => hasRoom(entry, report));
    const entries = await withCostCenters({ db, administration }, read);
    for (const entry of entries) {
      const here = documents.size === 0 ? undefined : documentsOf(entry).find((one) => documents.has(one));
      if (take(imported, imageOf, entry) !== undefined) counts.unchanged++;
      else if (take(made, bookingOf, entry) !== undefined) counts.matched++;
      else if (here !== undefined) {
        const number = entry.lines.find((line) => documentKey(entry.journal, line) === here)!.document;
        const reason = 'is booked here on another day or with other amounts, and cannot be booked twice';
        contradiction(entry.line, 'transaction', `document ${number} of ${entry.journal} ${reason}`);
        counts.matched++;
      } else {
        if (entry.date <= closed) {
          const expected = `expected a day after ${closed}, until which the books are closed`;
          report(entry.line, 'trDt', `${expected}, got ${entry.date}`);
        }
        counts.added++;
        show('+', entry);
        batch.push(entry);
      }
      if (batch.length === BATCH_SIZE) await flush();
    }
  }
  await flush();
  await removeRest(context, [...imported.values()].flat(), show);
}

/** Bytes of a text that lines are found by: a row of an index of PostgreSQL has 2,704, with its other columns. */
const MAX_INDEXED_BYTES = 2000;

/** Whether an index has room for the texts that lines are found by; what is too long is reported. */
function hasRoom({ line, lines }: FileEntry, report: Report): boolean {
  for (const { document = '', cost_center = '' } of lines) {
    for (const [what, text] of [
      ['document', document],
      ['cost center', cost_center],
    ] as const) {
      const bytes = Buffer.byteLength(text);
      if (bytes <= MAX_INDEXED_BYTES) continue;
      const most = MAX_INDEXED_BYTES;
      report(line, 'transaction', `expected at most ${most} bytes of text as the ${what} of a line, got ${bytes}`);
      return false;
    }
  }
  return true;
}

type Shown = Pick<NewEntry, 'journal' | 'date' | 'description' | 'entry_number'>;

async function withCostCenters(
  { db, administration }: Pick<YearContext, 'db' | 'administration'>,
  entries: readonly FileEntry[],
): Promise<readonly FileEntry[]> {
  const given = entries.flatMap(({ lines }) => lines.map(({ cost_center = '' }) => cost_center));
  if (given.every((name) => name === '')) return entries;
  const spelled = (await costCenterNames({ db, administration }, given)).values();
  return entries.map((entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({ ...line, cost_center: spelled.next().value! })),
  }));
}

/** Removes the imported entries that the file does not have. */
async function removeRest(
  { db, administration, target, counts, report }: YearContext,
  ids: readonly bigint[],
  show: (sign: '-', entry: Shown) => void,
): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const some = ids.slice(start, start + BATCH_SIZE);
    const entries = await db.selectFrom('journal_entry').where('id', 'in', some).orderBy('id').selectAll().execute();
    for (const entry of entries) {
      counts.removed++;
      show('-', entry);
      if (entry.date > administration.closed_until) continue;
      const what = `entry ${entry.entry_number} of ${entry.date}`;
      report(1, '', `${what} is not in the file, and the books are closed until ${administration.closed_until}`);
    }
    await removeEntries(db, administration.id, some);
    await target.logging.logSoFar();
  }
}

type Booked = Pick<NewEntry, 'journal' | 'date' | 'description' | 'entry_number'> & {
  lines: readonly (NewEntry['lines'][number] & { document?: string })[];
};

/** A digest of all that an entry is. */
function imageOf({ journal, date, description, entry_number = '', lines }: Booked): string {
  const hash = createHash('sha256').update(JSON.stringify([journal, date, description, entry_number]));
  for (const line of lines) {
    if (line.amount === 0n) continue;
    const { ledger_account_number, amount, document, cost_center, tax_code, tax_base, tax_amount } = line;
    const amounts = [amount, tax_base ?? 0n, tax_amount ?? 0n, line.relation_id ?? ''].map(String);
    hash.update(JSON.stringify([ledger_account_number, document, cost_center, tax_code, line.description, ...amounts]));
  }
  return hash.digest('base64');
}

/** Whether the entries of a journal are invoices: the number of each is the document of its lines. */
const hasInvoices = (journal: NewEntry['journal']): boolean => journal === 'sales' || journal === 'purchases';

/**
 * A digest of what an entry books: journal, day, documents, and amounts by account. Programs write the number of an
 * invoice on each of its lines or on that of the customer or supplier only. On an account they write several lines or
 * one, and where those come to nothing perhaps none.
 */
function bookingOf({ journal, date, entry_number = '', lines }: Booked): string {
  const isInvoice = hasInvoices(journal);
  const amounts = new Map<string, bigint>();
  for (const { ledger_account_number, amount, document = '' } of lines) {
    if (amount === 0n) continue;
    const side = JSON.stringify([ledger_account_number, isInvoice || document === entry_number ? '' : document]);
    amounts.set(side, (amounts.get(side) ?? 0n) + amount);
  }
  const ofRelations = lines.filter(({ relation_id = null }) => relation_id !== null);
  const named = isInvoice ? (ofRelations.length > 0 ? ofRelations : lines) : [];
  const documents = [...new Set(named.map(({ document = '' }) => document))].sort();
  const sides = [...amounts].flatMap(([side, amount]) => (amount === 0n ? [] : `${side} ${amount}`)).sort();
  return createHash('sha256')
    .update(JSON.stringify([journal, date, documents, sides]))
    .digest('base64');
}

/** What identifies the document of a line among those of a relation; "" when it has none. */
const documentKey = (
  journal: NewEntry['journal'],
  { document = '', relation_id = null }: Booked['lines'][number],
): string =>
  document === '' || relation_id === null || !hasInvoices(journal) ? '' : `${journal} ${relation_id} ${document}`;

const documentsOf = ({ journal, lines }: Booked): string[] =>
  lines.map((line) => documentKey(journal, line)).filter((key) => key !== '');

type Ids = Map<string, bigint[]>;

/** Takes one of the entries with the digest of another. */
function take(ids: Ids, digestOf: (entry: Booked) => string, entry: Booked): bigint | undefined {
  if (ids.size === 0) return undefined;
  const key = digestOf(entry);
  const found = ids.get(key);
  const id = found?.shift();
  if (found?.length === 0) ids.delete(key);
  return id;
}

/** The entries of a year that are there: imported ones by their image, others by their booking; and all invoices. */
async function entriesHere(
  db: Database,
  administrationId: bigint,
  { first, last }: Period,
): Promise<{ imported: Ids; made: Ids; documents: ReadonlySet<string> }> {
  const [imported, made]: [Ids, Ids] = [new Map(), new Map()];
  const documents = new Set<string>();
  const add = (to: Ids, key: string, id: bigint) => to.set(key, [...(to.get(key) ?? []), id]);
  const entries = db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administrationId)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .selectAll();
  for await (const page of pagesOf(entries, ['date', 'id'])) {
    const byEntry = await linesOfEntries(
      db,
      page.map(({ id }) => id),
    );
    const nothing = page.filter(({ id }) => !byEntry.has(id));
    // A file may have lines of an invoice that come to nothing, and programs may leave them out.
    for (const [entryId, invoice] of await invoicesOfEntries(db, nothing)) {
      const entry = nothing.find(({ id }) => id === entryId)!;
      const lines = [{ ledger_account_number: '', amount: 0n, ...invoice }];
      add(made, bookingOf({ ...entry, lines }), entryId);
      documents.add(documentKey(entry.journal, lines[0]!));
    }
    for (const entry of page) {
      const booked = {
        ...entry,
        lines: (byEntry.get(entry.id) ?? []).map((line) => ({ ...line, amount: line.debit - line.credit })),
      };
      const [of, key] = entry.is_imported === 1n ? [imported, imageOf(booked)] : [made, bookingOf(booked)];
      add(of, key, entry.id);
    }
  }
  const rows = await db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_entry_id')
    .where('journal_entry.administration_id', '=', administrationId)
    .where('is_imported', '=', 0n)
    .where('journal', 'in', ['sales', 'purchases'])
    .select(['journal', 'relation_id', 'document'])
    .distinct()
    .execute();
  for (const { journal, relation_id, document } of rows) {
    documents.add(documentKey(journal, { ledger_account_number: '', amount: 0n, relation_id, document }));
  }
  documents.delete('');
  return { imported, made, documents };
}
