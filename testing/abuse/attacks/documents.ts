import { equal } from 'node:assert/strict';
import { MAX_LINES } from '../../../shared/resources/document.ts';
import { MAX_CHECKED_INVOICES } from '../../../shared/resources/invoiceDocuments.ts';
import { known } from '../target.ts';
import type { Attack } from './attack.ts';

/* Invoices that fill texts and lists to their limits, and what makes documents of them. */

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const textLine = (more: Record<string, unknown>) => ({ IsTextLine: true, ...more });

const invoice = (name: string, fields: Record<string, unknown>): Attack => ({
  name: `an invoice ${name}`,
  prepare({ write }) {
    const body = JSON.stringify({ CustomerNumber: known.party, InvoiceDate: '01-11-2026', ...fields });
    return async () => {
      const received = await write({ method: 'POST', path: '/rest/addsalesinvoice', body });
      equal(received.status, 200, received.body);
      return '200';
    };
  },
});

const list = (name: string, query: string): Attack => ({
  name,
  prepare:
    ({ read }) =>
    async () => {
      const { status, body } = await read({ method: 'GET', path: `/rest/listsalesinvoices?${query}` });
      equal(status, 200, body);
      return `200, ${(body.length / 1e6).toFixed(1)} MB`;
    },
});

export const documentAttacks: readonly Attack[] = [
  ...many(15, (index) =>
    invoice(`of line breaks (${index + 1} of 15)`, {
      Invoice_InvoiceLine: many(75, () => textLine({ Description: 'a\n'.repeat(1995) })),
    }),
  ),
  invoice('of long categories', {
    Invoice_InvoiceLine: many(15, () => textLine({ Description: 'x', TextLineCategory: 'ab '.repeat(20_000) })),
  }),
  invoice('of long addresses', {
    Invoice_InvoiceLine: [textLine({ Description: 'x' })],
    Invoice_Address: [{ Address_Street: 'a\n'.repeat(32_000), Address_City: 'ab '.repeat(20_000) }],
  }),
  invoice('of long notes', {
    InvoiceNotes: '<b>x</b><br>'.repeat(5000),
    Invoice_InvoiceLine: [textLine({ Description: 'x' })],
  }),
  {
    name: 'a check of the most invoices, of the most lines',
    prepare({ write }) {
      const line = { ProductNumber: known.product, Quantity: 1, UnitPriceExclTax: 1, TaxPc: 21 };
      const Invoice = many(MAX_CHECKED_INVOICES, () => ({
        CustomerNumber: known.party,
        Invoice_InvoiceLine: many(MAX_LINES, () => line),
      }));
      const body = JSON.stringify({ Invoice });
      return async () => {
        const received = await write({ method: 'POST', path: '/documents/e-invoices/check', body });
        equal(received.status, 200, received.body);
        return '200';
      };
    },
  },
  list('the PDFs of fifteen invoices', 'IncludeBase64PDF=true&Limit=15'),
  list('fifty invoices with their lines', 'InlcudeInvoiceLinesInResponse=true&Limit=50'),
];
