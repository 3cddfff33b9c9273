import type { FieldError } from '../fieldErrors.ts';
import { documentLink, eInvoiceFindings, MAX_CHECKED_INVOICES } from '../resources/invoiceDocuments.ts';
import { ask, received, type Service, send } from './client.ts';

/** The documents of an invoice: the PDF, and the e-invoice. */
export type DocumentForm = 'pdf' | 'xml';

const targetOf = (invoiceNumber: string, form: DocumentForm): string =>
  `/documents/invoices/${encodeURIComponent(invoiceNumber)}.${form}`;

/** @throws Problem, of an invoice that lacks something with its fields; Unreachable */
export async function readDocument(
  service: Service,
  invoiceNumber: string,
  form: DocumentForm,
  signal?: AbortSignal,
): Promise<Blob> {
  const response = await send(service, { method: 'GET', target: targetOf(invoiceNumber, form), signal });
  return received(response.blob());
}

/** An address that opens a document without a credential, once and for two minutes. @throws as `readDocument` does */
export async function linkToDocument(
  service: Service,
  invoiceNumber: string,
  form: DocumentForm,
  signal?: AbortSignal,
): Promise<string> {
  const question = { method: 'POST', target: `${targetOf(invoiceNumber, form)}/link`, body: {}, signal };
  return service.base + (await ask(service, question, documentLink)).path;
}

/** Why each of some invoices that are not made yet could not become an e-invoice. @param invoices as addsalesinvoice takes them */
export async function checkEInvoices(
  service: Service,
  invoices: readonly object[],
  signal?: AbortSignal,
): Promise<(readonly FieldError[])[]> {
  const found: (readonly FieldError[])[] = [];
  for (let from = 0; from < invoices.length; from += MAX_CHECKED_INVOICES) {
    const body = { Invoice: invoices.slice(from, from + MAX_CHECKED_INVOICES) };
    const question = { method: 'POST', target: '/documents/e-invoices/check', body, signal };
    found.push(...(await ask(service, question, eInvoiceFindings)).invoices.map(({ errors }) => errors));
  }
  return found;
}
