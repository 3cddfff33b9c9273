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
  /** Whether an audit file brought it. */
  isImported?: boolean;
  relation_name: string;
  country_code: string;
  vat_number: string;
  relationId?: string;
  /** Left out for sales, and for purchases of earlier versions. */
  booked?: PurchaseTax;
  isBaseDerived?: boolean;
};

/** The lines of invoices of some days, added up by document and tax code; those of purchases by kind and account too. */
export async function documentLines(
  db: Database,
  administrationId: bigint,
  kind: 'sales' | 'purchases',
  { first, last, after }: Days,
): Promise<DocumentRow[]> {
  const isSales = kind === 'sales';
  // Both kinds have the columns that are read here, but for the name of the relation.
  const tables = isSales
    ? { invoice: 'sales_invoice', line: 'sales_invoice_line', key: 'sales_invoice_id', name: 'customer_name' }
    : { invoice: 'purchase_invoice', line: 'purchase_invoice_line', key: 'purchase_invoice_id', name: 'relation_name' };
  const name = `invoice.${tables.name}` as 'invoice.relation_name';
  const rows = await db
    .selectFrom(`${tables.invoice} as invoice` as 'purchase_invoice as invoice')
    .innerJoin(
      `${tables.line} as line` as 'purchase_invoice_line as line',
      `line.${tables.key}` as 'line.purchase_invoice_id',
      'invoice.id',
    )
    .innerJoin('relation', 'relation.id', 'invoice.relation_id')
    .where('invoice.administration_id', '=', administrationId)
    .where('invoice.date', '>=', first)
    .where('invoice.date', '<=', last)
    .$if(isSales, (query) => query.where('invoice.is_draft' as 'invoice.id', '=', 0n))
    .$if(after !== undefined, (query) => query.where('invoice.created_on', '>', after!))
    .groupBy([
      'invoice.id',
      'invoice.number',
      'invoice.date',
      'invoice.total_incl',
      'invoice.created_on',
      name,
      'relation.country_code',
      'relation.vat_number',
      'line.tax_code',
    ])
    .having((have) =>
      have.or([
        have(total('line.subtotal_excl'), '<>', 0n),
        have(total('line.subtotal_incl'), '<>', 0n),
        // Of lines that cancel out, rounding may leave a cent of tax.
        ...(isSales ? [] : [have(total('line.assessed_tax'), '<>', 0n), have(total('line.deductible_tax'), '<>', 0n)]),
      ]),
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
      `${name} as relation_name`,
      'relation.country_code',
      'relation.vat_number',
      'line.tax_code as taxCode',
      total('line.subtotal_excl').as('base'),
      total('line.subtotal_incl').as('incl'),
    ])
    .$if(!isSales, (query) =>
      query
        .groupBy(['line.classification', 'line.ledger_account_number'])
        .orderBy('line.classification')
        .orderBy('line.ledger_account_number')
        .select([
          'line.classification',
          'line.ledger_account_number as account',
          total('line.assessed_tax').as('assessed'),
          total('line.deductible_tax').as('deductible'),
          (eb) => eb.fn.count<bigint>('line.assessed_tax').as('booked_lines'),
        ]),
    )
    .execute();
  return rows.map(({ id, number, incl, assessed, deductible, booked_lines, ...rest }) => ({
    classification: '',
    account: '',
    ...rest,
    ...(booked_lines ? { booked: { assessed: assessed!, deductible: deductible! } } : {}),
    document: `${kind} ${id}`,
    number: String(number),
    taxType: isSales ? 'Sales' : 'Purchase',
    tax: incl - rest.base,
  }));
}
