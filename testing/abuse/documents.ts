import { officePackage, wordMain } from '../attachments/files.ts';

/* Requests that are worst for what they are made into: PDFs, office documents, paths. */

type Request = { name: string; method: string; path: string; body: string };

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const textLine = (more: Record<string, unknown>) => ({ IsTextLine: true, ...more });
const invoice = (name: string, more: Record<string, unknown>): Request => ({
  name: `an invoice ${name}`,
  method: 'POST',
  path: '/rest/addsalesinvoice',
  body: JSON.stringify({ InvoiceDate: '01-11-2026', ...more }),
});

/** Invoices of a customer that fill texts and lists to their limits, and what makes documents of them. */
export const worstDocuments = (CustomerName: string): Request[] => [
  ...many(15, (index) =>
    invoice(`of line breaks (${index + 1} of 15)`, {
      CustomerName,
      Invoice_InvoiceLine: many(75, () => textLine({ Description: 'a\n'.repeat(1995) })),
    }),
  ),
  invoice('of long categories', {
    CustomerName,
    Invoice_InvoiceLine: many(15, () => textLine({ Description: 'x', TextLineCategory: 'ab '.repeat(20_000) })),
  }),
  invoice('of long notes', {
    CustomerName,
    InvoiceNotes: '<b>x</b><br>'.repeat(5000),
    Invoice_InvoiceLine: [textLine({ Description: 'x' })],
  }),
  {
    name: 'the PDFs of fifteen invoices',
    method: 'GET',
    path: '/rest/listsalesinvoices?IncludeBase64PDF=true&Limit=15',
    body: '',
  },
  {
    name: 'fifty invoices with their lines',
    method: 'GET',
    path: '/rest/listsalesinvoices?InlcudeInvoiceLinesInResponse=true&Limit=50',
    body: '',
  },
];

/** Office documents that unpack to much, and paths of slashes. */
export function worstFiles(): Request[] {
  const elements = '<a/>'.repeat(250_000);
  const large = officePackage('word/document.xml', wordMain, { types: elements, relationships: elements });
  const entries = Object.fromEntries(many(19_000, (index) => [`x${index}`, '']));
  const crowded = officePackage('word/document.xml', wordMain, { parts: entries });
  const files = (bytes: Uint8Array, count: number) =>
    many(count, () => ({ FileContent: Buffer.from(bytes).toString('base64'), FileName: 'x.docx' }));
  return [
    invoice('with office documents that unpack to much', { Invoice_Attachment: files(large, 20) }),
    invoice('with office documents of many entries', { Invoice_Attachment: files(crowded, 5) }),
    ...['1e100', '1234567890123456789', '1', '""', '{}'].map((value) => ({
      name: `a body of ${value}`,
      method: 'POST',
      path: '/rest/addsalesinvoice',
      body: `{"x":[${`${value},`.repeat(15_600_000 / (value.length + 1))}0]}`,
    })),
    { name: 'a path of slashes', method: 'GET', path: `/taskpane${'/'.repeat(16_000)}`, body: '' },
  ];
}
