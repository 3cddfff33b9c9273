import { setImmediate as otherWork } from 'node:timers/promises';
import { sql } from 'kysely';
import { centsText } from '../../../../shared/money.ts';
import type { OpenItem, OpenItemPage, OpenItemQuery } from '../../../../shared/resources/generalLedger/openItem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
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
 * and suppliers, where it is not zero.
 */
export async function openItems(
  db: Database,
  administration: Administration,
  { relation, after }: Pick<OpenItemQuery, 'relation' | 'after'>,
  day: CalendarDate,
): Promise<OpenItemPage> {
  const { id, debtor_account, creditor_account } = administration;
  const controls = [debtor_account, creditor_account].filter((account) => account !== '');
  const relations = await db
    .selectFrom('relation')
    .where('administration_id', '=', id)
    .$if(relation !== undefined, (rows) => rows.where('guid', '=', BigInt(relation!)))
    .$if(after !== undefined, (rows) => rows.where('guid', '>', BigInt(after!)))
    .orderBy('guid')
    .limit(PAGE_RELATIONS + 1)
    .select(['id', 'guid', 'customer_number', 'supplier_number', 'name'])
    .execute();
  const page = relations.slice(0, PAGE_RELATIONS);
  const items: OpenItem[] = [];
  for (let start = 0; start < page.length; start += STATEMENT_RELATIONS) {
    if (controls.length > 0)
      items.push(...(await itemsOf(db, page.slice(start, start + STATEMENT_RELATIONS), controls, day)));
    await otherWork();
  }
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
    next: relations.length > PAGE_RELATIONS ? String(page.at(-1)!.guid) : null,
  };
}

async function itemsOf(
  db: Database,
  relations: readonly Relation[],
  controls: readonly string[],
  day: CalendarDate,
): Promise<OpenItem[]> {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const total = (column: 'debit' | 'credit') => sql<Cents>`cast(sum(${sql.ref(column)}) as bigint)`;
  const groups = await db
    .selectFrom('journal_line as line')
    .innerJoin('journal_entry as entry', 'entry.id', 'line.journal_entry_id')
    .leftJoin('sales_invoice', 'sales_invoice.id', 'entry.sales_invoice_id')
    .leftJoin('purchase_invoice', 'purchase_invoice.id', 'entry.purchase_invoice_id')
    .where('line.relation_id', 'in', [...byId.keys()])
    .where('line.ledger_account_number', 'in', controls)
    .where('line.date', '<=', day)
    .groupBy(['line.relation_id', 'line.ledger_account_number', 'line.document'])
    .having(total('debit'), '<>', total('credit'))
    .select((eb) => [
      'line.relation_id',
      'line.ledger_account_number',
      'line.document',
      eb.fn.min('line.date').as('date'),
      eb.fn.max('sales_invoice.due_date').as('sales_due'),
      eb.fn.max('purchase_invoice.due_date').as('purchase_due'),
      eb.fn.max('sales_invoice.number').as('sales_invoice'),
      total('debit').as('debit'),
      total('credit').as('credit'),
    ])
    .execute();
  return groups
    .map((group) => ({ group, relation: byId.get(group.relation_id!)! }))
    .sort(
      (a, b) =>
        compare(a.relation.guid, b.relation.guid) ||
        compare(a.group.date, b.group.date) ||
        compare(a.group.ledger_account_number, b.group.ledger_account_number) ||
        compare(a.group.document, b.group.document),
    )
    .map(({ group, relation }) => ({
      relationGUID: String(relation.guid),
      customerNumber: relation.customer_number === null ? null : Number(relation.customer_number),
      supplierNumber: relation.supplier_number === null ? null : Number(relation.supplier_number),
      relationName: relation.name,
      account: group.ledger_account_number,
      document: group.document,
      date: group.date,
      dueDate: group.sales_due ?? group.purchase_due ?? null,
      salesInvoice: group.sales_invoice === null ? null : String(group.sales_invoice),
      debit: centsText(group.debit),
      credit: centsText(group.credit),
      open: centsText(group.debit - group.credit),
    }));
}

const compare = <Value extends string | bigint>(one: Value, other: Value): number =>
  one < other ? -1 : Number(one > other);
