import { parentPort } from 'node:worker_threads';
import { Problem } from '../../../../shared/problem.ts';
import { eInvoice } from '../eInvoice/eInvoice.ts';
import type { InvoiceDocument } from '../invoiceDocument.ts';
import { invoicePdf } from '../pdf/invoicePdf.ts';
import type { Made, Order } from './documentMaker.ts';

/* The entry of a thread that makes documents, one after another. */

parentPort!.on('message', async (order: Order) => parentPort!.postMessage(await make(order)));

async function make({ kind, document }: Order): Promise<Made> {
  try {
    if (kind === 'eInvoice') return { kind: 'made', content: Buffer.from(eInvoice(document)), notes: [] };
    const { attached, notes } = eInvoiceIn(document);
    return { kind: 'made', content: await invoicePdf(document, attached), notes };
  } catch (thrown) {
    if (!(thrown instanceof Problem)) return { kind: 'failed', reason: textOf(thrown) };
    const { code, message, errors } = thrown;
    return { kind: 'refused', code, message, errors };
  }
}

/** The e-invoice to embed in the PDF; none when Peppol cannot express the invoice. */
function eInvoiceIn(document: InvoiceDocument) {
  try {
    return { attached: { name: `${document.number}.xml`, content: eInvoice(document) }, notes: [] };
  } catch (thrown) {
    const notes = thrown instanceof Problem ? [] : [`No e-invoice of invoice ${document.number}: ${textOf(thrown)}`];
    return { attached: null, notes };
  }
}

const textOf = (thrown: unknown): string => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : `${thrown}`);
