import { hash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { Compilable } from 'kysely';
import { Problem } from '../../../../shared/problem.ts';
import type { InvoiceFiles } from '../../administration.ts';
import type { InvoiceDocument } from '../../documents/invoiceDocument.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import type { EndpointContext, LoggingContext } from '../sql/endpointContext.ts';
import { invoiceDocuments } from './invoiceDocuments.ts';

/** The version of the layout: increase it to make stored PDFs again. */
const RENDERING = 2;

/** The PDF and the e-invoice of single invoices. */
export const invoiceFiles = (scope: LoggingContext): InvoiceFiles => ({
  async pdf(number) {
    const { id, document } = await documentOf(scope, number);
    return invoicePdfFile(scope, id, document);
  },
  async eInvoice(number) {
    const { document } = await documentOf(scope, number);
    return (await loadEInvoice())(document);
  },
});

/** PDFs of invoices, by id, in base64. An invoice whose PDF cannot be made is left out; the reason is logged. */
export async function invoicePdfs(scope: LoggingContext, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  // Read before the invoices: what changes in between has their PDFs looked at again.
  const state = await stateOf(scope);
  const stored = await storedPdfs(scope, ids);
  const pdfs = new Map<bigint, string>();
  const add = (id: bigint, pdf: Uint8Array) => pdfs.set(id, Buffer.from(pdf).toString('base64'));
  for (const [id, { current_at, content }] of stored) if (content && current_at === state) add(id, content);
  const others = ids.filter((id) => !pdfs.has(id));
  const unchanged: bigint[] = [];
  for (const [id, document] of await invoiceDocuments(scope, others)) {
    try {
      const pdf = await pdfOf(scope, id, document, stored.get(id), state);
      if (pdf === stored.get(id)?.content) unchanged.push(id);
      add(id, pdf);
    } catch (failure) {
      scope.log(`No PDF of invoice ${document.number}: ${failure instanceof Error ? failure.message : failure}`);
    }
  }
  if (state !== undefined && unchanged.length > 0) {
    const current = { current_at: state };
    await storeIfFree(
      scope,
      scope.db.updateTable('sales_invoice_pdf').where('sales_invoice_id', 'in', unchanged).set(current),
    );
  }
  return pdfs;
}

/**
 * The state of an administration: the last row of its log. While it is the same, nothing that a PDF shows has changed.
 * @returns undefined when changes were made that the log does not tell of yet
 */
async function stateOf({ db, administration }: EndpointContext): Promise<string | undefined> {
  const [head, change] = await Promise.all([
    db.selectFrom('log_head').where('administration_id', '=', administration.id).select('sequence').executeTakeFirst(),
    db.selectFrom('log_change').select('id').limit(1).executeTakeFirst(),
  ]);
  return change === undefined ? `${RENDERING}.${head?.sequence ?? 0}` : undefined;
}

/** Loaded when it is first needed, with the library that writes XML. */
const loadEInvoice = async () => (await import('../../documents/eInvoice/eInvoice.ts')).eInvoice;

async function documentOf(scope: EndpointContext, number: bigint): Promise<{ id: bigint; document: InvoiceDocument }> {
  const found = await scope.db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', scope.administration.id)
    .where('number', '=', number)
    .select('id')
    .executeTakeFirst();
  const document = found && (await invoiceDocuments(scope, [found.id])).get(found.id);
  if (found === undefined || document === undefined) {
    throw new Problem('NOT_FOUND', `There is no sales invoice ${number}.`);
  }
  return { id: found.id, document };
}

/** The PDF of an invoice: the stored one, or a new one. */
export async function invoicePdfFile(
  scope: LoggingContext,
  id: bigint,
  document: InvoiceDocument,
): Promise<Uint8Array> {
  return pdfOf(scope, id, document, (await storedPdfs(scope, [id])).get(id));
}

type StoredPdf = { fingerprint: string; current_at: string; content: Uint8Array | null };

async function storedPdfs({ db }: EndpointContext, ids: readonly bigint[]): Promise<Map<bigint, StoredPdf>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('sales_invoice_pdf').where('sales_invoice_id', 'in', ids).selectAll().execute();
  return new Map(rows.map((row) => [row.sales_invoice_id, row]));
}

/**
 * The stored PDF, or a new one, which is stored, when the invoice or its layout changed since.
 * @param state of the administration, read before the invoice; left out where it was not read
 */
async function pdfOf(
  scope: LoggingContext,
  id: bigint,
  document: InvoiceDocument,
  stored: StoredPdf | undefined,
  state = '',
): Promise<Uint8Array> {
  const fingerprint = fingerprintOf(document);
  if (stored?.content && stored.fingerprint === fingerprint) return stored.content;
  // Loaded only here: what draws PDFs is large.
  const { invoicePdf } = await import('../../documents/pdf/invoicePdf.ts');
  const content = await invoicePdf(document, await eInvoiceFile(scope, document));
  const row = { fingerprint, current_at: state, content: Buffer.from(content), created_on: scope.now() };
  await storeIfFree(
    scope,
    scope.db
      .insertInto('sales_invoice_pdf')
      .values({ sales_invoice_id: id, ...row })
      .onConflict((conflict) => conflict.column('sales_invoice_id').doUpdateSet(row)),
  );
  return content;
}

/** Who reads waits for no writer: what is not stored now is stored by a later request. */
const storeIfFree = ({ db }: EndpointContext, query: Compilable): Promise<boolean> =>
  dialectOf(db).executeIfFree(db, query.compile());

/** The e-invoice to embed in the PDF; none when Peppol cannot express the invoice. */
export async function eInvoiceFile(
  scope: LoggingContext,
  document: InvoiceDocument,
): Promise<{ name: string; content: string } | null> {
  try {
    const eInvoice = await loadEInvoice();
    return { name: `${document.number}.xml`, content: eInvoice(document) };
  } catch (failure) {
    if (!(failure instanceof Problem)) scope.log(`No e-invoice of invoice ${document.number}: ${failure}`);
    return null;
  }
}

/** Serialized by V8, which is fast. Another version of V8 may give other bytes: then the same PDF is made again. */
const fingerprintOf = (document: InvoiceDocument): string => hash('sha256', serialize([RENDERING, document]), 'hex');
