import { createHash } from 'node:crypto';
import type { HttpRequest } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { describeSchema, type OwnOperation } from '../../shared/openapi.ts';
import { Problem } from '../../shared/problem.ts';
import { readFields, readRequest } from '../../shared/readRequest.ts';
import { documentLink, eInvoiceCheck, eInvoiceFindings } from '../../shared/resources/invoiceDocuments.ts';
import { salesInvoice } from '../../shared/resources/salesInvoice.ts';
import { Encoded, encode } from '../../shared/wire/encode.ts';
import { parseJson } from '../../shared/wire/json.ts';
import type { Administration, Administrations } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import type { AppFunctions } from '../http/definition.ts';
import { describedFile, fileResponse } from '../http/fileResponse.ts';
import { jsonResponse, readJsonBody } from '../http/json.ts';
import { type DocumentFile, type DocumentLinks, LINK_REMOVAL } from './documentLinks.ts';

/** Bytes of a body with invoices to check, which need no texts and no files. */
const MAX_CHECK = MEGABYTE;

/**
 * `/documents/invoices/{number}.pdf` and `.xml`: the PDF and the e-invoice of a sales invoice, and links that open one
 * once without a credential; and `/documents/e-invoices/check`. A remote administration makes its own PDFs, and offers no e-invoices.
 * @param links opened when a function first needs them
 */
export function documentFunctions(
  administrations: () => Promise<Administrations>,
  links: () => Promise<DocumentLinks>,
): AppFunctions {
  const read = async (request: HttpRequest) => readDocument(await administrations(), request);
  return {
    queues: [],
    timers: [
      {
        name: 'documentLinkRemoval',
        schedule: LINK_REMOVAL,
        atStart: true,
        handler: async () => (await links()).removeOld(),
      },
    ],
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
            response: { 'application/pdf': {} },
            ...describedFile,
          },
          {
            path: '/documents/invoices/{number}.xml',
            method: 'GET',
            summary: 'The e-invoice of a sales invoice: Peppol BIS Billing 3.0',
            response: { 'application/xml': {} },
            ...describedFile,
          },
        ],
        async handler(request) {
          const { name, content } = await read(request);
          return fileResponse(request, {
            bytes: content.length,
            tag: createHash('sha256').update(content).digest('hex'),
            headers: headersOf(name),
            read: async (start, count) => Buffer.from(content.subarray(start, start + count)),
          });
        },
      },
      {
        name: 'invoiceDocumentLink',
        methods: ['POST'],
        route: 'documents/invoices/{file}/link',
        described: () => [
          {
            path: '/documents/invoices/{file}/link',
            method: 'POST',
            summary: 'A link that opens {number}.pdf or {number}.xml without a credential, once and for two minutes',
            status: 201,
            response: { 'application/json': describeSchema(documentLink) },
          },
        ],
        async handler(request) {
          const file = await read(request);
          const { token, expiresOn } = await (await links()).create(credentialOf(request).apiKey, file);
          const link = {
            path: `/documents/links/${token}/${file.name}`,
            expiresOn: String(Math.floor(expiresOn.getTime() / 1000)),
          };
          return jsonResponse(encode(documentLink, link), { status: 201 });
        },
      },
      {
        name: 'eInvoiceCheck',
        methods: ['POST'],
        route: 'documents/e-invoices/check',
        described: () => [
          {
            path: '/documents/e-invoices/check',
            method: 'POST',
            summary: 'Why invoices that are not made yet could not become e-invoices; nothing is stored',
            body: describeSchema(eInvoiceCheck),
            maxBody: MAX_CHECK,
            response: { 'application/json': describeSchema(eInvoiceFindings) },
          },
        ],
        async handler(request) {
          const files = await (await administrations()).files?.(credentialOf(request));
          const check = await (files?.eInvoiceCheck() ?? noEInvoice());
          const { Invoice } = readFields(eInvoiceCheck, await readJsonBody(request, MAX_CHECK));
          const invoices = (await check(Invoice)).map((errors) => ({ errors }));
          return jsonResponse(JSON.stringify({ invoices }));
        },
      },
      {
        name: 'documentLink',
        methods: ['GET'],
        route: 'documents/links/{token}/{file}',
        described: () => [
          {
            path: '/documents/links/{token}/{file}',
            method: 'GET',
            summary: 'The document a link leads to; the second time there is none',
            isPublic: true,
            response: { 'application/pdf': {}, 'application/xml': {} },
          },
        ],
        async handler({ params: { token = '', file = '' } }) {
          const content = await (await links()).take(token, file);
          return { body: content, headers: { ...headersOf(file), 'Referrer-Policy': 'no-referrer' } };
        },
      },
    ],
  };
}

const headersOf = (name: string): Record<string, string> => ({
  'Content-Type': name.endsWith('.pdf') ? 'application/pdf' : 'application/xml; charset=utf-8',
  'Content-Disposition': `inline; filename="${name}"`,
});

/** The document that a request names. @throws Problem */
async function readDocument(administrations: Administrations, request: HttpRequest): Promise<DocumentFile> {
  const credential = credentialOf(request);
  const { file = '' } = request.params;
  const [, digits, form] = /^(\d{1,18})\.(pdf|xml)$/i.exec(file) ?? [];
  const files = await administrations.files?.(credential);
  const remote = files === undefined ? await administrations.open(credential) : undefined;
  if (digits === undefined || form === undefined) {
    throw new Problem('NOT_FOUND', `Expected the number of an invoice and .pdf or .xml, got ${file}.`);
  }
  const number = BigInt(digits);
  const name = `${number}.${form.toLowerCase()}`;
  return {
    name,
    content: name.endsWith('.pdf')
      ? await (files?.pdf(number) ?? remotePdf(remote!, number))
      : Buffer.from(await (files?.eInvoice(number) ?? noEInvoice())),
  };
}

async function remotePdf(administration: Administration, number: bigint): Promise<Uint8Array> {
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

async function noEInvoice(): Promise<never> {
  throw new Problem('NOT_IMPLEMENTED', 'The service behind this one offers no e-invoices.');
}
