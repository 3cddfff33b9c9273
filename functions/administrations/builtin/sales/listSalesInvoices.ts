import { type SelectQueryBuilder, sql } from 'kysely';
import { endpoints, pageCap } from '../../../../shared/api.ts';
import type { SalesInvoice, SalesInvoiceQuery } from '../../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import type { Database } from '../sql/database.ts';
import { areFew, found } from '../sql/queryPlan.ts';
import type { Schema } from '../sql/schema.ts';
import type { Scope } from '../sql/scope.ts';
import { withAnswers } from '../sql/storedAnswers.ts';
import { salesInvoiceAnswers } from './salesInvoiceAnswers.ts';

/** Sales invoices of both modules, drafts too, the highest number first. */
export async function listSalesInvoices(
  { db, administration }: Scope,
  query: SalesInvoiceQuery,
): Promise<Encoded<SalesInvoice[]>> {
  const most = pageCap(endpoints.listsalesinvoices.paging, query);
  const { InlcudeInvoiceLinesInResponse: withLines, IncludeBase64PDF: withPdf } = query;
  const asked = matching(db, administration.id, query, 'find');
  const few = (query.DateFrom !== undefined || query.DateTill !== undefined) && (await areFew(db, asked));
  const from = few ? found(db, 'sales_invoice', asked) : matching(db, administration.id, query, 'pass');
  const rows = await from
    .select(withLines ? ['id', 'answer', 'lines_answer'] : ['id', 'answer'])
    .orderBy('number', 'desc')
    .limit(Math.min(query.Limit ?? most, most))
    .offset(query.Offset ?? 0)
    .execute();
  const answered = await withAnswers(rows, (ids) => salesInvoiceAnswers(db, ids));
  const texts = answered.map(({ answer, lines_answer }) => {
    // Nothing makes PDFs yet; an empty one is how the interface says that there is none.
    const pdf = withPdf ? ',"InvoicePDFBase64":""' : '';
    const lines = withLines ? `,"Invoice_InvoiceLine":${lines_answer}` : '';
    return `${answer.slice(0, -1)}${pdf}${lines}}`;
  });
  return new Encoded(`[${texts.join(',')}]`);
}

/**
 * The invoices a query asks for.
 * @param how found by their dates, or passed by in another order
 */
function matching(
  db: Database,
  administrationId: bigint,
  query: SalesInvoiceQuery,
  how: 'find' | 'pass',
): SelectQueryBuilder<Schema, 'sales_invoice', object> {
  // Adding nothing changes nothing but this: no index goes by the column.
  const date = how === 'find' ? sql<string>`date` : sql<string>`date || ''`;
  let invoices: SelectQueryBuilder<Schema, 'sales_invoice', object> = db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administrationId);
  if (query.InvoiceNumber !== undefined) invoices = invoices.where('number', '=', BigInt(query.InvoiceNumber));
  if (query.DateFrom !== undefined) invoices = invoices.where(date, '>=', query.DateFrom);
  if (query.DateTill !== undefined) invoices = invoices.where(date, '<=', query.DateTill);
  return invoices;
}
