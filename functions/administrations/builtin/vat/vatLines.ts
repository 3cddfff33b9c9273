import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { total } from '../check/amounts.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { type FiledPeriod, vatDate } from './filedReturns.ts';
import type { PurchaseTax } from './purchaseTaxes.ts';
import type { VatPeriod } from './vatPeriod.ts';
import type { VatLine } from './vatReturn.ts';

/** A line, and what is remarkable about it: its kind was derived from its account, or it is of a filed period. */
export type BookedVatLine = VatLine & { isKindDerived: boolean; isLate: boolean };

/**
 * What the documents of a period book on tax codes. A document that was entered after the return of its period was
 * filed is in the first period that was not.
 */
export async function vatLines(
  db: Database,
  { id, country }: Pick<Row<'administration'>, 'id' | 'country'>,
  period: VatPeriod,
  filed: readonly FiledPeriod[],
): Promise<BookedVatLine[]> {
  const lines: BookedVatLine[] = [];
  const late = filed.filter(({ last_day }) => last_day < period.from);
  for (const { first_day, last_day, filed_on } of [
    { first_day: period.from, last_day: period.to, filed_on: undefined },
    ...late,
  ]) {
    for (const row of [
      ...(await salesLines(db, id, first_day, last_day, filed_on)),
      ...(await purchaseLines(db, id, first_day, last_day, filed_on)),
    ]) {
      const { created_on, account, classification, total_incl, relation_name, country_code, vat_number, ...line } = row;
      const counted = vatDate(row.date, created_on, filed);
      if (counted < period.from || counted > period.to) continue;
      const isKindDerived = country === 'BE' && line.taxType === 'Purchase' && classification === '';
      lines.push({
        ...line,
        isCredit: total_incl < 0n,
        classification: isKindDerived ? kindOfAccount(account) : classification,
        relation: { name: relation_name, country: country_code, vatNumber: vat_number },
        isKindDerived,
        isLate: counted !== row.date,
      });
    }
  }
  return lines;
}

/** The kind of a purchase by its account in the Belgian chart: 2 investment goods, 60 goods, and else services. */
function kindOfAccount(account: string): string {
  if (account.startsWith('2')) return '83';
  return account.startsWith('60') ? '81' : '82';
}

type DocumentRow = {
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
};

/** The sales lines of a time, added up by document and tax code. @param after only of documents entered after that */
async function salesLines(
  db: Database,
  administrationId: bigint,
  first: CalendarDate,
  last: CalendarDate,
  after: bigint | undefined,
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
async function purchaseLines(
  db: Database,
  administrationId: bigint,
  first: CalendarDate,
  last: CalendarDate,
  after: bigint | undefined,
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
