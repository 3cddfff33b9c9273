import { setImmediate as otherWork } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { OpenItem, OpenItemPage, OpenItemQuery } from '../../../../shared/resources/generalLedger/openItem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import { filledUp, type ListedValues, listed, prepared, preparedForms, valuesOf } from '../sql/prepared.ts';
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
  const relations = await relationsOf(
    db,
    {
      administrationId: id,
      guid: relation === undefined ? undefined : BigInt(relation),
      after: mark?.guid,
    },
    { isOne: relation !== undefined, hasMark: mark !== undefined, isInside: mark?.item !== undefined },
  );
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

/** The relations of a page, and one more. */
const relationsOf = preparedForms(
  (
    db,
    { administrationId, guid, after }: Record<'guid' | 'after', bigint | undefined> & { administrationId: bigint },
    { isOne, hasMark, isInside }: Record<'isOne' | 'hasMark' | 'isInside', boolean>,
  ) =>
    db
      .selectFrom('relation')
      .where('administration_id', '=', administrationId)
      .$if(isOne, (rows) => rows.where('guid', '=', guid!))
      .$if(hasMark, (rows) => rows.where('guid', isInside ? '>=' : '>', after!))
      .orderBy('guid')
      .limit(PAGE_RELATIONS + 1)
      .select(['id', 'guid', 'customer_number', 'supplier_number', 'name']),
);

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

/** The texts of a list in JSON; none when it is anything else, or escapes what no database stores. */
function textsIn(json: string): string[] {
  try {
    const found = JSON.parse(json) as unknown[];
    return found.every((one) => typeof one === 'string' && !one.includes('\0') && one.isWellFormed())
      ? (found as string[])
      : [];
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
  /** Whether items may be of invoices. */
  hasInvoices: boolean;
};

async function itemsOf(
  db: Database,
  relations: readonly Relation[],
  { controls, day, mark, room, hasInvoices }: Part,
): Promise<OpenItem[]> {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const groups = await groupsOf(
    db,
    { ...valuesOf([...byId.keys(), ...controls]), ...mark?.item, guid: mark?.guid, day, room },
    { relations: byId.size, controls: controls.length, hasMark: mark?.item !== undefined, hasInvoices },
  );
  const invoices = hasInvoices ? await invoicesOf(db, groups) : undefined;
  return groups.map((group) => {
    const relation = byId.get(group.relation_id!)!;
    const invoice = invoices?.(group.entries!);
    return {
      relationGUID: String(relation.guid),
      customerNumber: relation.customer_number === null ? null : Number(relation.customer_number),
      supplierNumber: relation.supplier_number === null ? null : Number(relation.supplier_number),
      relationName: relation.name,
      account: group.ledger_account_number,
      document: group.document,
      date: group.date,
      dueDate: invoice?.sales_due ?? invoice?.purchase_due ?? null,
      salesInvoice: invoice?.number == null ? null : String(invoice.number),
      debit: centsText(group.debit),
      credit: centsText(group.credit),
      open: centsText(group.debit - group.credit),
    };
  });
}

type GroupValues = ListedValues & Partial<NonNullable<Mark['item']>> & Record<'day' | 'room' | 'guid', unknown>;
type GroupForm = Record<'relations' | 'controls', number> & Record<'hasMark' | 'hasInvoices', boolean>;

/** What is open, by relation and document, after the last item of a page. */
const groupsOf = preparedForms((db, values: GroupValues, { relations, controls, hasMark, hasInvoices }: GroupForm) => {
  const all = listed(values, relations + controls);
  const total = (column: 'debit' | 'credit') => sql<Cents>`cast(sum(${sql.ref(column)}) as bigint)`;
  return (
    db
      .selectFrom('journal_line as line')
      .innerJoin('relation', 'relation.id', 'line.relation_id')
      .where('line.relation_id', 'in', all.slice(0, relations) as bigint[])
      .where('line.ledger_account_number', 'in', all.slice(relations) as string[])
      .where('line.date', '<=', values.day as CalendarDate)
      .groupBy(['relation.guid', 'line.relation_id', 'line.ledger_account_number', 'line.document'])
      .having(total('debit'), '<>', total('credit'))
      .$if(hasMark, (lines) =>
        lines.having(sql<SqlBool>`(relation.guid <> ${values.guid}
        or (min(line.date), line.ledger_account_number, line.document)
          > (${values.date}, ${values.account}, ${values.document}))`),
      )
      .orderBy('relation.guid')
      .orderBy(sql`min(line.date)`)
      .orderBy('line.ledger_account_number')
      .orderBy('line.document')
      // A sum: SQLite compiles a statement anew whenever a parameter that is its limit gets a value.
      .limit(sql<number>`${values.room} + 0`)
      .select((eb) => [
        'line.relation_id',
        'line.ledger_account_number',
        'line.document',
        eb.fn.min('line.date').as('date'),
        total('debit').as('debit'),
        total('credit').as('credit'),
      ])
      .$if(hasInvoices, (lines) =>
        lines.select(sql<string>`string_agg(cast(line.journal_entry_id as text), ',')`.as('entries')),
      )
  );
});

type Invoice = { sales_due: CalendarDate | null; purchase_due: CalendarDate | null; number: bigint | null };

/** Entries that are looked for in one statement. */
const MAX_ENTRIES = 1024;

/**
 * Tells of entries, as the ids that a group lists, what their invoices have: the latest days on which they are due, and the
 * highest number. Those of open items alone are looked for: most documents of most books are settled.
 */
async function invoicesOf(
  db: Database,
  groups: readonly { entries?: string | undefined }[],
): Promise<(entries: string) => Invoice | undefined> {
  const ids = [...new Set(groups.flatMap(({ entries }) => entries!.split(',')))];
  const invoices = new Map<string, Invoice>();
  for (let start = 0; start < ids.length; start += MAX_ENTRIES) {
    const some = filledUp(ids.slice(start, start + MAX_ENTRIES)).map(BigInt);
    for (const { id, ...invoice } of await invoiceRows(db, valuesOf(some), { entries: some.length })) {
      invoices.set(String(id), invoice);
    }
  }
  return (entries) =>
    entries
      .split(',')
      .flatMap((id) => invoices.get(id) ?? [])
      .reduce<Invoice | undefined>(
        (one, other) =>
          one === undefined
            ? other
            : {
                sales_due: later(one.sales_due, other.sales_due),
                purchase_due: later(one.purchase_due, other.purchase_due),
                number: later(one.number, other.number),
              },
        undefined,
      );
}

const later = <T extends string | bigint>(one: T | null, other: T | null): T | null =>
  one === null || (other !== null && other > one) ? other : one;

const invoiceRows = preparedForms((db, values: ListedValues, { entries }: { entries: number }) =>
  db
    .selectFrom('journal_entry as entry')
    .leftJoin('sales_invoice', 'sales_invoice.id', 'entry.sales_invoice_id')
    .leftJoin('purchase_invoice', 'purchase_invoice.id', 'entry.purchase_invoice_id')
    .where('entry.id', 'in', listed<bigint>(values, entries))
    .where((eb) => eb.or([eb('sales_invoice_id', 'is not', null), eb('purchase_invoice_id', 'is not', null)]))
    .select([
      'entry.id',
      'sales_invoice.due_date as sales_due',
      'purchase_invoice.due_date as purchase_due',
      'sales_invoice.number',
    ]),
);
