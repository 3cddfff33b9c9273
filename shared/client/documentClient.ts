import { documentLink } from '../resources/documentLink.ts';
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
