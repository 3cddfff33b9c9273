import type { Client } from '../../../shared/client/client.ts';
import type { ProductClient } from '../../../shared/client/productClient.ts';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import type { TaxType } from '../../../shared/resources/taxCode.ts';
import type { Retry } from '../../excel/batch.ts';
import { textOfCell } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { type Administration, isSameAdministration, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { PRODUCTS, type ProductColumn } from '../sheetColumns/productTable.ts';
import type { ListName } from '../sheetColumns/requestColumns.ts';

/** Where lists to choose from are read. */
export type ListClients = {
  client: Pick<Client, 'listrelations' | 'listledgeraccounts' | 'listtaxcodes'>;
  /** Left out where the service lists no products. */
  products: ProductClient | undefined;
  pushes: Pick<PushClient, 'page' | 'changes'>;
};

/** The most that a list offers; others are typed. */
const MAX_OFFERED = 5000;
/** The most products that are read for their units. */
const MAX_PRODUCTS_READ = 100;
/** The most pushes, the latest ones, that are read for what their responses had. */
const MAX_PUSHES_READ = 5;

type Sources = ListClients & { administration: Administration; retry: Retry };

/** How each list is read. */
const readers: Readonly<Record<ListName, (sources: Sources) => Promise<string[]>>> = {
  customers: (sources) => relations(sources, 'CustomerNumber'),
  suppliers: (sources) => relations(sources, 'SupplierNumber'),
  salesTaxCodes: (sources) => taxCodes(sources, 'Sales'),
  purchaseTaxCodes: (sources) => taxCodes(sources, 'Purchase'),
  taxCodes: (sources) => taxCodes(sources, undefined),
  accounts: async ({ client, retry }) =>
    (await client.listledgeraccounts({}, retry.signal)).map((account) => `${account.Number} ${account.Name}`),
  units: async (sources) => {
    const { products, retry } = sources;
    if (products !== undefined)
      return (await products.first(MAX_PRODUCTS_READ, retry.signal)).products.map(({ Unit }) => Unit);
    return [
      ...(await presentValues(sources, 'Unit')),
      ...(await pushedValues(sources, ({ product }) => product?.Unit)),
    ];
  },
  // No service lists them.
  orderStatuses: (sources) => pushedValues(sources, ({ document }) => document?.status),
};

/** What a list offers, each value once. @throws Problem, Unreachable, WorkbookProblem */
export async function offeredValues(name: ListName, sources: Sources): Promise<string[]> {
  const values = await readers[name](sources);
  return [...new Set(values)].filter((value) => value !== '').slice(0, MAX_OFFERED);
}

/** @param type undefined: of both */
async function taxCodes({ client, retry }: Sources, type: TaxType | undefined): Promise<string[]> {
  const codes = await client.listtaxcodes({}, retry.signal);
  return codes.filter(({ TaxType }) => type === undefined || TaxType === type).map(({ TaxCode }) => TaxCode);
}

/** The relations with a number of a role, each with its name. */
async function relations({ client, retry }: Sources, number: 'CustomerNumber' | 'SupplierNumber'): Promise<string[]> {
  const found: string[] = [];
  const pages = wholeList(client, 'listrelations', {}, ({ RelationGUID }) => String(RelationGUID), retry.signal);
  for await (const page of pages) {
    for (const relation of page) if (relation[number]) found.push(`${relation[number]} ${relation.Name}`);
    if (found.length >= MAX_OFFERED) break;
  }
  return found.sort(new Intl.Collator(undefined, { numeric: true }).compare);
}

/** The present values of products that the product sheets of the administration in this workbook have. */
async function presentValues({ administration, retry }: Sources, column: ProductColumn): Promise<string[]> {
  const found: string[] = [];
  for (const handle of await tablesInWorkbook(retry)) {
    const { view, administration: owner } = handle.memory;
    if (view !== PRODUCTS || !isSameAdministration(owner, administration)) continue;
    for (const { cells } of await readTable(handle, retry)) found.push(textOfCell(cells.get(column) ?? ''));
  }
  return found;
}

/** A value of what the latest pushes made or changed, as the service returned it. */
async function pushedValues(
  { pushes, retry }: Sources,
  valueIn: (row: PushRow) => string | undefined,
): Promise<string[]> {
  const { pushes: latest } = await pushes.page('', retry.signal);
  const found: string[] = [];
  for (const { id } of latest.slice(0, MAX_PUSHES_READ)) {
    const { rows } = await pushes.changes(id, '', retry.signal);
    found.push(...rows.map((row) => valueIn(row) ?? ''));
  }
  return found;
}
