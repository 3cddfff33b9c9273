import type { Client } from '../../../shared/client/client.ts';
import type { ProductClient } from '../../../shared/client/productClient.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import type { TaxType } from '../../../shared/resources/taxCode.ts';
import type { Retry } from '../../excel/batch.ts';
import { writeLists } from '../../excel/lists.ts';
import { showSheet } from '../../excel/showSheet.ts';
import { createTable } from '../../excel/tables/createTable.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import type { ListName, RequestSheet } from '../sheetColumns/requestColumns.ts';
import { EMPTY_ROWS, requestTable } from '../sheetColumns/requestTable.ts';

/** Where lists to choose from are read. */
export type ListClients = {
  client: Pick<Client, 'listrelations' | 'listledgeraccounts' | 'listtaxcodes'>;
  /** Left out where the service lists no products. */
  products: ProductClient | undefined;
};

/** The most that a list offers; others are typed. */
const MAX_OFFERED = 5000;
/** The most products that are read for their units. */
const MAX_PRODUCTS_READ = 100;

type Reader = (clients: ListClients, signal: AbortSignal | undefined) => Promise<string[]>;

/** How each list is read. */
const readers: Readonly<Record<ListName, Reader>> = {
  customers: (clients, signal) => relations(clients, 'CustomerNumber', signal),
  suppliers: (clients, signal) => relations(clients, 'SupplierNumber', signal),
  salesTaxCodes: (clients, signal) => taxCodes(clients, 'Sales', signal),
  purchaseTaxCodes: (clients, signal) => taxCodes(clients, 'Purchase', signal),
  taxCodes: (clients, signal) => taxCodes(clients, undefined, signal),
  accounts: async ({ client }, signal) =>
    unique((await client.listledgeraccounts({}, signal)).map((account) => `${account.Number} ${account.Name}`)),
  units: async ({ products }, signal) => {
    const listed = products === undefined ? [] : (await products.first(MAX_PRODUCTS_READ, signal)).products;
    return unique(listed.map(({ Unit }) => Unit).filter((unit) => unit !== ''));
  },
};

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].slice(0, MAX_OFFERED);

/** @param type undefined: of both */
async function taxCodes(
  { client }: ListClients,
  type: TaxType | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const codes = await client.listtaxcodes({}, signal);
  return unique(codes.filter(({ TaxType }) => type === undefined || TaxType === type).map(({ TaxCode }) => TaxCode));
}

/** The relations with a number of a role, each with its name. */
async function relations(
  { client }: ListClients,
  number: 'CustomerNumber' | 'SupplierNumber',
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const found: string[] = [];
  const pages = wholeList(client, 'listrelations', {}, ({ RelationGUID }) => String(RelationGUID), signal);
  for await (const page of pages) {
    for (const relation of page) if (relation[number]) found.push(`${relation[number]} ${relation.Name}`);
    if (found.length >= MAX_OFFERED) break;
  }
  return unique(found).sort(new Intl.Collator(undefined, { numeric: true }).compare);
}

/**
 * Makes a sheet to fill in, with lists to choose from on a hidden sheet.
 * @returns the name of the sheet
 * @throws WorkbookProblem; Problem or Unreachable when a list cannot be read
 */
export async function makeRequestSheet(
  sheet: RequestSheet,
  messages: Messages,
  administration: Administration,
  clients: ListClients,
  retry: Retry,
): Promise<string> {
  const wanted = [...new Set(Object.values(sheet.columns).flatMap(({ list }) => list ?? []))];
  const lists: { key: string; heading: string; values: readonly string[] }[] = [];
  for (const name of wanted) {
    const values = await readers[name](clients, retry.signal);
    lists.push({ key: name, heading: messages.documentSheets.lists[name], values });
  }
  const sources = await writeLists(messages.documentSheets.listsSheet, administration.id, lists, retry);
  const writer = await createTable(requestTable(sheet, messages, administration, sources), retry);
  try {
    await writer.write(new Array<object>(EMPTY_ROWS).fill({}));
    const { sheetName, sheetId } = await writer.finish();
    await showSheet(sheetId!);
    return sheetName;
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}
