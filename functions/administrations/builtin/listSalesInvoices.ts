import { endpoints, pageCap } from '../../../shared/api.ts';
import type { SalesInvoice, SalesInvoiceQuery } from '../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../shared/wire/encode.ts';
import { salesInvoiceAnswers } from './salesInvoiceAnswers.ts';
import type { Scope } from './scope.ts';

/** Sales invoices of both modules, drafts too, the highest number first. */
export async function listSalesInvoices(
  { db, administration }: Scope,
  query: SalesInvoiceQuery,
): Promise<Encoded<SalesInvoice[]>> {
  const most = pageCap(endpoints.listsalesinvoices.paging, query);
  const { InlcudeInvoiceLinesInResponse: withLines, IncludeBase64PDF: withPdf } = query;
  let found = db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administration.id)
    .select(withLines ? ['id', 'answer', 'lines_answer'] : ['id', 'answer']);
  if (query.InvoiceNumber !== undefined) found = found.where('number', '=', BigInt(query.InvoiceNumber));
  if (query.DateFrom !== undefined) found = found.where('date', '>=', query.DateFrom);
  if (query.DateTill !== undefined) found = found.where('date', '<=', query.DateTill);
  const rows = await found
    .orderBy('number', 'desc')
    .limit(Math.min(query.Limit ?? most, most))
    .offset(query.Offset ?? 0)
    .execute();
  const missing = rows.filter((row) => row.answer === '').map((row) => row.id);
  const made = missing.length === 0 ? undefined : await salesInvoiceAnswers(db, missing);
  const texts = rows.map((row) => {
    const { answer, lines_answer } = made?.get(row.id) ?? row;
    // Nothing makes PDFs yet; an empty one is how the interface says that there is none.
    const pdf = withPdf ? ',"InvoicePDFBase64":""' : '';
    const lines = withLines ? `,"Invoice_InvoiceLine":${lines_answer}` : '';
    return `${answer.slice(0, -1)}${pdf}${lines}}`;
  });
  return new Encoded(`[${texts.join(',')}]`);
}
