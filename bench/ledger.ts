import path from 'node:path';
import { sql } from 'kysely';
import { type LedgerOrder, ledgerResponse } from '../functions/administrations/builtin/balances/ledgerResponse.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import type { Row } from '../functions/administrations/builtin/sql/schema.ts';
import { MAX_ENTRY_LINES } from '../shared/resources/generalLedger/ledgerEntry.ts';
import { MAX_OPEN_ITEMS } from '../shared/resources/generalLedger/openItem.ts';
import { alternately, eachOf, inFolder, median, type Ratio } from './measure.ts';
import { fillRelations } from './relations.ts';

const LINES = 1_000_000;
/** Of an entry: a customer or supplier, tax, and one of the accounts of the result. */
const LINES_OF_ENTRY = 4;
const RELATIONS = 2000;
const RESULT_ACCOUNTS = 200;
const RUNS = 15;

/**
 * What is read of a ledger of a million lines in one year, as its routes answer it, against the bare SQL of the same rows.
 * The parts of a response are read at one moment, which the bare statements are not.
 */
export const measureLedger = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const db = await openDatabase(`sqlite:${path.join(folder, 'ledger.sqlite')}`);
    try {
      const administration = await fill(db);
      const relation = await db
        .selectFrom('relation')
        .orderBy('id')
        .limit(1)
        .offset(RELATIONS / 2)
        .selectAll()
        .executeTakeFirstOrThrow();
      const ratios = await measured(db, administration, relation);
      await addInvoices(db);
      return [...ratios, ...(await measuredInvoices(db, administration))];
    } finally {
      await db.destroy();
    }
  });

async function measured(
  db: Database,
  administration: Row<'administration'>,
  relation: Row<'relation'>,
): Promise<Ratio[]> {
  const { id } = administration;
  const entries = { account: [], limit: MAX_ENTRY_LINES };
  /** @param day what lines are sorted by: SQLite goes through all lines of an index that has them sorted */
  const linesWhere = (condition: ReturnType<typeof sql>, day = sql`line.date`) => sql`
    select line.id, journal_entry_id, line.date, ledger_account_number, line.description, debit, credit, document,
      cost_center, tax_code, tax_base, tax_amount, journal, entry_number, entry.description as entry_description, guid,
      relation.name
    from journal_line as line join journal_entry as entry on entry.id = journal_entry_id
    left join relation on relation.id = relation_id
    where line.administration_id = ${id} and ${condition}
    order by ${day}, journal_entry_id, line.id limit ${MAX_ENTRY_LINES + 1}`;
  const sumsOf = (first: string, last: string) => sql`
    select ledger_account_number, sum(debit), sum(credit) from ledger_total
    where administration_id = ${id} and date between ${first} and ${last} group by ledger_account_number`;
  const months = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}`);
  return ratiosOf(db, administration, [
    [
      'the trial balance of a year',
      { name: 'balances', query: { from: '2026', to: '2026' } },
      [sumsOf('2026-01-01', '2026-12-31')],
    ],
    [
      'the trial balance of half a year, with what is before it',
      { name: 'balances', query: { from: '2026-07', to: '2026-12' } },
      [sumsOf('2026-01-01', '2026-06-30'), sumsOf('2026-07-01', '2026-12-31')],
    ],
    [
      'a page of lines of an account',
      { name: 'entries', query: { ...entries, account: ['8110'] } },
      [linesWhere(sql`ledger_account_number = '8110'`)],
    ],
    [
      'a page of lines of a relation',
      { name: 'entries', query: { ...entries, relation: String(relation.guid) } },
      [linesWhere(sql`relation_id = ${relation.id}`)],
    ],
    [
      'the lines of a document',
      { name: 'entries', query: { ...entries, document: 'F125000' } },
      [linesWhere(sql`document = 'F125000'`, sql`line.date || ''`)],
    ],
    [
      'a page of lines of a month',
      { name: 'entries', query: { ...entries, from: '2026-06', to: '2026-06' } },
      [linesWhere(sql`line.date between '2026-06-01' and '2026-06-30'`)],
    ],
    [
      'the figures of twelve months',
      { name: 'figures', query: { period: months.map((one) => `${one}..${one}`), open: [] } },
      months.map((month) => sumsOf('2026-01-01', `${month}-31`)),
    ],
    [
      'what is open of every relation on a day',
      { name: 'figures', query: { period: [], open: ['2026-12-31'] } },
      [
        sql`select relation_id, sum(debit - credit) from journal_line where administration_id = ${id}
        and ledger_account_number in ('1300', '1600') and relation_id is not null and date <= '2026-12-31'
        group by relation_id`,
      ],
    ],
    ['a page of open items', openItems, [openSql(id)]],
  ]);
}

const openItems = { name: 'openItems', query: { at: '2026-12-31', limit: MAX_OPEN_ITEMS } } as const;

/** The open items of the first page. @param more what else is read, and from which tables */
const openSql = (administrationId: bigint, more = { columns: sql``, joins: sql`` }) => sql`
  select line.relation_id, ledger_account_number, document, min(line.date), sum(debit), sum(credit) ${more.columns}
  from journal_line as line ${more.joins}
  where line.relation_id in (select id from relation where administration_id = ${administrationId} order by guid limit 250)
  and ledger_account_number in ('1300', '1600') and line.date <= '2026-12-31'
  group by line.relation_id, ledger_account_number, document having sum(debit) <> sum(credit)`;

/** The same books with an invoice of our own behind every sale, whose due dates the bare SQL reads as well. */
const measuredInvoices = (db: Database, administration: Row<'administration'>): Promise<Ratio[]> =>
  ratiosOf(db, administration, [
    [
      'a page of open items of our own invoices',
      openItems,
      [
        openSql(administration.id, {
          columns: sql`, max(sale.due_date), max(purchase.due_date), max(sale.number)`,
          joins: sql`join journal_entry as entry on entry.id = journal_entry_id
            left join sales_invoice as sale on sale.id = sales_invoice_id
            left join purchase_invoice as purchase on purchase.id = purchase_invoice_id`,
        }),
      ],
    ],
  ]);

type Route = [what: string, order: Pick<LedgerOrder, 'name' | 'query'>, bare: ReturnType<typeof sql>[]];

async function ratiosOf(
  db: Database,
  administration: Row<'administration'>,
  routes: readonly Route[],
): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  for (const [what, asked, bare] of routes) {
    const order = { administration, today: '2026-12-31', ...asked } as LedgerOrder;
    const times = await alternately(RUNS, {
      ours: () => ledgerResponse(db, order),
      bare: async () => {
        for (const statement of bare) JSON.stringify((await statement.execute(db)).rows, bigintsAsText);
      },
    });
    const both = eachOf(median, times);
    ratios.push({
      name: `${what} of ${LINES.toLocaleString('en')} lines, against its SQL bare`,
      ...both,
      unit: 'ms',
      aim: 1.5,
    });
    if (asked.name === 'balances') {
      ratios.push({ name: `${what}, against 100 ms`, ours: both.ours, bare: 100, unit: 'ms', aim: 1 });
    }
  }
  return ratios;
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Makes an invoice of each sale. */
async function addInvoices(db: Database): Promise<void> {
  await sql`insert into sales_invoice (id, administration_id, number, date, due_date, relation_id)
    select entry.id, entry.administration_id, entry.id, entry.date, date(entry.date, '+30 days'), relation_id
    from journal_entry as entry join journal_line as line on line.journal_entry_id = entry.id
    where journal = 'sales' and relation_id is not null`.execute(db);
  await sql`update journal_entry set sales_invoice_id = id where journal = 'sales'`.execute(db);
}

/** Makes books of a million lines: each entry a sale or a purchase of 100.00 with 21.00 of tax. */
async function fill(db: Database): Promise<Row<'administration'>> {
  const id = await fillRelations(db, RELATIONS);
  await db
    .updateTable('administration')
    .set({ debtor_account: '1300', creditor_account: '1600' })
    .where('id', '=', id)
    .execute();
  // The log of changes is measured elsewhere.
  const { rows: triggers } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(
    db,
  );
  for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(db);
  const entries = LINES / LINES_OF_ENTRY;
  await sql`insert into ledger_account (administration_id, number, name, fiscal_year, ledger_type, debet_or_credit)
    with recursive series(n) as (select 0 union all select n + 1 from series where n < ${sql.lit(RESULT_ACCOUNTS - 1)})
    select ${id}, cast(8100 + n as text), 'Result ' || n, 2026, 'IncomeStatement', 'credit' from series`.execute(db);
  await sql`insert into journal_entry (id, administration_id, journal, entry_number, description, date, created_on)
    with recursive series(n) as (select 0 union all select n + 1 from series where n < ${sql.lit(entries - 1)})
    select 1000 + n, ${id}, case n % 2 when 0 then 'sales' else 'purchases' end, 'F' || n, 'Invoice F' || n,
      date('2026-01-01', '+' || (n * 7919 % 365) || ' days'), 1790000000 from series`.execute(db);
  const line = (
    account: ReturnType<typeof sql>,
    debit: number,
    credit: number,
    more: Record<string, ReturnType<typeof sql>> = {},
  ) => sql`
    insert into journal_line (administration_id, journal_entry_id, ledger_account_number, date, relation_id, document,
      cost_center, tax_code, tax_base, tax_amount, description, debit, credit)
    select ${id}, entry.id, ${account}, entry.date, ${more.relation ?? sql`null`}, entry_number, '', ${more.code ?? sql`''`},
      ${more.base ?? sql`0`}, ${more.tax ?? sql`0`}, 'Line of ' || entry_number,
      case entry.id % 2 when 0 then ${sql.lit(debit)} else ${sql.lit(credit)} end,
      case entry.id % 2 when 0 then ${sql.lit(credit)} else ${sql.lit(debit)} end
    from journal_entry as entry where entry.id >= 1000`;
  const ofSide = (sale: string, purchase: string) =>
    sql`case entry.id % 2 when 0 then ${sql.lit(sale)} else ${sql.lit(purchase)} end`;
  const { lowest } = (
    await sql<{ lowest: bigint }>`select min(id) as lowest from relation where administration_id = ${id}`.execute(db)
  ).rows[0]!;
  const party = sql`${lowest} + entry.id * 7907 % ${sql.lit(RELATIONS)}`;
  const result = sql`cast(8100 + entry.id * 7901 % ${sql.lit(RESULT_ACCOUNTS)} as text)`;
  const tax = { code: sql`'21% - Hoog'`, base: sql`10000`, tax: sql`2100` };
  await line(ofSide('1300', '1600'), 12_100, 0, { relation: party }).execute(db);
  await line(result, 0, 6000).execute(db);
  await line(result, 0, 4000).execute(db);
  await line(ofSide('1500', '1520'), 0, 2100, tax).execute(db);
  await sql`insert into ledger_total (administration_id, ledger_account_number, date, debit, credit)
    select administration_id, ledger_account_number, date, sum(debit), sum(credit) from journal_line
    group by administration_id, ledger_account_number, date`.execute(db);
  return db.selectFrom('administration').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
}
