import { type SelectQueryBuilder, sql } from 'kysely';
import { endpoints, pageCap } from '../../../../shared/api.ts';
import type { SalesInvoice, SalesInvoiceQuery } from '../../../../shared/resources/salesInvoice.ts';
import { type Encoded, EncodedList } from '../../../../shared/wire/encode.ts';
import type { Database } from '../sql/database.ts';
import type { WarningContext } from '../sql/endpointContext.ts';
import { choosePlan, type QueryPlan, searchedFirst, unindexedText } from '../sql/queryPlan.ts';
import type { Schema } from '../sql/schema.ts';
import { withResponses } from '../sql/storedResponses.ts';
import { invoicePdfs } from './invoiceFiles/invoiceFiles.ts';
import { salesInvoiceResponses } from './salesInvoiceResponses.ts';

/** Sales invoices of both modules, drafts too, the highest number first. */
export async function listSalesInvoices(
  context: WarningContext,
  query: SalesInvoiceQuery,
): Promise<Encoded<SalesInvoice[]>> {
  const { db, administration } = context;
  const most = pageCap(endpoints.listsalesinvoices.paging, query);
  const { InlcudeInvoiceLinesInResponse: withLines, IncludeBase64PDF: withPdf } = query;
  const searched = matching(db, administration.id, query, 'search');
  const byDate = query.DateFrom !== undefined || query.DateTill !== undefined;
  const plan = byDate ? await choosePlan(db, searched) : 'scan';
  const invoices =
    plan === 'search' ? searchedFirst(db, 'sales_invoice', searched) : matching(db, administration.id, query, plan);
  // An index has what finds the invoices of the page; the responses of others are not read.
  const page = invoices
    .select('id')
    .orderBy('number', 'desc')
    .limit(Math.min(query.Limit ?? most, most))
    .offset(query.Offset ?? 0);
  const rows = await db
    .selectFrom('sales_invoice')
    .where('id', 'in', page)
    .select(withLines ? ['id', 'answer', 'lines_answer'] : ['id', 'answer'])
    .orderBy('number', 'desc')
    .execute();
  const complete = await withResponses(rows, (ids) => salesInvoiceResponses(db, ids));
  const ids = rows.map(({ id }) => id);
  const { pdfs, pending } = withPdf ? await invoicePdfs(context, ids) : NO_PDFS;
  const texts = complete.map(({ answer, lines_answer }, index) => {
    // In the interface an empty text means that there is no PDF. The header names those that are still made.
    const pdf = withPdf ? `,"InvoicePDFBase64":"${pdfs.get(ids[index]!) ?? ''}"` : '';
    const lines = withLines ? `,"Invoice_InvoiceLine":${lines_answer}` : '';
    return `${answer.slice(0, -1)}${pdf}${lines}}`;
  });
  return new EncodedList(texts, pending.length === 0 ? {} : { 'Pending-PDFs': pending.join(', ') });
}

const NO_PDFS = { pdfs: new Map<bigint, string>(), pending: [] };

function matching(
  db: Database,
  administrationId: bigint,
  query: SalesInvoiceQuery,
  plan: QueryPlan,
): SelectQueryBuilder<Schema, 'sales_invoice', object> {
  const date = plan === 'search' ? sql<string>`date` : unindexedText('date');
  let invoices: SelectQueryBuilder<Schema, 'sales_invoice', object> = db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administrationId);
  if (query.InvoiceNumber !== undefined) invoices = invoices.where('number', '=', BigInt(query.InvoiceNumber));
  if (query.DateFrom !== undefined) invoices = invoices.where(date, '>=', query.DateFrom);
  if (query.DateTill !== undefined) invoices = invoices.where(date, '<=', query.DateTill);
  return invoices;
}
