import { MONEY_SCALE, units } from '../../../../../shared/money.ts';
import { storeAllAnswers } from '../../answers/storeAllAnswers.ts';
import { addProblem, allOrNothing } from '../../files/problems.ts';
import { UnreadableFile } from '../../files/source.ts';
import type { Database } from '../../sql/database.ts';
import type { Row, Seconds } from '../../sql/schema.ts';
import { writingIn } from '../../sql/transaction.ts';
import { accounts } from '../accounts.ts';
import { plainMapping, type Report } from '../bind.ts';
import { type ImportCounts, type ImportResult, noCounts, noResult, openImport, type Sink } from '../importRows.ts';
import { relations } from '../relations/relations.ts';
import { taxCodes } from '../taxCodes.ts';
import {
  type AccountRecord,
  accountRow,
  type ControlColumn,
  controlAccounts,
  customerSupplierRow,
  ID_FIELD,
  maxBankAccounts,
  numberOf,
  type PartyNumber,
  partyHeadings,
  type SideRule,
  type VatRecord,
  vatRows,
  type XmlRecord,
} from './auditfileRows.ts';
import { readXml, type XmlEvent } from './xml.ts';

const NAMESPACE = 'http://www.auditfiles.nl/XAF/3.2';

export type AuditfileResult = ImportResult & {
  fiscalYear: number;
  accounts: ImportCounts;
  relations: ImportCounts;
  taxCodes: ImportCounts;
  periods: number;
  /** What was read to be checked, and not imported. */
  checked: { openingBalance: Tally | undefined; transactions: Tally | undefined };
  /** How many accounts have their side by which rule. */
  sides: Record<SideRule, number>;
  /** Codes whose percentage the file does not tell, and accounts the administration books on from now on. */
  vatWithoutPercentage: string[];
  controls: { column: ControlColumn; number: string }[];
};

export type Tally = { lines: bigint; debit: bigint; credit: bigint };

/**
 * Imports an XML Auditfile Financieel 3.2: ledger accounts, customers and suppliers, and VAT codes; its periods, opening
 * balance and transactions are checked. All of it or nothing.
 */
export async function importAuditfile(
  db: Database,
  file: string,
  name: string,
  given: { administrationId: bigint; now: Seconds },
): Promise<AuditfileResult> {
  const result: AuditfileResult = {
    ...noResult(),
    fiscalYear: 0,
    accounts: noCounts(),
    relations: noCounts(),
    taxCodes: noCounts(),
    periods: 0,
    checked: { openingBalance: undefined, transactions: undefined },
    sides: { 'RGS code': 0, balance: 0, 'account number': 0, type: 0 },
    vatWithoutPercentage: [],
    controls: [],
  };
  const report: Report = (line, column, message) =>
    addProblem(result.problems, { file: name, line, column, message, place: `${name}:${line}` });
  await allOrNothing(
    result.problems,
    (work) => writingIn(db, given.administrationId, work),
    async (trx) => {
      try {
        const reading = await startReading(trx, given, result, report);
        for await (const events of readXml(file)) {
          for (const event of events) reading.take(event);
          await reading.store();
        }
        await reading.end();
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        const place = error.column === undefined ? `${name}:${error.line}` : `${name}:${error.line}:${error.column}`;
        addProblem(result.problems, { file: name, line: error.line, column: '', message: error.message, place });
      }
      if (result.problems.length === 0) await storeAllAnswers(trx, given.administrationId);
    },
  );
  return result;
}

/** What the file says of how much there is of something, and how much of it was read. */
type Declaration = {
  element: string;
  line: number;
  declared: Map<string, { text: string; line: number }>;
  read: Tally;
};

const records = new Set(['header', 'customerSupplier', 'ledgerAccount', 'vatCode', 'period', 'obLine', 'trLine']);
for (const name of ['sbLine', 'obSbLine']) records.add(name);
const declarations = new Set(['openingBalance', 'transactions', 'subledger', 'obSubledger']);

async function startReading(
  db: Database,
  given: { administrationId: bigint; now: Seconds },
  result: AuditfileResult,
  report: Report,
) {
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', given.administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const open: string[] = [];
  let record: (XmlRecord & { name: string; depth: number }) | undefined;
  let header: { start: string; end: string } | undefined;
  let journal = { type: '', account: '' };
  let isComplete = false;
  const declared: Declaration[] = [];
  const parties: XmlRecord[] = [];
  const unnumbered: XmlRecord[] = [];
  const numberedWithZeros: { party: XmlRecord; given: PartyNumber }[] = [];
  /** How many relations of the file have a number. */
  const uses = new Map<string, number>();
  const ledger = new Map<string, AccountRecord>();
  const vat = new Map<string, VatRecord>();
  const journals: { type: string; account: string }[] = [];

  /** An import of rows made of records; problems name the element, and where in the file it stands. */
  const importerFor = async (
    start: typeof relations,
    headings: readonly string[],
    counts: ImportCounts,
    elements: Readonly<Record<string, string>>,
  ) => {
    const lines = new Map<number, XmlRecord>();
    const sink = (await openImport(
      db,
      start,
      { headings, headingLine: 1 },
      { ...given, mapping: plainMapping },
      { ...noResult(), problems: result.problems, counts },
      (line, column, message) => {
        const element = elements[column.replace(/\d+_/, '_')] ?? column;
        report(lines.get(line)?.values.get(element)?.line ?? line, element, message);
      },
    )) as Sink;
    return {
      add: async (from: XmlRecord, cells: readonly string[]) => {
        lines.set(from.line, from);
        if (lines.size > 1000) lines.delete(lines.keys().next().value!);
        await sink.add({ line: from.line, cells });
      },
      end: sink.end,
    };
  };
  const partyElements = {
    Name: 'custSupName',
    CustomerNumber: 'custSupID',
    SupplierNumber: 'custSupID',
    Email: 'eMail',
    Address_CountryCode: 'country',
    BankAccount_IBAN: 'bankAccNr',
  };
  let sink: Awaited<ReturnType<typeof importerFor>> | undefined;

  const amountOf = ({ line, values }: XmlRecord): { debit: bigint; credit: bigint } | undefined => {
    const amount = values.get('amnt');
    const side = values.get('amntTp');
    const cents = centsOf(amount?.text ?? '');
    if (cents === undefined) {
      report(amount?.line ?? line, 'amnt', `expected an amount with two decimals, got "${amount?.text ?? ''}"`);
    } else if (side?.text !== 'D' && side?.text !== 'C') {
      report(side?.line ?? line, 'amntTp', `expected D or C, got "${side?.text ?? ''}"`);
    } else return side.text === 'D' ? { debit: cents, credit: 0n } : { debit: 0n, credit: cents };
    return undefined;
  };

  const takeLine = (element: string, line: XmlRecord) => {
    const amount = amountOf(line);
    const declaration = declared.at(-1);
    if (amount === undefined || declaration === undefined) return;
    declaration.read.lines++;
    declaration.read.debit += amount.debit;
    declaration.read.credit += amount.credit;
    if (element !== 'trLine' && element !== 'obLine') return;
    const number = line.values.get('accID');
    const account = ledger.get(number?.text ?? '');
    if (account === undefined) {
      report(
        number?.line ?? line.line,
        'accID',
        `expected an account of the generalLedger, got "${number?.text ?? ''}"`,
      );
      return;
    }
    account.balance += amount.debit - amount.credit;
    if (element === 'obLine') account.isCarriedForward = true;
    for (const { name, values } of line.parts) {
      const code = name === 'vat' ? vat.get(values.get('vatID') ?? '') : undefined;
      const percentage = values.get('vatPerc') ?? '';
      if (code === undefined || !/^\d+(\.\d*)?$/.test(percentage)) continue;
      const rate = units(percentage, 8);
      code.uses.set(rate, (code.uses.get(rate) ?? 0) + 1);
    }
  };

  const takeHeader = ({ line, values }: XmlRecord) => {
    const text = (element: string) => values.get(element)?.text ?? '';
    const at = (element: string) => values.get(element)?.line ?? line;
    const year = /^\d{4}/.exec(text('fiscalYear'))?.[0];
    if (year === undefined) report(at('fiscalYear'), 'fiscalYear', `expected a year, got "${text('fiscalYear')}"`);
    result.fiscalYear = Number(year ?? 0);
    for (const element of ['startDate', 'endDate']) {
      if (!isDay(text(element))) report(at(element), element, `expected a date, got "${text(element)}"`);
    }
    header = { start: text('startDate'), end: text('endDate') };
    if (header.start > header.end) report(at('endDate'), 'endDate', `expected a day after ${header.start}`);
    if (text('curCode') !== 'EUR') report(at('curCode'), 'curCode', `expected EUR, got "${text('curCode')}"`);
  };

  const takePeriod = ({ line, values }: XmlRecord) => {
    result.periods++;
    const [start, end] = ['startDatePeriod', 'endDatePeriod'].map((element) => {
      const day = values.get(element);
      if (day !== undefined && isDay(day.text)) {
        if (header !== undefined && (day.text < header.start || day.text > header.end)) {
          report(day.line, element, `expected a day from ${header.start} to ${header.end}, got ${day.text}`);
        }
        return day.text;
      }
      report(day?.line ?? line, element, `expected a date, got "${day?.text ?? ''}"`);
      return undefined;
    });
    if (start !== undefined && end !== undefined && start > end) {
      report(line, 'endDatePeriod', `expected a day from ${start}, got ${end}`);
    }
  };

  const takeRecord = (element: string, taken: XmlRecord) => {
    if (element === 'header') takeHeader(taken);
    else if (element === 'period') takePeriod(taken);
    else if (element === 'customerSupplier') parties.push(taken);
    else if (element === 'ledgerAccount') {
      const number = taken.values.get('accID')?.text ?? '';
      // One that stands there twice stays, under a key no line can have, and is refused later.
      ledger.set(ledger.has(number) ? `${number}\n${taken.line}` : number, {
        record: taken,
        balance: 0n,
        isCarriedForward: false,
      });
    } else if (element === 'vatCode') {
      const code = taken.values.get('vatID')?.text ?? '';
      if (vat.has(code)) report(taken.values.get('vatID')!.line, 'vatID', `expected VAT code ${code} once`);
      vat.set(code, { record: taken, uses: new Map() });
    } else takeLine(element, taken);
  };

  const closeDeclaration = ({ element, line, declared: given, read }: Declaration) => {
    const number = given.get('linesCount');
    if (number === undefined || BigInt(/^\d{1,10}$/.exec(number.text)?.[0] ?? -1) !== read.lines) {
      const got = number === undefined ? 'none' : `"${number.text}"`;
      report(number?.line ?? line, 'linesCount', `expected ${read.lines}, as many as ${element} has lines, got ${got}`);
    }
    for (const [name, total] of [
      ['totalDebit', read.debit],
      ['totalCredit', read.credit],
    ] as const) {
      const amount = given.get(name);
      if (centsOf(amount?.text ?? '') === total) continue;
      const got = amount === undefined ? 'none' : `"${amount.text}"`;
      report(
        amount?.line ?? line,
        name,
        `expected ${euros(total)}, what the lines of ${element} add up to, got ${got}`,
      );
    }
    if (element === 'openingBalance' || element === 'transactions') result.checked[element] = read;
  };

  const opened = ({ name, uri, line }: XmlEvent) => {
    if (open.length === 0) checkRoot(name, uri, line);
    // What is of another namespace is somebody's addition.
    if (uri !== NAMESPACE && open.length > 0) name = `${uri} ${name}`;
    open.push(name);
    // Former states of a relation or an account have records of their own, which are history.
    const isHistory = open.some((above) => above === 'customerSupplierHistory' || above === 'glAccountHistory');
    if (record === undefined && records.has(name) && !isHistory) {
      record = { name, depth: open.length, line, values: new Map(), parts: [] };
    } else if (record !== undefined && open.length === record.depth + 1 && !isHistory) {
      record.parts.push({ name, values: new Map() });
    } else if (record === undefined && declarations.has(name)) {
      declared.push({ element: name, line, declared: new Map(), read: { lines: 0n, debit: 0n, credit: 0n } });
    } else if (name === 'journal') journal = { type: '', account: '' };
  };

  const closed = ({ text, line }: XmlEvent) => {
    const name = open.pop()!;
    if (record !== undefined) {
      if (open.length === record.depth - 1) {
        takeRecord(record.name, record);
        record = undefined;
      } else if (open.length === record.depth) {
        // An element with elements in it has no text of its own worth keeping.
        if (record.parts.at(-1)?.values.size === 0) record.parts.pop();
        if (!record.values.has(name)) record.values.set(name, { text, line });
      } else if (open.length === record.depth + 1) record.parts.at(-1)?.values.set(name, text);
      return;
    }
    const declaration = declared.at(-1);
    if (name === 'journal') journals.push(journal);
    else if (declaration !== undefined && name === declaration.element) {
      closeDeclaration(declaration);
      declared.pop();
    } else if (declaration !== undefined && open.at(-1) === declaration.element) {
      declaration.declared.set(name, { text, line });
    } else if (open.at(-1) === 'journal') {
      if (name === 'jrnTp') journal.type = text;
      if (name === 'offsetAccID') journal.account = text;
    } else if (open.length === 0) isComplete = true;
  };

  return {
    take: (event: XmlEvent) => (event.kind === 'open' ? opened(event) : closed(event)),

    /** Stores the relations that were read; those whose number is not sure wait until all numbers are known. */
    async store(): Promise<void> {
      if (parties.length === 0) return;
      sink ??= await importerFor(relations, partyHeadings, result.relations, partyElements);
      for (const party of parties) {
        if (party.parts.filter(({ name }) => name === 'bankAccount').length > maxBankAccounts) {
          report(party.line, 'bankAccount', `expected at most ${maxBankAccounts} bank accounts`);
        }
        const given = numberOf(party);
        for (const use of given?.uses ?? []) uses.set(use, (uses.get(use) ?? 0) + 1);
        if (given === undefined) unnumbered.push(party);
        else if (given.hasZeros) numberedWithZeros.push({ party, given });
        else await sink.add(party, customerSupplierRow(party, given.number));
      }
      parties.length = 0;
    },

    async end(): Promise<void> {
      if (!isComplete) return;
      if (header === undefined) throw new UnreadableFile(1, 'expected a header with the fiscal year');
      const known = await relationsById(db, administration.id);
      for (const { party, given } of numberedWithZeros) {
        const isUnique = given.uses.every((use) => uses.get(use) === 1);
        if (!isUnique || known.has(party.values.get('custSupID')!.text)) unnumbered.push(party);
        else await sink!.add(party, customerSupplierRow(party, given.number));
      }
      await sink?.end();
      if (unnumbered.length > 0) {
        const headings = [...partyHeadings, 'RelationGUID', `Custom: ${ID_FIELD} (TextSmall, Other)`];
        const rest = await importerFor(relations, headings, result.relations, partyElements);
        const once = new Set<string>();
        for (const party of unnumbered) {
          const id = party.values.get('custSupID');
          if (id === undefined || id.text === '') report(party.line, 'custSupID', 'is required, got none');
          else if (once.has(id.text)) report(id.line, 'custSupID', `expected ${id.text} once`);
          once.add(id?.text ?? '');
          await rest.add(party, [...customerSupplierRow(party), known.get(id?.text ?? '') ?? '', id?.text ?? '']);
        }
        await rest.end();
      }
      await storeAccounts();
      await storeTaxCodes();
      await setControls();
    },
  };

  async function storeAccounts(): Promise<void> {
    const headings = ['Number', 'Name', 'FiscalYear', 'LedgerType', 'DebetOrCredit'];
    const elements = { Number: 'accID', Name: 'accDesc', LedgerType: 'accTp', FiscalYear: 'fiscalYear' };
    const sink = await importerFor(accounts, headings, result.accounts, elements);
    for (const account of ledger.values()) {
      const { type, side, rule } = accountRow(account);
      result.sides[rule]++;
      const text = (element: string) => account.record.values.get(element)?.text ?? '';
      await sink.add(account.record, [text('accID'), text('accDesc'), String(result.fiscalYear), type, side]);
    }
    await sink.end();
  }

  async function storeTaxCodes(): Promise<void> {
    const headings = ['TaxPc', 'Name', 'TaxType', 'TaxExempt'];
    const elements = { TaxPc: 'vatPerc', Name: 'vatDesc', TaxCode: 'vatID' };
    const sink = await importerFor(taxCodes, headings, result.taxCodes, elements);
    const { rows, unknown } = vatRows([...vat.values()], result.fiscalYear);
    for (const { record, cells } of rows) await sink.add(record, cells);
    result.vatWithoutPercentage = unknown;
    await sink.end();
  }

  /** What the file's journals and VAT codes are booked on, the administration books on as well, unless it was set. */
  async function setControls(): Promise<void> {
    const found = controlAccounts(journals, [...vat.values()]);
    result.controls = found.filter(({ column, number }) => administration[column] === '' && ledger.has(number));
    if (result.controls.length === 0) return;
    const values = Object.fromEntries(result.controls.map(({ column, number }) => [column, number]));
    await db.updateTable('administration').where('id', '=', administration.id).set(values).execute();
  }
}

function checkRoot(name: string, uri: string, line: number): void {
  if (name === 'auditfile' && uri === NAMESPACE) return;
  const version = /XAF\/(\d+(?:\.\d+)*)$/i.exec(uri)?.[1];
  const got =
    version !== undefined
      ? `version ${version}`
      : `an element <${name}> ${uri === '' ? 'of no namespace' : `of ${uri}`}`;
  throw new UnreadableFile(
    line,
    `expected an XML Auditfile Financieel 3.2 (<auditfile xmlns="${NAMESPACE}">), got ${got}`,
  );
}

/** The relations whose identification in a file is no number, by that identification: their RelationGUID. */
async function relationsById(db: Database, administrationId: bigint): Promise<Map<string, string>> {
  const rows: { value: string; guid: Row<'relation'>['guid'] }[] = await db
    .selectFrom('relation_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'relation_custom_field.custom_field_id')
    .innerJoin('relation', 'relation.id', 'relation_custom_field.relation_id')
    .where('custom_field.administration_id', '=', administrationId)
    .where('custom_field.owner', '=', 'relation')
    .where('custom_field.label', '=', ID_FIELD)
    .select(['value', 'guid'])
    .execute();
  return new Map(rows.map(({ value, guid }) => [value, String(guid)]));
}

/** An amount as the file writes it, in cents. */
function centsOf(text: string): bigint | undefined {
  return /^[+-]?\d+(\.\d{0,2}0*)?$/.test(text) ? units(text.replace('+', ''), MONEY_SCALE) : undefined;
}

const euros = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const isDay = (text: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

/** What the command says of an auditfile that was imported. */
export function* auditfileReport(result: AuditfileResult): Generator<string> {
  const counts = ({ added, changed, unchanged }: ImportCounts) =>
    `${added} added, ${changed} changed, ${unchanged} unchanged.`;
  yield `accounts of ${result.fiscalYear}: ${counts(result.accounts)}`;
  const rules = Object.entries(result.sides).filter(([, number]) => number > 0);
  if (rules.length > 0) yield `  debet or credit: ${rules.map(([rule, number]) => `${number} by ${rule}`).join(', ')}.`;
  yield `relations: ${counts(result.relations)}`;
  yield `tax-codes: ${counts(result.taxCodes)}`;
  if (result.vatWithoutPercentage.length > 0) {
    yield `  left out, as the file does not tell their percentage: ${result.vatWithoutPercentage.join('; ')}.`;
  }
  yield `periods: ${result.periods}, all of them within the fiscal year.`;
  for (const { column, number } of result.controls) yield `${column.replaceAll('_', ' ')}: ${number}`;
  for (const [what, tally] of [
    ['opening balance', result.checked.openingBalance],
    ['transactions', result.checked.transactions],
  ] as const) {
    if (tally === undefined) yield `The file has no ${what}.`;
    else {
      const sums = `${tally.lines} lines, ${euros(tally.debit)} debit, ${euros(tally.credit)} credit`;
      yield `Not imported: the ${what} (${sums}, as the file declares).`;
    }
  }
}
