import { setImmediate as otherWork } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { OpenItem, OpenItemPage, OpenItemQuery } from '../../../../shared/resources/generalLedger/openItem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import { prepared } from '../sql/prepared.ts';
import type { Cents, Row } from '../sql/schema.ts';
import { accountBalances, fiscalYearsOf } from './balances.ts';

type Administration = Pick<
  Row<'administration'>,
  'id' | 'debtor_account' | 'creditor_account' | 'result_account' | 'fiscal_year_start'
>;
type Relation = Pick<Row<'relation'>, 'id' | 'guid' | 'customer_number' | 'supplier_number' | 'name'>;

/** Relations of a page, and those whose lines are read in one statement: others work in between. */
const PAGE_RELATIONS = 250;
const STATEMENT_RELATIONS = 25;

/**
 * What is open at the end of a day, by relation and document: debit less credit of the lines on the accounts of customers
 * and suppliers, where it is not zero. A page has the items of some relations, or a part of those of one with very many.
 */
export async function openItems(
  db: Database,
  administration: Administration,
  { relation, after, limit }: Pick<OpenItemQuery, 'relation' | 'after' | 'limit'>,
  day: CalendarDate,
): Promise<OpenItemPage> {
  const { id, debtor_account, creditor_account } = administration;
  const controls = [debtor_account, creditor_account].filter((account) => account !== '');
  const mark = after === undefined ? undefined : markIn(after);
  const relations = await db
    .selectFrom('relation')
    .where('administration_id', '=', id)
    .$if(relation !== undefined, (rows) => rows.where('guid', '=', BigInt(relation!)))
    .$if(mark !== undefined, (rows) => rows.where('guid', mark!.item === undefined ? '>' : '>=', mark!.guid))
    .orderBy('guid')
    .limit(PAGE_RELATIONS + 1)
    .select(['id', 'guid', 'customer_number', 'supplier_number', 'name'])
    .execute();
  const page = relations.slice(0, PAGE_RELATIONS);
  const hasInvoices = (await anyInvoice(db, { administrationId: id })).length > 0;
  const items: OpenItem[] = [];
  for (let start = 0; start < page.length && items.length <= limit; start += STATEMENT_RELATIONS) {
    const some = page.slice(start, start + STATEMENT_RELATIONS);
    const room = limit + 1 - items.length;
    if (controls.length > 0) items.push(...(await itemsOf(db, some, { controls, day, mark, room, hasInvoices })));
    await otherWork();
  }
  const isCut = items.length > limit;
  if (isCut) items.pop();
  const balances = await accountBalances(
    db,
    administration,
    { first: day, last: day },
    await fiscalYearsOf(db, administration),
  );
  return {
    at: day,
    items,
    controls: balances
      .filter(({ number }) => controls.includes(number))
      .map(({ number, name, closing }) => ({ account: number, name, balance: closing })),
    next: isCut ? endOf(items.at(-1)!) : relations.length > PAGE_RELATIONS ? String(page.at(-1)!.guid) : null,
  };
}

/** Where a page ends: after all of a relation, or after one of its items. */
type Mark = { guid: bigint; item?: Pick<OpenItem, 'date' | 'account' | 'document'> };

const endOf = ({ relationGUID, date, account, document }: OpenItem): string =>
  JSON.stringify([relationGUID, date, account, document]);

/** @throws Problem when the text is no end of a page */
function markIn(after: string): Mark {
  if (/^\d{1,18}$/.test(after)) return { guid: BigInt(after) };
  const [, guid, texts] = /^\["(\d{1,18})",(".*")\]$/s.exec(after) ?? [];
  const [date, account, document, ...more] = guid === undefined ? [] : textsIn(`[${texts}]`);
  if (document === undefined || more.length > 0) throw refuseFields([fieldError('after', 'NOT_PAGE_MARK')]);
  return { guid: BigInt(guid!), item: { date: date!, account: account!, document } };
}

/** The texts of a list in JSON; none when it is anything else. */
function textsIn(json: string): string[] {
  try {
    const found = JSON.parse(json) as unknown[];
    return found.every((one) => typeof one === 'string') ? found : [];
  } catch {
    return [];
  }
}

/** An invoice of an administration: without any, no item has a day on which it is due. Audit files bring none. */
const anyInvoice = prepared((db, { administrationId }: { administrationId: bigint }) => {
  const oneOf = (table: 'sales_invoice' | 'purchase_invoice') =>
    db.selectFrom(table).where('administration_id', '=', administrationId).limit(1).select('id').as('one');
  return db
    .selectFrom(oneOf('sales_invoice'))
    .selectAll()
    .unionAll(db.selectFrom(oneOf('purchase_invoice')).selectAll());
});

type Part = {
  controls: readonly string[];
  day: CalendarDate;
  mark: Mark | undefined;
  room: number;
  /** Whether items may be of invoices, which every line looks for. */
  hasInvoices: boolean;
};

async function itemsOf(
  db: Database,
  relations: readonly Relation[],
  { controls, day, mark, room, hasInvoices }: Part,
): Promise<OpenItem[]> {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const total = (column: 'debit' | 'credit') => sql<Cents>`cast(sum(${sql.ref(column)}) as bigint)`;
  const groups = await db
    .selectFrom('journal_line as line')
    .innerJoin('relation', 'relation.id', 'line.relation_id')
    .where('line.relation_id', 'in', [...byId.keys()])
    .where('line.ledger_account_number', 'in', controls)
    .where('line.date', '<=', day)
    .groupBy(['relation.guid', 'line.relation_id', 'line.ledger_account_number', 'line.document'])
    .having(total('debit'), '<>', total('credit'))
    .$if(mark?.item !== undefined, (lines) => lines.having(isAfter(mark!)))
    .orderBy('relation.guid')
    .orderBy(sql`min(line.date)`)
    .orderBy('line.ledger_account_number')
    .orderBy('line.document')
    .limit(room)
    .select((eb) => [
      'line.relation_id',
      'line.ledger_account_number',
      'line.document',
      eb.fn.min('line.date').as('date'),
      total('debit').as('debit'),
      total('credit').as('credit'),
    ])
    .$if(hasInvoices, (lines) =>
      lines
        .innerJoin('journal_entry as entry', 'entry.id', 'line.journal_entry_id')
        .leftJoin('sales_invoice', 'sales_invoice.id', 'entry.sales_invoice_id')
        .leftJoin('purchase_invoice', 'purchase_invoice.id', 'entry.purchase_invoice_id')
        .select(({ fn }) => [
          fn.max('sales_invoice.due_date').as('sales_due'),
          fn.max('purchase_invoice.due_date').as('purchase_due'),
          fn.max('sales_invoice.number').as('sales_invoice'),
        ]),
    )
    .execute();
  return groups
    .map((group) => ({ group, relation: byId.get(group.relation_id!)! }))
    .map(({ group, relation }) => ({
      relationGUID: String(relation.guid),
      customerNumber: relation.customer_number === null ? null : Number(relation.customer_number),
      supplierNumber: relation.supplier_number === null ? null : Number(relation.supplier_number),
      relationName: relation.name,
      account: group.ledger_account_number,
      document: group.document,
      date: group.date,
      dueDate: group.sales_due ?? group.purchase_due ?? null,
      salesInvoice: group.sales_invoice == null ? null : String(group.sales_invoice),
      debit: centsText(group.debit),
      credit: centsText(group.credit),
      open: centsText(group.debit - group.credit),
    }));
}

/** A condition that an item comes after the last one of a page. */
const isAfter = ({ guid, item }: Mark) =>
  sql<SqlBool>`(relation.guid <> ${guid} or
    (min(line.date), line.ledger_account_number, line.document) > (${item!.date}, ${item!.account}, ${item!.document}))`;
