import PDFDocument from 'pdfkit';
import { invoiceDocuments } from '../functions/administrations/builtin/sales/invoiceFiles/invoiceDocuments.ts';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { eInvoice } from '../functions/administrations/invoiceDocuments/eInvoice/eInvoice.ts';
import { type InvoiceDocument, isCredit } from '../functions/administrations/invoiceDocuments/invoiceDocument.ts';
import { type FontStyle, fontFiles, fontOf } from '../functions/administrations/invoiceDocuments/pdf/fonts.ts';
import { invoicePdf } from '../functions/administrations/invoiceDocuments/pdf/invoicePdf.ts';
import { alternately, eachOf, median, type Ratio } from './measure.ts';

/** PDFs and e-invoices of the demo's invoices, by themselves. */
export async function measureDocuments(): Promise<Ratio[]> {
  const documents = await sendable();
  const at = (index: number) => documents[index % documents.length]!;
  let index = 0;
  const pdfs = await alternately(500, { ours: () => invoicePdf(at(index++), null), bare: () => fixedPage(at(0)) });
  return [
    { name: 'a PDF of an invoice, against pdfkit drawing a fixed page', ...eachOf(median, pdfs), unit: 'ms', aim: 2 },
    await memory((made) => invoicePdf(at(made), null)),
    eInvoices(documents),
  ];
}

/** The demo's invoices an e-invoice can be made of, one page each. */
async function sendable(): Promise<InvoiceDocument[]> {
  const db = await openDatabase('sqlite::memory:');
  await makeDemo(db);
  const administration = await db.selectFrom('administration').orderBy('id').selectAll().executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administration.id)
    .select('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  const documents = [...(await invoiceDocuments({ db, administration }, ids)).values()];
  await db.destroy();
  return documents.filter((document) => {
    try {
      return document.lines.length <= 8 && !isCredit(document) && eInvoice(document) !== '';
    } catch {
      return false;
    }
  });
}

/** A page with as much text as an invoice has, at places that are known beforehand. */
function fixedPage(document: InvoiceDocument): Promise<Buffer> {
  const date = new Date(0);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    font: fontOf('regular') as unknown as string,
    info: { CreationDate: date, ModDate: date },
  } as PDFKit.PDFDocumentOptions);
  for (const style of Object.keys(fontFiles) as FontStyle[])
    pdf.registerFont(style, fontOf(style) as unknown as string);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let line = 0; line < 55; line++) {
    pdf.font(line % 9 === 0 ? 'bold' : 'regular').fontSize(9);
    pdf.text(`${document.customer.name} ${document.number} 1.234,56`, 50, 45 + line * 13, { lineBreak: false });
  }
  for (let row = 0; row < 41; row++) for (let bar = 0; bar < 11; bar++) pdf.rect(450 + bar * 8, 650 + row * 2, 4, 2);
  pdf.fill('#000000');
  return new Promise((resolve) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.end();
  });
}

/** The memory after 500 documents relative to 100, to show that documents are released. */
async function memory(make: (made: number) => Promise<unknown>): Promise<Ratio> {
  const used = () => {
    globalThis.gc?.();
    return process.memoryUsage().rss / 2 ** 20;
  };
  let made = 0;
  while (made < 100) await make(made++);
  const bare = used();
  while (made < 500) await make(made++);
  return { name: 'memory after 500 PDFs, against after 100', ours: used(), bare, unit: 'MB', aim: 1.2 };
}

/** Processor time of a thousand e-invoices, against a second. */
function eInvoices(documents: readonly InvoiceDocument[]): Ratio {
  const make = (count: number) => {
    for (let made = 0; made < count; made++) eInvoice(documents[made % documents.length]!);
  };
  make(500);
  const before = process.cpuUsage();
  make(1000);
  const { user, system } = process.cpuUsage(before);
  const name = 'a thousand e-invoices, of processor time, against a second';
  return { name, ours: (user + system) / 1000, bare: 1000, unit: 'ms', aim: 1 };
}
