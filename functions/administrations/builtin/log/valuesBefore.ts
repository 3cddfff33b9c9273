import { setImmediate as otherWork } from 'node:timers/promises';
import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import type { ProductUpdate } from '../../../../shared/resources/product.ts';
import type { AppliedWrite, ValuesBefore } from '../../administration.ts';
import type { Database } from '../sql/database.ts';
import type { Column } from '../sql/declarations/column.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { loggedChanges } from './loggedChanges.ts';

/** Rows of the log that one statement looks at: others work in between. */
const STEP = 1000n;
/** The most statements: of work beside a long import the values stay unknown. */
const MAX_STEPS = 200;

/** Columns that refer to a row of another table, and the fields of a request that name that row. */
const references = {
  category_id: ['CategoryName'],
  sales_tax_code_id: ['TaxCode', 'NewVATPercentage'],
  purchase_tax_code_id: ['TaxCodePurchase', 'NewPurchasePriceVATPercentage'],
} as const satisfies Partial<Record<keyof Row<'product'>, readonly (keyof ProductUpdate)[]>>;

/** The column of a product that a field of a request sets. Stock has none of its own: it is the sum of its mutations. */
const columnOf: ReadonlyMap<string, string> = new Map([
  ['NewStockQty', 'stock'],
  ...columnsOf('product').flatMap(([name, { request, to }]: readonly [string, Column]) =>
    request === null || to !== null ? [] : [[request, name] as const],
  ),
  ...Object.entries(references).flatMap(([column, fields]) => fields.map((field) => [field, column] as const)),
]);

/** Columns of a product as they were, as the log has them. */
type OldColumns = Readonly<Record<string, unknown>>;

/**
 * What applied writes of a period set, as it was before, out of the log: of updates of products. A product that was
 * changed more than once in the period has none, since it is unknown which update is meant.
 */
export async function valuesBefore(
  db: Database,
  administrationId: bigint,
  period: { from: Seconds; until: Seconds },
  writes: readonly AppliedWrite[],
): Promise<readonly (ValuesBefore | undefined)[]> {
  // A product that was named by its EAN has its number in the response.
  const names = writes.map(({ name, request, shown }) =>
    name !== 'updateproduct' ? undefined : (request.ArticleNumber ?? (shown && articleIn(shown))),
  );
  const wanted = new Set(names.filter((name) => name !== undefined));
  if (wanted.size === 0) return names.map(() => undefined);
  const columnsBefore = await productsBefore(db, administrationId, period, wanted);
  const textOf = await fieldTexts(db, administrationId);
  return writes.map(({ request }, index) => {
    const name = names[index];
    const old = name === undefined ? undefined : columnsBefore(name);
    return old && valuesOf(request, old, textOf);
  });
}

const articleIn = (shown: string): string | undefined => JSON.parse(shown).ArticleNumber;

/** The fields of a request as they were before it. What the log has no change of was as the request says. */
function valuesOf(request: object, old: OldColumns, textOf: FieldText): ValuesBefore {
  const values: Record<string, string> = {};
  for (const [field, sent] of Object.entries(request)) {
    const column = columnOf.get(field);
    if (column === undefined || sent === undefined || sent === null) continue;
    // A quantity that is added says nothing about the stock.
    const isAdded =
      field === 'NewStockQty' && !('StockUpdateMode' in request && request.StockUpdateMode === 'Absolute');
    if (column in old) values[field] = textOf(field, old[column]);
    else if (!isAdded) values[field] = String(sent);
  }
  return values;
}

type FieldText = (field: string, value: unknown) => string;

/** Writes values of columns as a request has them: the log has categories and tax codes by their names. */
async function fieldTexts(db: Database, administrationId: bigint): Promise<FieldText> {
  const codes = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administrationId)
    .select(['code', 'percentage'])
    .execute();
  const percentages = new Map(codes.map(({ code, percentage }) => [code, decimalText(percentage, DECIMAL_SCALE)]));
  return (field, value) => {
    const text = String(value ?? '');
    return field.endsWith('VATPercentage') ? (percentages.get(text) ?? '') : text;
  };
}

/**
 * What products were before they were updated in a period.
 * @returns the changed columns of a product, by its article number; undefined where that is unknown
 */
async function productsBefore(
  db: Database,
  administrationId: bigint,
  { from, until }: { from: Seconds; until: Seconds },
  names: ReadonlySet<string>,
): Promise<(name: string) => OldColumns | undefined> {
  const log = db.selectFrom('log').where('administration_id', '=', administrationId);
  const last = (await log.orderBy('sequence', 'desc').limit(1).select('sequence').executeTakeFirst())?.sequence ?? -1n;
  const momentAt = async (sequence: bigint) =>
    (await log.where('sequence', '>=', sequence).orderBy('sequence').limit(1).select('at').executeTakeFirst())?.at;
  // The first row of the period by halves: moments rise with numbers, and have no index of their own.
  let [first, end] = [0n, last + 1n];
  while (first < end) {
    const middle = (first + end) / 2n;
    const at = await momentAt(middle);
    if (at !== undefined && at < from) first = middle + 1n;
    else end = middle;
  }
  const found = new Map<string, OldColumns>();
  const repeated = new Set<string>();
  let isComplete = first > last;
  for (let step = 0; !isComplete && step < MAX_STEPS; step++, first += STEP) {
    const rows = await log
      .where('sequence', '>=', first)
      .where('sequence', '<', first + STEP)
      .where('kind', '=', 'product')
      .where('action', '=', 'updateproduct')
      .orderBy('sequence')
      .selectAll()
      .execute();
    for (const row of rows) {
      if (row.at > until || !names.has(row.subject)) continue;
      const old = oldColumns(loggedChanges(row));
      // An update that changed nothing may be of anyone.
      if (Object.keys(old).length === 0) continue;
      if (found.has(row.subject)) repeated.add(row.subject);
      found.set(row.subject, old);
    }
    const next = await momentAt(first + STEP);
    isComplete = next === undefined || next > until;
    if (!isComplete) await otherWork();
  }
  // A product that nothing changed is as it was before.
  return (name) => (repeated.has(name) ? undefined : (found.get(name) ?? (isComplete ? {} : undefined)));
}

const recorded = new Set(columnOf.values());

/** The columns of a product that an update changed, of those that a request can set. */
const oldColumns = (changes: ReturnType<typeof loggedChanges>): OldColumns =>
  Object.fromEntries(
    changes
      .flatMap((change) => ('counts' in change || change.table !== 'product' ? [] : Object.entries(change.old ?? {})))
      .filter(([column]) => recorded.has(column)),
  );
