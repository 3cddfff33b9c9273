import type { Client } from '../../../shared/client/client.ts';
import type { LedgerClient } from '../../../shared/client/ledgerClient.ts';
import { groupBy } from '../../../shared/groupBy.ts';
import { abs, cents, centsText, sum } from '../../../shared/money.ts';
import { MAX_LINES, MAX_REFERENCE_LENGTH } from '../../../shared/resources/document.ts';
import type { EntryLine, EntryPage } from '../../../shared/resources/generalLedger/ledgerEntry.ts';
import { type CalendarDate, dateIn, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Retry } from '../../excel/batch.ts';
import { type Cell, cellOf, textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { appendRows } from '../../excel/tables/rowsBelow.ts';
import {
  type Administration,
  isSameAdministration,
  type TableMemory,
  tablesInWorkbook,
} from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { languages, wordsIn } from '../locales/words.ts';
import { TIME_ZONE } from '../pulledLists/list.ts';
import { DOCUMENT } from '../sheetColumns/requestColumns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { codeWord } from '../sheetColumns/requestTable.ts';
import { makeRequestSheet } from './makeRequestSheet.ts';
import type { ListClients } from './offeredLists.ts';

/** The numbers of a relation; one that it does not have is 0. */
type Numbers = { name: string; customer: number; supplier: number };

type Facts = {
  /** By RelationGUID. */
  relations: ReadonlyMap<string, Numbers>;
  /** On which it is booked. */
  date: CalendarDate;
  messages: Messages;
  /** What its invoice taxes without a line of tax. */
  taxedWithoutLine?: TaxedWithoutLine;
};

type TaxedWithoutLine = EntryPage['taxedWithoutLine'];
/** What a line says of tax; without `tax`, the line is the tax itself. */
type Tax = { code: string; base: bigint; tax?: bigint };

const amountOf = ({ debit, credit }: EntryLine): bigint => cents(debit) - cents(credit);

/** What is taxed by each line of tax of a code; undefined when a journal entry cannot have it. */
function taxBases(lines: readonly EntryLine[]): Map<EntryLine, bigint> | undefined {
  const isTax = (line: EntryLine) => cents(line.taxAmount) === amountOf(line);
  const taxes = lines.filter(isTax);
  // In audit files the taxed line has the base, and the tax is another one.
  const elsewhere = sum(lines.filter((line) => !isTax(line)).map(({ taxBase }) => cents(taxBase)));
  const bases = taxes.map((line, index) => cents(line.taxBase) + (index === 0 ? elsewhere : 0n));
  // What is taxed is on the side of the tax.
  const isOnSide = taxes.every((line, index) => bases[index]! * amountOf(line) >= 0n);
  return isOnSide && taxes.length > 0 ? new Map(taxes.map((line, index) => [line, bases[index]!])) : undefined;
}

/** The tax of a line as it stands there; undefined when a journal entry cannot have it. */
function ownTax(line: EntryLine): Tax | undefined {
  const [amount, base, tax] = [amountOf(line), cents(line.taxBase), cents(line.taxAmount)];
  if (base * amount < 0n || tax * amount < 0n) return undefined;
  return { code: line.taxCode, base, ...(tax === amount ? {} : { tax }) };
}

/** A part of a line, with its tax if it has one. */
type Part = { amount: bigint; tax?: Tax };

/**
 * The parts of a line of an invoice: what is taxed with each code that has no line of tax, and the rest. Undefined when a
 * part has no amount, or tax on the other side.
 */
function partsOf(line: EntryLine, taxed: TaxedWithoutLine): Part[] | undefined {
  const parts = taxed.map(({ taxCode: code, amount, taxBase, taxAmount }): Required<Part> => {
    return { amount: cents(amount), tax: { code, base: cents(taxBase), tax: cents(taxAmount) } };
  });
  const isOnSide = ({ amount, tax: { base, tax = 0n } }: Required<Part>) =>
    amount !== 0n && base * amount > 0n && tax * amount >= 0n && tax !== amount;
  if (!parts.every(isOnSide)) return undefined;
  const rest = amountOf(line) - sum(parts.map(({ amount }) => amount));
  return rest === 0n ? parts : [{ amount: rest }, ...parts];
}

/**
 * The rows of an entry that takes back all lines of another one, in a sheet of journal entries: debit is credit, and its
 * description names the other one. `leftOut`: what journal entries cannot have.
 */
export function counterRows(
  lines: readonly EntryLine[],
  { relations, date, messages, taxedWithoutLine = [] }: Facts,
): { rows: Record<string, Cell>[]; leftOut: string[] } {
  const first = lines[0]!;
  const texts = messages.counterEntry;
  const journal = first.journal ?? 'memorial';
  const named = texts.description(codeWord(journal, messages), first.entryNumber, writeDate(first.date));
  const taxes = new Map<EntryLine, Tax>();
  const leftOut = new Set<string>();
  for (const [code, taxed] of groupBy(lines, ({ taxCode }) => taxCode)) {
    if (code === '') continue;
    const bases = taxBases(taxed);
    for (const [line, base] of bases ?? []) taxes.set(line, { code, base });
    if (bases !== undefined) continue;
    const own = taxed.map(ownTax);
    if (own.includes(undefined)) leftOut.add(texts.tax(code));
    else for (const [index, line] of taxed.entries()) taxes.set(line, own[index]!);
  }
  const placeOf = ({ account, costCenter }: Pick<EntryLine, 'account' | 'costCenter'>) => `${account}\n${costCenter}`;
  const untaxed = groupBy(taxedWithoutLine, placeOf);
  const parts = lines.flatMap((line): (Part & { line: EntryLine })[] => {
    const tax = taxes.get(line);
    const place = placeOf(line);
    const found = line.taxCode === '' && untaxed.has(place) ? partsOf(line, untaxed.get(place)!) : undefined;
    if (found === undefined) return [{ line, amount: amountOf(line), ...(tax === undefined ? {} : { tax }) }];
    untaxed.delete(place);
    return found.map((part) => ({ line, ...part }));
  });
  for (const { taxCode } of [...untaxed.values()].flat()) leftOut.add(texts.tax(taxCode));
  const amount = (value: bigint): Cell => cellOf('amount', centsText(abs(value)));
  const rows = parts.map(({ line, amount: booked, tax }, index) => {
    const changed = -booked;
    const relation = line.relationGUID === null ? undefined : relations.get(line.relationGUID);
    const [customer, supplier] = [relation?.customer ?? 0, relation?.supplier ?? 0];
    const isSupplier = supplier !== 0 && (customer === 0 || journal === 'purchases');
    if (line.relationGUID !== null && customer === 0 && supplier === 0) leftOut.add(line.relationName);
    return {
      [DOCUMENT]: texts.document(line.entry ?? ''),
      ...(index > 0
        ? {}
        : {
            EntryDate: cellOf('date', date),
            Journal: codeWord(journal === 'sales' || journal === 'purchases' ? 'memorial' : journal, messages),
            EntryDescription: named,
          }),
      LedgerAccountNumber: `${line.account} ${line.accountName}`.trim(),
      [changed > 0n ? 'Debit' : 'Credit']: amount(changed),
      Description: line.description === '' ? '' : `${named}: ${line.description}`.slice(0, MAX_REFERENCE_LENGTH),
      ...(isSupplier
        ? { SupplierNumber: `${supplier} ${relation!.name}` }
        : customer === 0
          ? {}
          : { CustomerNumber: `${customer} ${relation!.name}` }),
      LineDocument: line.document,
      CostCenter: line.costCenter,
      ...(tax === undefined ? {} : { TaxCode: tax.code, TaxBase: amount(tax.base) }),
      ...(tax?.tax === undefined ? {} : { TaxAmount: amount(tax.tax) }),
    };
  });
  return { rows, leftOut: [...leftOut] };
}

type Tools = ListClients & {
  client: Pick<Client, 'listrelations'>;
  ledger: Pick<LedgerClient, 'entryPages' | 'figures'>;
  messages: Messages;
  administration: Administration;
  retry: Retry;
  now?: () => Date;
};

/** What came of reversing an entry. `tooLong`: it has more lines than one that is made here. */
export type Reversed =
  | { outcome: 'gone' | 'tooLong' }
  | { outcome: 'added' | 'there'; sheetName: string; number: number; leftOut: readonly string[] };

/**
 * Puts an entry that takes back another one into the sheet of journal entries, where it is checked and sent as others
 * are. It is booked on the day of the other one while that is open, else today. An entry that the sheet takes back
 * already is not put there again.
 * @throws WorkbookProblem, Problem, Unreachable
 */
export async function reverseEntry(
  entry: string,
  { ledger, retry, now = () => new Date(), ...tools }: Tools,
): Promise<Reversed> {
  const { client, messages, administration } = tools;
  const lines: EntryLine[] = [];
  let taxedWithoutLine: TaxedWithoutLine = [];
  for await (const page of ledger.entryPages({ entry }, retry.signal)) {
    lines.push(...page.lines);
    taxedWithoutLine = page.taxedWithoutLine;
    if (lines.length > MAX_LINES) return { outcome: 'tooLong' };
  }
  const [first] = lines;
  if (first === undefined) return { outcome: 'gone' };
  const { date } = first;
  const { bookable } = await ledger.figures({}, retry.signal);
  const today = dateIn(TIME_ZONE, now());
  const isOpen = (day: CalendarDate) => bookable.first <= day && day <= bookable.last;
  const relations = new Map<string, Numbers>();
  for (const RelationGUID of new Set(lines.flatMap(({ relationGUID }) => relationGUID ?? []))) {
    const [found] = await client.listrelations({ RelationGUID }, retry.signal);
    if (found === undefined) continue;
    const { Name: name, CustomerNumber: customer, SupplierNumber: supplier } = found;
    relations.set(RelationGUID, { name, customer: customer ?? 0, supplier: supplier ?? 0 });
  }
  const { rows, leftOut } = counterRows(lines, {
    relations,
    date: isOpen(date) || !isOpen(today) ? date : today,
    messages,
    taxedWithoutLine,
  });
  if (rows.length > MAX_LINES) return { outcome: 'tooLong' };

  const sheet = requestSheets.journalEntryRows;
  const required = [...new Set(rows.flatMap((row) => Object.keys(row).filter((column) => row[column] !== '')))];
  /** A sheet of an earlier version may lack a column. */
  const hasColumns = ({ columns, removed = [] }: TableMemory) =>
    required.every((column) => [...columns, ...removed].some(({ key }) => key === column));
  const findSheet = async () =>
    (await tablesInWorkbook(retry)).findLast(
      ({ memory }) =>
        memory.view === sheet.view && isSameAdministration(memory.administration, administration) && hasColumns(memory),
    );
  let handle = await findSheet();
  if (handle === undefined) {
    await makeRequestSheet(sheet, messages, administration, tools, retry);
    handle = (await findSheet())!;
  }
  const documents = languages.map((language) => wordsIn[language].counterEntry.document(entry));
  const isThere = ({ cells }: Pick<TableRow, 'cells'>) => documents.includes(textOfCell(cells.get(DOCUMENT) ?? ''));
  const { number, wasThere } = await appendRows(handle, { rows, required, prefilled: [], isThere }, retry);
  return { outcome: wasThere ? 'there' : 'added', sheetName: handle.sheetName, number, leftOut };
}
