import { createHash } from 'node:crypto';
import type { OwnOperation } from '../../shared/openapi.ts';
import { Problem } from '../../shared/problem.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { salesInvoice } from '../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../shared/wire/encode.ts';
import { parseJson } from '../../shared/wire/json.ts';
import type { Administration, Administrations } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import type { AppFunctions } from '../http/definition.ts';
import { fileResponse } from '../http/fileResponse.ts';

/**
 * `/documents/invoices/{number}.pdf` and `.xml`: the PDF and the e-invoice of a sales invoice. A remote administration
 * makes its own PDFs, and offers no e-invoices.
 */
export function documentFunctions(administrations: () => Promise<Administrations>): AppFunctions {
  return {
    queues: [],
    timers: [],
    http: [
      {
        name: 'invoiceDocument',
        methods: ['GET', 'HEAD'],
        route: 'documents/invoices/{file}',
        described: (): OwnOperation[] => [
          {
            path: '/documents/invoices/{number}.pdf',
            method: 'GET',
            summary: 'The PDF of a sales invoice',
            answer: { 'application/pdf': {} },
          },
          {
            path: '/documents/invoices/{number}.xml',
            method: 'GET',
            summary: 'The e-invoice of a sales invoice: Peppol BIS Billing 3.0',
            answer: { 'application/xml': {} },
          },
        ],
        async handler(request) {
          const credential = credentialOf(request);
          const { file = '' } = request.params;
          const [, digits, form] = /^(\d{1,18})\.(pdf|xml)$/i.exec(file) ?? [];
          const all = await administrations();
          const files = await all.files?.(credential);
          const elsewhere = files === undefined ? await all.open(credential) : undefined;
          if (digits === undefined || form === undefined) {
            throw new Problem('NOT_FOUND', `Expected the number of an invoice and .pdf or .xml, got ${file}.`);
          }
          const isPdf = form.toLowerCase() === 'pdf';
          const number = BigInt(digits);
          const content = isPdf
            ? await (files?.pdf(number) ?? pdfElsewhere(elsewhere!, number))
            : Buffer.from(await (files?.eInvoice(number) ?? noEInvoice()));
          return fileResponse(request, {
            bytes: content.length,
            tag: createHash('sha256').update(content).digest('hex'),
            headers: {
              'Content-Type': isPdf ? 'application/pdf' : 'application/xml; charset=utf-8',
              'Content-Disposition': `inline; filename="${number}.${form.toLowerCase()}"`,
              'Cache-Control': 'private, no-cache',
            },
            read: async (start, count) => Buffer.from(content.subarray(start, start + count)),
          });
        },
      },
    ],
  };
}

async function pdfElsewhere(administration: Administration, number: bigint): Promise<Uint8Array> {
  const query = { InvoiceNumber: String(number), IncludeBase64PDF: 'true' };
  const { request } = readRequest('listsalesinvoices', query);
  const found = await administration.listsalesinvoices(request);
  const [invoice] =
    found instanceof Encoded ? (parseJson(found.json) as unknown[]).map((one) => salesInvoice.parse(one)) : found;
  if (invoice === undefined) throw new Problem('NOT_FOUND', `There is no sales invoice ${number}.`);
  const pdf = Buffer.from(invoice.InvoicePDFBase64 ?? '', 'base64');
  if (pdf.length > 0) return pdf;
  throw new Problem('REMOTE_FAILED', `The service behind this one made no PDF of sales invoice ${number}.`);
}

async function noEInvoice(): Promise<string> {
  throw new Problem('NOT_IMPLEMENTED', 'The service behind this one offers no e-invoices.');
}
