import { centsText } from '../../../../../shared/money.ts';
import type { Period } from '../../balances/fiscalYears.ts';
import { bytesOf } from '../../files/bytesOf.ts';
import { addProblem, allOrNothing } from '../../files/problems.ts';
import type { Report } from '../../files/readRows.ts';
import { UnreadableFile } from '../../files/source.ts';
import { storeAllResponses } from '../../responses/storeAllResponses.ts';
import type { Database } from '../../sql/database.ts';
import { type Author, byCommand } from '../../sql/logWriting/author.ts';
import type { Seconds } from '../../sql/schema.ts';
import { staged } from '../../sql/staging/staged.ts';
import { writingIn } from '../../sql/transaction.ts';
import { enteredOn } from '../../vat/filedReturns.ts';
import { accountsOfAuditfiles } from '../accounts.ts';
import { type ImportCounts, type ImportResult, type ImportTarget, noCounts, noResult } from '../importRows.ts';
import { relationsOfAuditfiles } from '../relationFiles/relations.ts';
import { type ControlColumn, controlAccounts } from './controlAccounts.ts';
import { customersSuppliers, OWN_SOFTWARE } from './customersSuppliers.ts';
import { fiscalYear } from './fiscalYear.ts';
import { type AccountRecord, addAccount, type SideRule, storeAccounts } from './generalLedger.ts';
import { type KeptEntries, keepEntries } from './keptEntries.ts';
import { recordSinks } from './recordSink.ts';
import { type Container, recordReader, textOf, type XmlRecord } from './records.ts';
import { type OpeningChange, storeOpening } from './storeOpening.ts';
import { type EntryCounts, noEntries, storeYear } from './storeYear.ts';
import { isOfOpenings, type Tally, transactions } from './transactions.ts';
import { addVatCode, storeTaxCodes, type VatRecord } from './vatCodes.ts';
import { encodingOf, type Files, type OnRead, readXml } from './xml.ts';

export type AuditfileResult = ImportResult & {
  /** What the file says of the company whose books it has, and of the program that wrote it. */
  company: { name: string; taxNumber: string };
  software: string;
  fiscalYear: number;
  /** Undefined while the header was not read. */
  days: Period | undefined;
  accounts: ImportCounts;
  relations: ImportCounts;
  taxCodes: ImportCounts;
  periods: number;
  /** The lines of the file, which are as it declares. */
  checked: { openingBalance: Tally | undefined; transactions: Tally | undefined };
  /** The number of accounts whose side follows from each rule. */
  sides: Partial<Record<SideRule, number>>;
  /** Codes without a known percentage, and control accounts that were set. */
  vatWithoutPercentage: string[];
  controls: { column: ControlColumn; number: string }[];
  opening: OpeningChange;
  entries: EntryCounts;
  /** How many contradictions the file has that can be taken with a warning. */
  contradictions: number;
};

/** What is imported where, and whether another file of the same year may be replaced. */
export type AuditfileTarget = {
  administrationId: bigint;
  now: Seconds;
  /** Left out: the command line. */
  author?: Author | undefined;
  replace?: boolean | undefined;
  takeWithWarnings?: boolean | undefined;
  /** Whether the file is only checked: nothing is stored. */
  isCheck?: boolean | undefined;
  /** Called for what is read of the file, and once more for what is stored of it. */
  onRead?: OnRead | undefined;
  /** Stores more in the transaction of an import without problems. */
  finish?: ((trx: Database, result: AuditfileResult) => Promise<void>) | undefined;
};

/** Rolls back the transaction of a check. */
class OnlyChecked extends Error {}

/** How often `onRead` gets each byte of a file that is imported. */
export const AUDITFILE_READINGS = 2;

/** Warnings about one file: they are held in memory. */
const MAX_WARNINGS = 1000;

/**
 * Bytes of a file after which the database is asked for something. Entries are kept on disk until all of them are read,
 * and a server ends a transaction in which nothing was asked for a minute.
 */
const ASK_BYTES = 4_000_000;

/** An import looks for lines by their entries only. */
const LINES_BY_ENTRY = { table: 'journal_line', column: 'journal_entry_id' } as const;

/**
 * Imports an XML Auditfile Financieel: ledger accounts, customers and suppliers, VAT codes, the opening balance and every
 * entry of its fiscal year. All of it or nothing.
 * @param file lines count through the files of one that was split
 * @param target.replace replaces what an earlier file of the year brought; left out: it is a problem when they differ
 * @param target.takeWithWarnings takes what contradicts itself and can be told from the rest, such as a wrong total
 */
export const importAuditfile = (
  db: Database,
  file: Files,
  name: string,
  target: AuditfileTarget,
): Promise<AuditfileResult> =>
  staged(db, { ...target, bytes: bytesOf(file), foundBy: [LINES_BY_ENTRY] }, (copy) =>
    importYear(copy, file, name, target),
  );

async function importYear(db: Database, file: Files, name: string, target: AuditfileTarget): Promise<AuditfileResult> {
  const result: AuditfileResult = {
    ...noResult(),
    company: { name: '', taxNumber: '' },
    software: '',
    fiscalYear: 0,
    days: undefined,
    accounts: noCounts(),
    relations: noCounts(),
    taxCodes: noCounts(),
    periods: 0,
    checked: { openingBalance: undefined, transactions: undefined },
    sides: {},
    vatWithoutPercentage: [],
    controls: [],
    opening: 'none',
    entries: noEntries(),
    contradictions: 0,
  };
  const report: Report = (line, column, message) =>
    addProblem(result.problems, { file: name, line, column, message, place: `${name}:${line}` });
  await allOrNothing(
    result.problems,
    (work) =>
      writingIn(
        db,
        {
          ...target,
          author: target.author ?? byCommand('import auditfile'),
          grouping: 'by record',
          unlessArchived: true,
        },
        work,
      ),
    async (trx, logging) => {
      const kept = await keepEntries();
      try {
        const now = await enteredOn(trx, target.administrationId, target.now);
        await readAuditfile(trx, file, kept, { ...target, now, logging }, result, report);
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        const place = error.column === undefined ? `${name}:${error.line}` : `${name}:${error.line}:${error.column}`;
        addProblem(result.problems, { file: name, line: error.line, column: '', message: error.message, place });
      } finally {
        await kept.close();
      }
      if (target.isCheck === true) throw new OnlyChecked();
      if (result.problems.length > 0) return;
      await storeAllResponses(trx, target.administrationId);
      await target.finish?.(trx, result);
    },
  ).catch((thrown) => {
    if (!(thrown instanceof OnlyChecked)) throw thrown;
    result.problems.sort((a, b) => a.line - b.line);
  });
  const more = result.contradictions - MAX_WARNINGS;
  if (target.takeWithWarnings === true && more > 0) result.warnings.push(`... and ${more} more`);
  return result;
}

/** Reads the records of the file and stores their rows. */
async function readAuditfile(
  db: Database,
  file: Files,
  kept: KeptEntries,
  target: ImportTarget & AuditfileTarget,
  result: AuditfileResult,
  report: Report,
): Promise<void> {
  const countsOf = (resource: unknown) =>
    resource === relationsOfAuditfiles
      ? result.relations
      : resource === accountsOfAuditfiles
        ? result.accounts
        : result.taxCodes;
  const openSink = recordSinks(db, target, result, report, countsOf);
  const ledger = new Map<string, AccountRecord>();
  const vat = new Map<string, VatRecord>();
  const journals: Container[] = [];
  const contradiction: Report = (line, column, message) => {
    result.contradictions++;
    if (target.takeWithWarnings !== true) report(line, column, message);
    else if (result.contradictions <= MAX_WARNINGS) result.warnings.push(`line ${line}: ${column}: ${message}`);
  };
  const year = fiscalYear(report, contradiction);
  const isOwn = () => result.software.startsWith(`${OWN_SOFTWARE} `);
  const parties = customersSuppliers(db, target.administrationId, openSink, report, isOwn);
  const lines = transactions({ report, contradiction }, { ledger, vat, isParty: parties.has, days: year.days });
  let openingLine = 1;
  /** The line of the first entry in a journal of openings. */
  let openingEntry: number | undefined;
  const handlers: Readonly<Record<string, (record: XmlRecord) => void>> = {
    header: (record) => {
      result.software = `${textOf(record, 'softwareDesc')} ${textOf(record, 'softwareVersion')}`.trim();
      year.header(record);
    },
    period: year.period,
    customerSupplier: parties.add,
    ledgerAccount: (record) => addAccount(ledger, record),
    vatCode: (record) => addVatCode(vat, record, report),
  };
  const reader = recordReader({
    record: (name, record, within) => {
      const handle = handlers[name];
      if (handle !== undefined) handle(record);
      else {
        lines.line(name, record, within);
        if (name === 'trLine' && within.at(-1)?.element === 'transaction') kept.line(record);
      }
    },
    container: (container, within) => {
      const { element, line } = container;
      if (element === 'company') {
        result.company = { name: textOf(container, 'companyName'), taxNumber: textOf(container, 'taxRegIdent') };
      } else if (element === 'journal') journals.push(container);
      else if (element === 'transaction') {
        lines.endTransaction(container);
        kept.entry(container, within.at(-1));
        if (isOfOpenings(within.at(-1))) openingEntry ??= line;
      } else {
        const tally = lines.end(container);
        if (element === 'openingBalance') openingLine = line;
        if (element === 'openingBalance' || element === 'transactions') result.checked[element] = tally;
      }
    },
  });
  const isTaken = target.takeWithWarnings === true;
  const encoding = await encodingOf(
    file,
    isTaken ? (line, message) => contradiction(line, 'encoding', message) : undefined,
  );
  let unasked = 0;
  const onRead = (bytes: number) => {
    target.onRead?.(bytes);
    kept.onRead(bytes);
    unasked += bytes;
  };
  for await (const _ of readXml(file, encoding, reader, onRead)) {
    await parties.store();
    await kept.store();
    if (unasked < ASK_BYTES) continue;
    await db.selectNoFrom(({ lit }) => lit(1).as('awake')).execute();
    unasked = 0;
  }
  // The parser has reported a file that ends before its root element.
  if (!reader.isComplete()) return;
  const fiscal = year.year();
  if (fiscal === undefined) throw new UnreadableFile(1, 'expected a header with the fiscal year');
  result.fiscalYear = fiscal;
  result.days = year.days();
  result.periods = year.periods();
  await parties.end();
  result.sides = await storeAccounts(openSink, ledger.values(), fiscal);
  const { stored: codes, unknown } = await storeTaxCodes(openSink, [...vat.values()], fiscal);
  result.vatWithoutPercentage = unknown;
  const controls = controlAccounts(journals, [...vat.values()]).filter(({ number }) => ledger.has(number));
  result.controls = await setControls(db, target.administrationId, controls);
  if (openingEntry !== undefined && (result.checked.openingBalance?.lines ?? 0n) > 0n) {
    report(openingEntry, 'transaction', 'expected the opening balance once: it is an openingBalance too');
  }
  // What follows relies on what was checked.
  if (result.problems.length > 0) return;
  const administration = await administrationOf(db, target.administrationId);
  const context = { db, administration, target, counts: result.entries, report, contradiction };
  // An opening balance without lines says nothing: several programs write one. Where a journal has the openings, the
  // year begins with nothing: what the year before closed with would be in it twice.
  const amounts = new Map(
    [...ledger].flatMap(([number, one]) => (one.opening === undefined ? [] : [[number, one.opening]])),
  );
  const opening = amounts.size === 0 && openingEntry === undefined ? undefined : amounts;
  result.opening = await storeOpening(context, year.days()!, opening, openingEntry ?? openingLine);
  const stored = { relations: await parties.relationIds(), codes, now: target.now };
  await storeYear(context, kept.read(target.onRead), year.days()!, stored);
  const { entries } = result;
  const isOther = result.opening === 'replaced' || entries.differences.length > 0;
  if (isOther && target.replace !== true) report(1, '', differenceText(result));
}

/** What an earlier file of a year has otherwise. */
function differenceText({
  fiscalYear: year,
  opening,
  entries: { added, removed, unchanged, differences },
}: AuditfileResult) {
  const changes = [
    ...(opening === 'replaced' ? ['another opening balance'] : []),
    `${added} entries that are not there, ${removed} that are to go, ${unchanged} as they are`,
  ];
  const list = differences.map((one) => `\n  ${one}`).join('');
  return `${year} was imported from another file: this one has ${changes.join(', ')}. --replace takes it over.${list}`;
}

const administrationOf = (db: Database, id: bigint) =>
  db.selectFrom('administration').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

type Control = { column: ControlColumn; number: string };

/** Sets the control accounts of the file in the administration, except those that are set already. */
async function setControls(db: Database, administrationId: bigint, found: readonly Control[]): Promise<Control[]> {
  const administration = await administrationOf(db, administrationId);
  const controls = found.filter(({ column }) => administration[column] === '');
  if (controls.length === 0) return [];
  const values = Object.fromEntries(controls.map(({ column, number }) => [column, number]));
  await db.updateTable('administration').where('id', '=', administrationId).set(values).execute();
  return controls;
}

/** The output of the command for an imported auditfile. */
export function* auditfileReport(result: AuditfileResult): Generator<string> {
  const counts = ({ added, changed, unchanged }: ImportCounts) =>
    `${added} added, ${changed} changed, ${unchanged} unchanged.`;
  yield `accounts of ${result.fiscalYear}: ${counts(result.accounts)}`;
  const rules = Object.entries(result.sides).filter(([, number]) => number > 0);
  if (rules.length > 0) yield `  debet or credit: ${rules.map(([rule, number]) => `${number} by ${rule}`).join(', ')}.`;
  yield `relations: ${counts(result.relations)}`;
  yield `tax-codes: ${counts(result.taxCodes)}`;
  if (result.vatWithoutPercentage.length > 0) {
    yield `  left out, as the file does not have their percentage: ${result.vatWithoutPercentage.join('; ')}.`;
  }
  yield `periods: ${result.periods}, all of them within the fiscal year.`;
  for (const { column, number } of result.controls) yield `${column.replaceAll('_', ' ')}: ${number}`;
  for (const [what, tally] of [
    ['opening balance', result.checked.openingBalance],
    ['transactions', result.checked.transactions],
  ] as const) {
    if (tally === undefined) yield `The file has no ${what}.`;
    else yield `${what}: ${tally.lines} lines, ${centsText(tally.debit)} debit, ${centsText(tally.credit)} credit.`;
  }
  if (result.opening !== 'none') yield `  the opening balance: ${result.opening}.`;
  const { added, removed, unchanged, matched } = result.entries;
  yield `entries: ${added} added, ${removed} removed, ${unchanged} unchanged, ${matched} booked here already.`;
}
