import { type RawBuilder, sql } from 'kysely';
import { decimalText, FINE_SCALE, MONEY_SCALE } from '../../../shared/money.ts';
import type { Database } from './database.ts';
import { relationAnswers } from './relationAnswers.ts';
import { salesInvoiceAnswers } from './salesInvoiceAnswers.ts';

/** Rows at a time: a statement can hold only so many values. */
const AT_A_TIME = 500;

const money = (cents: bigint | null) => decimalText(cents ?? 0n, MONEY_SCALE);
const fine = (value: bigint | null) => decimalText(value ?? 0n, FINE_SCALE);

/** A sum as a whole number; databases make decimals of sums of long integers. */
const total = (column: string): RawBuilder<bigint> => sql<bigint>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/**
 * Everything in an administration that does not add up, a sentence each: the journal, the totals of documents, stock,
 * references, numbering, and the answers that are kept. Nothing is changed.
 */
export async function* checkAdministration(db: Database, administrationId: bigint): AsyncGenerator<string> {
  yield* checkJournal(db, administrationId);
  yield* checkSalesInvoices(db, administrationId);
  yield* checkPurchaseInvoices(db, administrationId);
  yield* checkStock(db, administrationId);
  yield* checkReferences(db, administrationId);
  yield* checkNumbering(db, administrationId);
  yield* checkAnswers(db, administrationId);
}

async function* checkJournal(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const unbalanced = await db
    .selectFrom('journal_entry')
    .innerJoin('journal_line', 'journal_line.journal_entry_id', 'journal_entry.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['journal_entry.id', 'journal_entry.description'])
    .having(sql<boolean>`sum(debit) <> sum(credit)`)
    .select(['journal_entry.description', total('debit').as('debit'), total('credit').as('credit')])
    .execute();
  for (const { description, debit, credit } of unbalanced) {
    yield `The journal entry of ${description} has ${money(debit)} debit and ${money(credit)} credit.`;
  }
  const twoSided = await db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_line.journal_entry_id')
    .where('administration_id', '=', administrationId)
    .where((eb) =>
      eb.or([eb('debit', '<', 0n), eb('credit', '<', 0n), eb.and([eb('debit', '>', 0n), eb('credit', '>', 0n)])]),
    )
    .select('journal_entry.description')
    .execute();
  for (const { description } of twoSided)
    yield `A line of the journal entry of ${description} has not one side above zero.`;
}

async function* checkSalesInvoices(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const invoices = await db
    .selectFrom('sales_invoice')
    .leftJoin('sales_invoice_line', 'sales_invoice_line.sales_invoice_id', 'sales_invoice.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['sales_invoice.id', 'number', 'is_draft', 'total_excl', 'total_tax', 'total_incl'])
    .orderBy('number')
    .select(['sales_invoice.id', 'number', 'is_draft', 'total_excl', 'total_tax', 'total_incl'])
    .select([total('subtotal_excl').as('lines_excl'), total('subtotal_incl').as('lines_incl')])
    .execute();
  const entries = await bookedOn(db, administrationId, 'sales_invoice_id', 'debtor_account');
  for (const invoice of invoices) {
    const name = `Sales invoice ${invoice.number}`;
    yield* checkTotals(name, invoice);
    const booked = entries.get(invoice.id);
    if (invoice.is_draft === 1n && booked !== undefined) yield `${name} is a draft, and is in the journal.`;
    if (invoice.is_draft === 0n && booked === undefined) yield `${name} is final, and is not in the journal.`;
    if (invoice.is_draft === 0n && booked !== undefined && booked !== invoice.total_incl) {
      yield `${name} is ${money(invoice.total_incl)}, and the journal has ${money(booked)} for it.`;
    }
  }
}

async function* checkPurchaseInvoices(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const invoices = await db
    .selectFrom('purchase_invoice')
    .leftJoin('purchase_invoice_line', 'purchase_invoice_line.purchase_invoice_id', 'purchase_invoice.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['purchase_invoice.id', 'number', 'total_excl', 'total_tax', 'total_incl'])
    .orderBy('purchase_invoice.id')
    .select(['purchase_invoice.id', 'number', 'total_excl', 'total_tax', 'total_incl'])
    .select([total('subtotal_excl').as('lines_excl'), total('subtotal_incl').as('lines_incl')])
    .execute();
  const entries = await bookedOn(db, administrationId, 'purchase_invoice_id', 'creditor_account');
  for (const invoice of invoices) {
    const name = `Purchase invoice ${invoice.number}`;
    yield* checkTotals(name, invoice);
    const booked = entries.get(invoice.id);
    if (booked === undefined) yield `${name} is not in the journal.`;
    else if (booked !== -invoice.total_incl) {
      yield `${name} is ${money(invoice.total_incl)}, and the journal has ${money(-booked)} for it.`;
    }
  }
}

/** What the journal has on a control account for each document: debit above zero. */
async function bookedOn(
  db: Database,
  administrationId: bigint,
  document: 'sales_invoice_id' | 'purchase_invoice_id',
  account: 'debtor_account' | 'creditor_account',
): Promise<Map<bigint, bigint>> {
  const rows = await db
    .selectFrom('journal_entry')
    .innerJoin('administration', 'administration.id', 'journal_entry.administration_id')
    .leftJoin('journal_line', (join) =>
      join
        .onRef('journal_line.journal_entry_id', '=', 'journal_entry.id')
        .onRef('journal_line.ledger_account_number', '=', `administration.${account}`),
    )
    .where('journal_entry.administration_id', '=', administrationId)
    .where(document, 'is not', null)
    .groupBy(document)
    .select([`${document} as document`, total('debit').as('debit'), total('credit').as('credit')])
    .execute();
  const byHand = await linesOn(db, administrationId, document, account);
  return new Map(rows.map((row) => [row.document!, row.debit - row.credit + (byHand.get(row.document!) ?? 0n)]));
}

/** What lines put on the control account themselves, taken off again: a sale credits its account, a purchase debits it. */
async function linesOn(
  db: Database,
  administrationId: bigint,
  document: 'sales_invoice_id' | 'purchase_invoice_id',
  account: 'debtor_account' | 'creditor_account',
): Promise<Map<bigint, bigint>> {
  const [table, lineTable, sign] =
    document === 'sales_invoice_id'
      ? (['sales_invoice', 'sales_invoice_line', 1n] as const)
      : (['purchase_invoice', 'purchase_invoice_line', -1n] as const);
  const rows = await db
    .selectFrom(lineTable as 'sales_invoice_line')
    .innerJoin(`${table as 'sales_invoice'} as invoice`, 'invoice.id', `${document as 'sales_invoice_id'}`)
    .innerJoin('administration', 'administration.id', 'invoice.administration_id')
    .where('administration.id', '=', administrationId)
    .whereRef('ledger_account_number', '=', `administration.${account}`)
    .groupBy('invoice.id')
    .select(['invoice.id', total('subtotal_excl').as('excl')])
    .execute();
  return new Map(rows.map(({ id, excl }) => [id, sign * excl]));
}

type Totals = Record<'total_excl' | 'total_tax' | 'total_incl' | 'lines_excl' | 'lines_incl', bigint>;

function* checkTotals(name: string, row: Totals): Generator<string> {
  if (row.total_excl + row.total_tax !== row.total_incl) {
    yield `${name}: ${money(row.total_excl)} and ${money(row.total_tax)} tax are not ${money(row.total_incl)}.`;
  }
  if (row.lines_excl !== row.total_excl) {
    yield `${name}: its lines are ${money(row.lines_excl)} without tax, its total is ${money(row.total_excl)}.`;
  }
  if (row.lines_incl !== row.total_incl) {
    yield `${name}: its lines are ${money(row.lines_incl)} with tax, its total is ${money(row.total_incl)}.`;
  }
}

async function* checkStock(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const products = await db
    .selectFrom('product')
    .leftJoin('stock_mutation', 'stock_mutation.product_id', 'product.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['product.id', 'article_number', 'stock'])
    .having(sql<boolean>`stock <> coalesce(sum(quantity), 0)`)
    .select(['article_number', 'stock', total('quantity').as('moved')])
    .execute();
  for (const { article_number, stock, moved } of products) {
    yield `Article ${article_number} has a stock of ${fine(stock)}, and its mutations add up to ${fine(moved)}.`;
  }
  const batches = await db
    .selectFrom('product_batch')
    .innerJoin('product', 'product.id', 'product_batch.product_id')
    .leftJoin('stock_mutation', 'stock_mutation.batch_id', 'product_batch.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['product_batch.id', 'article_number', 'product_batch.description', 'product_batch.stock'])
    .having(sql<boolean>`product_batch.stock <> coalesce(sum(quantity), 0)`)
    .select(['article_number', 'product_batch.description', 'product_batch.stock', total('quantity').as('moved')])
    .execute();
  for (const { article_number, description, stock, moved } of batches) {
    yield `Batch ${description} of article ${article_number} has ${fine(stock)}, and its mutations add up to ${fine(moved)}.`;
  }
  // History that was imported moved no stock; what was invoiced here moved all of it.
  const invoiced = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administrationId)
    .select((eb) => [
      'number',
      eb
        .selectFrom('stock_mutation')
        .whereRef('sales_invoice_id', '=', 'sales_invoice.id')
        .select(total('quantity').as('moved'))
        .as('moved'),
      eb
        .selectFrom('sales_invoice_line')
        .whereRef('sales_invoice_id', '=', 'sales_invoice.id')
        .where('product_id', 'is not', null)
        .select(total('quantity').as('sold'))
        .as('sold'),
    ])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('stock_mutation')
          .whereRef('sales_invoice_id', '=', 'sales_invoice.id')
          .select('stock_mutation.id'),
      ),
    )
    .execute();
  for (const { number, moved, sold } of invoiced) {
    if ((moved ?? 0n) + (sold ?? 0n) !== 0n) {
      yield `Sales invoice ${number} sold ${fine(sold)}, and took ${fine(-(moved ?? 0n))} out of stock.`;
    }
  }
}

async function* checkReferences(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const accounts = new Set(
    (
      await db
        .selectFrom('ledger_account')
        .where('administration_id', '=', administrationId)
        .select('number')
        .distinct()
        .execute()
    ).map((row) => row.number),
  );
  const booked = await db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_line.journal_entry_id')
    .where('administration_id', '=', administrationId)
    .select('ledger_account_number')
    .distinct()
    .execute();
  for (const { ledger_account_number: number } of booked) {
    if (!accounts.has(number)) yield `The journal has lines on ledger account ${number}, which does not exist.`;
  }
  const wrongSide = await db
    .selectFrom('sales_invoice_line')
    .innerJoin('sales_invoice', 'sales_invoice.id', 'sales_invoice_line.sales_invoice_id')
    .innerJoin('tax_code', 'tax_code.id', 'sales_invoice_line.tax_code_id')
    .where('sales_invoice.administration_id', '=', administrationId)
    .where((eb) =>
      eb.or([eb('tax_code.tax_type', '<>', 'Sales'), eb('tax_code.administration_id', '<>', administrationId)]),
    )
    .select(['sales_invoice.number', 'tax_code.code'])
    .execute();
  for (const { number, code } of wrongSide)
    yield `Sales invoice ${number} has tax code ${code}, which is not one of its own sales codes.`;
  const wrongPurchase = await db
    .selectFrom('purchase_invoice_line')
    .innerJoin('purchase_invoice', 'purchase_invoice.id', 'purchase_invoice_line.purchase_invoice_id')
    .innerJoin('tax_code', 'tax_code.id', 'purchase_invoice_line.tax_code_id')
    .where('purchase_invoice.administration_id', '=', administrationId)
    .where((eb) =>
      eb.or([eb('tax_code.tax_type', '<>', 'Purchase'), eb('tax_code.administration_id', '<>', administrationId)]),
    )
    .select(['purchase_invoice.number', 'tax_code.code'])
    .execute();
  for (const { number, code } of wrongPurchase) {
    yield `Purchase invoice ${number} has tax code ${code}, which is not one of its own purchase codes.`;
  }
  for (const table of ['sales_invoice', 'sales_order', 'purchase_invoice'] as const) {
    const strangers = await db
      .selectFrom(table)
      .innerJoin('relation', 'relation.id', `${table}.relation_id`)
      .where(`${table}.administration_id`, '=', administrationId)
      .where('relation.administration_id', '<>', administrationId)
      .select(`${table}.number`)
      .execute();
    for (const { number } of strangers) yield `${table} ${number} is of a relation of another administration.`;
  }
}

async function* checkNumbering(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const given = new Map(
    (await db.selectFrom('counter').where('administration_id', '=', administrationId).selectAll().execute()).map(
      (row) => [row.name, row.value],
    ),
  );
  for (const [table, column] of [
    ['relation', 'guid'],
    ['sales_invoice', 'number'],
    ['sales_order', 'number'],
  ] as const) {
    const { highest } = await db
      .selectFrom(table)
      .where('administration_id', '=', administrationId)
      .select(sql<bigint | null>`max(${sql.ref(column)})`.as('highest'))
      .executeTakeFirstOrThrow();
    const last = given.get(table) ?? 0n;
    if (highest !== null && highest > last) yield `The numbering of ${table} is at ${last}, and ${highest} is taken.`;
  }
}

async function* checkAnswers(db: Database, administrationId: bigint): AsyncGenerator<string> {
  for (const table of ['relation', 'sales_invoice'] as const) {
    for (let last = 0n; ; ) {
      const rows = await db
        .selectFrom(table)
        .where('administration_id', '=', administrationId)
        .where('id', '>', last)
        .orderBy('id')
        .limit(AT_A_TIME)
        .select(table === 'relation' ? ['id', 'answer'] : ['id', 'answer', 'lines_answer'])
        .$castTo<{ id: bigint; answer: string; lines_answer?: string }>()
        .execute();
      if (rows.length === 0) break;
      last = rows.at(-1)!.id;
      const kept = rows.filter((row) => row.answer !== '');
      const ids = kept.map((row) => row.id);
      if (ids.length === 0) continue;
      const made =
        table === 'relation'
          ? new Map(
              [...(await relationAnswers(db, ids))].map(([id, answer]) => [id, { answer, lines_answer: undefined }]),
            )
          : await salesInvoiceAnswers(db, ids);
      for (const row of kept) {
        const now = made.get(row.id);
        if (now?.answer !== row.answer || now.lines_answer !== row.lines_answer) {
          yield `What is kept as the answer of ${table} ${row.id} is not what its rows say.`;
        }
      }
    }
  }
}
