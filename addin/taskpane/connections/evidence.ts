import { type Client, type Credential, createClient } from '../../../shared/client/client.ts';
import { createProductClient, type ProductClient } from '../../../shared/client/productClient.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import type { LedgerAccount } from '../../../shared/resources/ledgerAccount.ts';
import { MAX_RELATIONS, type Relation } from '../../../shared/resources/relation.ts';
import { writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Retry } from '../../excel/batch.ts';
import { readTable, type TableRow } from '../../excel/tables/readTable.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { serviceOf } from '../fetchWithRetry.ts';
import { readPresentProducts } from '../productSheet/presentProducts.ts';
import { ACCOUNTS } from '../pulledLists/accounts.ts';
import { RELATIONS } from '../pulledLists/exportedRelations.ts';
import { INVOICES } from '../pulledLists/invoices.ts';
import { PRODUCTS } from '../sheetColumns/productTable.ts';

/** How many of some rows an administration has as well, with the same name. */
export type Evidence = { subject: 'accounts' | 'relations' | 'invoices' | 'products'; found: number; compared: number };

/** The most invoices of a sheet that are looked up: those of the latest dates. */
const MAX_INVOICES = 50;
/** Another administration may have any number of invoices in that time. */
const MAX_PAGES = 3;

/** The most products of a sheet that are looked up. */
const MAX_PRODUCTS = 500;

type Lists = Pick<Client, 'listledgeraccounts' | 'listrelations' | 'listsalesinvoices'>;
type Sources = Lists & Pick<ProductClient, 'named'>;

/** What rows are compared with, for a credential. */
export function sourcesOf(credential: Credential): Sources {
  const service = serviceOf(credential);
  return { ...createClient(service.base, service.credential, service.fetch), ...createProductClient(service) };
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
    const all = wholeList(client, 'listsalesinvoices', period, ({ InvoiceNumber }) => String(InvoiceNumber), signal);
    for await (const invoices of all) {
      theirs.push(...invoices.map(({ InvoiceNumber, CustomerName }) => keyOf(InvoiceNumber, CustomerName)));
      if (++pages === MAX_PAGES) break;
    }
    const ours = dated.map(({ row }) => keyOf(textIn(row, 'InvoiceNumber'), textIn(row, 'CustomerName')));
    return counted('invoices', ours, theirs);
  },

  async [PRODUCTS](rows, _, client, signal) {
    const named = rows
      .map((row) => ({
        ArticleNumber: textIn(row, 'ArticleNumber'),
        EAN: textIn(row, 'EAN'),
        // A person may have typed the article numbers only.
        Name: textIn(row, 'Name'),
      }))
      .filter(({ ArticleNumber, EAN }) => ArticleNumber !== '' || EAN !== '')
      .slice(0, MAX_PRODUCTS);
    // A service that lists none answers updates only, and the books may be those of others.
    const listed = named.length === 0 ? undefined : await readPresentProducts(client, named, signal);
    if (listed === undefined) return [];
    const found = named.filter((row) => {
      const product = listed.find(row);
      return product !== undefined && (row.Name === '' || row.Name === product.Name);
    });
    return [{ subject: 'products', found: found.length, compared: named.length }];
  },
};

/** Compares whole numbers of any length, without leading zeros. */
const compareNumbers = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : Number(one > other));

/** A serial date of Excel, as the interface writes dates. */
const wireDate = (serial: number): string =>
  writeDate(new Date(Math.round((serial - 25_569) * 86_400_000)).toISOString().slice(0, 10));
