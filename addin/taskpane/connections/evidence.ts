import { type Client, createClient } from '../../../shared/client/client.ts';
import { createProductClient, type ProductClient } from '../../../shared/client/productClient.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import { Problem } from '../../../shared/problem.ts';
import type { LedgerAccount } from '../../../shared/resources/ledgerAccount.ts';
import { MAX_RELATIONS, type Relation } from '../../../shared/resources/relation.ts';
import { invoiceId } from '../../../shared/resources/salesInvoice.ts';
import { writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Retry } from '../../excel/batch.ts';
import { readTable, type TableRow } from '../../excel/tables/readTable.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { serviceOf } from '../fetchWithRetry.ts';
import { readProducts } from '../productSheet/presentProducts.ts';
import { type NamedRow, productReader, readOneProduct } from '../productSheet/readOneByOne.ts';
import { ACCOUNTS } from '../pulledLists/accounts.ts';
import { RELATIONS } from '../pulledLists/exportedRelations.ts';
import { INVOICES } from '../pulledLists/invoices.ts';
import { PRODUCTS } from '../sheetColumns/productTable.ts';
import type { Connection } from './connections.ts';

/** How many of some rows an administration has as well: with the same name, or article numbers without one. */
export type Evidence = {
  subject: 'accounts' | 'relations' | 'invoices' | 'products' | 'articleNumbers';
  found: number;
  compared: number;
  /** The rows that there are, if only some of them were compared. */
  outOf?: number;
};

/** Which others may have too: charts of accounts are alike, and short numbers are everywhere. */
const shared: readonly Evidence['subject'][] = ['accounts', 'articleNumbers'];

/**
 * What evidence shows. `none`: there is none. `shared`: only what other books may have too agrees. `doubtful`: less than
 * half agrees of something that is of these books alone. `contradicted`: nothing that is of these books alone agrees.
 */
export function verdictOn(evidence: readonly Evidence[]): 'none' | 'shared' | 'same' | 'doubtful' | 'contradicted' {
  if (evidence.length === 0) return 'none';
  const own = evidence.filter(({ subject }) => !shared.includes(subject));
  const counted = own.length > 0 ? own : evidence;
  if (counted.every(({ found }) => found === 0)) return 'contradicted';
  if (own.length === 0) return 'shared';
  return own.some(({ found, compared }) => found * 2 < compared) ? 'doubtful' : 'same';
}

/** The most invoices of a sheet that are looked up: those of the latest dates. */
const MAX_INVOICES = 50;
/** Another administration may have any number of invoices in that time. */
const MAX_PAGES = 3;

/** The most products of a sheet that are looked up. */
const MAX_PRODUCTS = 500;
/** The most that are read one by one, where none are listed: a service may allow few requests a minute. */
const MAX_PRODUCTS_READ = 5;

type Lists = Pick<Client, 'listledgeraccounts' | 'listrelations' | 'listsalesinvoices'>;
type Sources = Lists &
  Pick<ProductClient, 'named'> &
  Pick<Client, 'updateproduct'> & {
    /** Whether several products can be read at once. */
    listsProducts: boolean;
  };

/** What rows are compared with, for a connection. */
export function sourcesOf(connection: Connection): Sources {
  const service = serviceOf(connection);
  return {
    ...createClient(service.base, service.credential, service.fetch),
    ...createProductClient(service),
    ...productReader(connection),
    listsProducts: connection.identity?.available.products ?? true,
  };
}

/** Whatever identifies a row, with its name: charts of accounts share most of their numbers. */
const keyOf = (...parts: readonly unknown[]): string => parts.map((part) => String(part ?? '').trim()).join('\n');
const accountKey = (account: LedgerAccount): string => keyOf(account.Number, account.Name);
const relationKey = (relation: Relation): string => keyOf(relation.RelationGUID, relation.Name);

const counted = (subject: Evidence['subject'], ours: readonly string[], theirs: readonly string[]): Evidence[] => {
  const present = new Set(theirs);
  const compared = new Set(ours);
  const found = [...compared].filter((key) => present.has(key)).length;
  return compared.size === 0 ? [] : [{ subject, found, compared: compared.size }];
};

/**
 * Compares what two credentials read: the ledger accounts, and the first relations.
 * @throws Problem, Unreachable
 */
export async function compareCredentials(earlier: Lists, present: Lists, signal?: AbortSignal): Promise<Evidence[]> {
  const read = async (client: Lists) => {
    const accounts = await client.listledgeraccounts({}, signal);
    const relations = await client.listrelations({ Limit: MAX_RELATIONS }, signal);
    return { accounts: accounts.map(accountKey), relations: relations.map(relationKey) };
  };
  const [ours, theirs] = [await read(earlier), await read(present)];
  return [
    ...counted('accounts', ours.accounts, theirs.accounts),
    ...counted('relations', ours.relations, theirs.relations),
  ];
}

/**
 * Compares the rows of sheets with the lists of an administration. A few requests are enough: of relations the first
 * ones are compared, of invoices those of the latest dates.
 * @throws Problem, Unreachable, WorkbookProblem
 */
export async function compareSheets(
  tables: readonly TableHandle[],
  client: Sources,
  retry?: Retry,
): Promise<Evidence[]> {
  const evidence: Evidence[] = [];
  for (const view of [ACCOUNTS, RELATIONS, INVOICES, PRODUCTS] as const) {
    const table = tables.find(({ memory }) => memory.view === view);
    if (table !== undefined)
      evidence.push(...(await compare[view](await readTable(table, retry), table, client, retry?.signal)));
  }
  return evidence;
}

const textIn = ({ cells }: TableRow, key: string): string => String(cells.get(key) ?? '').trim();

type Compare = (
  rows: readonly TableRow[],
  table: TableHandle,
  client: Sources,
  signal: AbortSignal | undefined,
) => Promise<Evidence[]>;

const compare: Readonly<Record<typeof ACCOUNTS | typeof RELATIONS | typeof INVOICES | typeof PRODUCTS, Compare>> = {
  async [ACCOUNTS](rows, { memory }, client, signal) {
    const accounts = await client.listledgeraccounts({ ...memory.query }, signal);
    const ours = rows.map((row) => keyOf(textIn(row, 'Number'), textIn(row, 'Name')));
    return counted('accounts', ours, accounts.map(accountKey));
  },

  async [RELATIONS](rows, _, client, signal) {
    const relations = await client.listrelations({ Limit: MAX_RELATIONS }, signal);
    const ids = relations.map(({ RelationGUID }) => RelationGUID ?? '');
    const isCut = relations.length >= MAX_RELATIONS;
    const listed = rows.filter((row) => !isCut || compareNumbers(textIn(row, 'RelationGUID'), ids.at(-1)!) <= 0);
    const ours = listed.map((row) => keyOf(textIn(row, 'RelationGUID'), textIn(row, 'Name')));
    return counted('relations', ours, relations.map(relationKey));
  },

  async [INVOICES](rows, _, client, signal) {
    const dated = rows
      .map((row) => ({ row, date: Number(row.cells.get('InvoiceDate')) }))
      .filter(({ date }) => date > 0)
      .sort((one, other) => other.date - one.date)
      .slice(0, MAX_INVOICES);
    const [newest, oldest] = [dated[0], dated.at(-1)];
    if (newest === undefined || oldest === undefined) return [];
    const period = { DateFrom: wireDate(oldest.date), DateTill: wireDate(newest.date) };
    const theirs: string[] = [];
    let pages = 0;
    /** The lowest number that was read, if there may be lower ones: those of the service come with the highest first. */
    let lowest: string | undefined;
    const all = wholeList(client, 'listsalesinvoices', period, invoiceId, signal);
    for await (const invoices of all) {
      theirs.push(...invoices.map(({ InvoiceNumber, CustomerName }) => keyOf(InvoiceNumber, CustomerName)));
      if (++pages < MAX_PAGES) continue;
      lowest = String(invoices.at(-1)!.InvoiceNumber);
      break;
    }
    const listed = dated.filter(
      ({ row }) => lowest === undefined || compareNumbers(textIn(row, 'InvoiceNumber'), lowest) >= 0,
    );
    // The latest invoices of its own administration are among those of the latest days.
    const ours = (listed.length > 0 ? listed : dated).map(({ row }) =>
      keyOf(textIn(row, 'InvoiceNumber'), textIn(row, 'CustomerName')),
    );
    return counted('invoices', ours, theirs);
  },

  async [PRODUCTS](rows, _, client, signal) {
    const all = rows
      .map((row) => ({
        ArticleNumber: textIn(row, 'ArticleNumber'),
        EAN: textIn(row, 'EAN'),
        // A person may have typed the article numbers only.
        Name: textIn(row, 'Name'),
      }))
      .filter(({ ArticleNumber, EAN }) => ArticleNumber !== '' || EAN !== '');
    const named = all.filter(({ Name }) => Name !== '');
    const rest = named.length > 0 ? named : all;
    const subject = named.length > 0 ? 'products' : 'articleNumbers';
    if (rest.length === 0) return [];
    const compared = rest.slice(0, client.listsProducts ? MAX_PRODUCTS : MAX_PRODUCTS_READ);
    const nameOf = await (client.listsProducts ? namesListed : namesRead)(compared, client, signal);
    const found = compared.filter((row) => {
      const name = nameOf(row);
      return name !== undefined && (row.Name === '' || row.Name === name);
    }).length;
    const outOf = compared.length < rest.length ? { outOf: rest.length } : {};
    return [{ subject, found, compared: compared.length, ...outOf }];
  },
};

/** The present name of a row's product; undefined where there is none. */
type NameOf = (row: NamedRow) => string | undefined;

/** Reads products at once. @throws Problem, Unreachable */
async function namesListed(
  rows: readonly NamedRow[],
  client: Sources,
  signal: AbortSignal | undefined,
): Promise<NameOf> {
  const { find } = await readProducts(client, rows, signal);
  return (row) => find(row)?.Name;
}

/** Reads products one after the other. @throws Problem, Unreachable */
async function namesRead(rows: readonly NamedRow[], client: Sources, signal: AbortSignal | undefined): Promise<NameOf> {
  const names = new Map<NamedRow, string>();
  for (const row of rows) {
    const product = await readOneProduct(row, client, signal);
    if (!(product instanceof Problem)) names.set(row, product.Name ?? '');
  }
  return (row) => names.get(row);
}

/** Compares whole numbers of any length, without leading zeros. */
const compareNumbers = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : Number(one > other));

/** A serial date of Excel, as the interface writes dates. */
const wireDate = (serial: number): string =>
  writeDate(new Date(Math.round((serial - 25_569) * 86_400_000)).toISOString().slice(0, 10));
