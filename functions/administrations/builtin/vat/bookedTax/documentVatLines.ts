import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { total } from '../../check/amounts.ts';
import type { Database } from '../../sql/database.ts';
import type { PurchaseTax } from '../purchaseTaxes.ts';
import type { VatLine } from '../vatReturn.ts';

/** The days of documents. `after`: only of what was entered after that. */
export type Days = { first: CalendarDate; last: CalendarDate; after?: bigint | undefined };

/** What a document, or an entry without one, books on a tax code. */
export type DocumentRow = {
  document: string;
  number: string;
  date: CalendarDate;
  taxType: VatLine['taxType'];
  taxCode: string;
  classification: string;
  account: string;
  base: bigint;
  tax: bigint;
  total_incl: bigint;
  created_on: bigint;
  relation_name: string;
  country_code: string;
  vat_number: string;
  /** Left out for sales, and for purchases of earlier versions. */
  booked?: PurchaseTax;
  isBaseDerived?: boolean;
};

/** The sales lines of a time, added up by document and tax code. @param after only of documents entered after that */
export async function salesLines(
  db: Database,
  administrationId: bigint,
  { first, last, after }: Days,
): Promise<DocumentRow[]> {
  const rows = await db
    .selectFrom('sales_invoice as invoice')
    .innerJoin('sales_invoice_line as line', 'line.sales_invoice_id', 'invoice.id')
    .innerJoin('relation', 'relation.id', 'invoice.relation_id')
    .where('invoice.administration_id', '=', administrationId)
    .where('invoice.date', '>=', first)
    .where('invoice.date', '<=', last)
    .where('invoice.is_draft', '=', 0n)
    .$if(after !== undefined, (query) => query.where('invoice.created_on', '>', after!))
    .groupBy([
      'invoice.id',
      'invoice.number',
      'invoice.date',
      'invoice.total_incl',
      'invoice.created_on',
      'invoice.customer_name',
      'relation.country_code',
      'relation.vat_number',
      'line.tax_code',
    ])
    .having((have) =>
      have.or([have(total('line.subtotal_excl'), '<>', 0n), have(total('line.subtotal_incl'), '<>', 0n)]),
    )
    .orderBy('invoice.date')
    .orderBy('invoice.id')
    .orderBy('line.tax_code')
    .select([
      'invoice.id',
      'invoice.number',
      'invoice.date',
      'invoice.total_incl',
      'invoice.created_on',
      'invoice.customer_name as relation_name',
      'relation.country_code',
      'relation.vat_number',
      'line.tax_code as taxCode',
      total('line.subtotal_excl').as('base'),
      total('line.subtotal_incl').as('incl'),
    ])
    .execute();
  return rows.map(({ id, number, incl, ...rest }) => ({
    ...rest,
    document: `sales ${id}`,
    number: String(number),
    taxType: 'Sales',
    classification: '',
    account: '',
    tax: incl - rest.base,
  }));
}

/** The purchase lines of a time, added up by document, tax code, kind and account. */
export async function purchaseLines(
  db: Database,
  administrationId: bigint,
  { first, last, after }: Days,
): Promise<DocumentRow[]> {
  const rows = await db
    .selectFrom('purchase_invoice as invoice')
    .innerJoin('purchase_invoice_line as line', 'line.purchase_invoice_id', 'invoice.id')
    .innerJoin('relation', 'relation.id', 'invoice.relation_id')
    .where('invoice.administration_id', '=', administrationId)
    .where('invoice.date', '>=', first)
    .where('invoice.date', '<=', last)
    .$if(after !== undefined, (query) => query.where('invoice.created_on', '>', after!))
    .groupBy([
      'invoice.id',
      'invoice.number',
      'invoice.date',
      'invoice.total_incl',
      'invoice.created_on',
      'invoice.relation_name',
      'relation.country_code',
      'relation.vat_number',
      'line.tax_code',
      'line.classification',
      'line.ledger_account_number',
    ])
    .having((have) =>
      have.or([have(total('line.subtotal_excl'), '<>', 0n), have(total('line.subtotal_incl'), '<>', 0n)]),
    )
    .orderBy('invoice.date')
    .orderBy('invoice.id')
    .orderBy('line.tax_code')
    .orderBy('line.classification')
    .orderBy('line.ledger_account_number')
    .select([
      'invoice.id',
      'invoice.number',
      'invoice.date',
      'invoice.total_incl',
      'invoice.created_on',
      'invoice.relation_name',
      'relation.country_code',
      'relation.vat_number',
      'line.tax_code as taxCode',
      'line.classification',
      'line.ledger_account_number as account',
      total('line.subtotal_excl').as('base'),
      total('line.subtotal_incl').as('incl'),
      total('line.assessed_tax').as('assessed'),
      total('line.deductible_tax').as('deductible'),
      (eb) => eb.fn.count<bigint>('line.assessed_tax').as('booked_lines'),
    ])
    .execute();
  return rows.map(({ id, number, incl, assessed, deductible, booked_lines, ...rest }) => ({
    ...rest,
    ...(booked_lines === 0n ? {} : { booked: { assessed, deductible } }),
    document: `purchases ${id}`,
    number: String(number),
    taxType: 'Purchase',
    tax: incl - rest.base,
  }));
}
