import { Problem } from '../../../../shared/problem.ts';
import { carryOutOrders, textOf } from '../../threads/carryOutOrders.ts';
import { eInvoice } from '../eInvoice/eInvoice.ts';
import type { InvoiceDocument } from '../invoiceDocument.ts';
import { invoicePdf } from '../pdf/invoicePdf.ts';
import type { Made, Order } from './documentMaker.ts';

/* The entry of a thread that makes documents, one after another. */

carryOutOrders(make);

async function make({ kind, document }: Order): Promise<Made> {
  if (kind === 'eInvoice') return { content: Buffer.from(eInvoice(document)), notes: [] };
  const { attached, notes } = eInvoiceIn(document);
  return { content: await invoicePdf(document, attached), notes };
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
