import { describe, expect, it } from 'vitest';
import { docx, gif, jpg, pdf, png, program, xlsx } from '../../../../testing/attachments/files.ts';
import {
  app,
  beginSalesInvoices,
  fileAddress,
  make,
  refused,
  shop,
} from '../../../../testing/builtin/salesInvoices.ts';

beginSalesInvoices();

describe('attachments', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const file = { FileContent: base64(pdf), FileName: 'Bon.pdf' };

  it('are kept with the document: public unless they are internal', async () => {
    const { InvoiceNumber } = await make({
      Invoice_Attachment: [
        file,
        { FileContent: base64(png), FileName: 'foto.PNG', Internal: 'True' },
        { FileContent: base64(jpg), FileName: 'foto.jpg', Internal: false },
        { FileContent: base64(docx), FileName: 'brief.docx' },
        { FileContent: base64(xlsx), FileName: 'lijst.xlsx' },
      ],
    });
    expect(await shop.filesOf({ salesInvoice: InvoiceNumber })).toMatchObject([
      { name: 'Bon.pdf', type: 'application/pdf', size: pdf.length, url: '', failure: '', internal: false },
      { name: 'foto.PNG', type: 'image/png', internal: true },
      { name: 'foto.jpg', type: 'image/jpeg', internal: false },
      { name: 'brief.docx' },
      { name: 'lijst.xlsx' },
    ]);
  });

  it('of 10 MB are taken, of one byte more refused', async () => {
    const ofSize = (size: number) => base64(Buffer.concat([pdf, Buffer.alloc(size - pdf.length, ' ')]));
    const most = 10 * 1024 * 1024;
    const { InvoiceNumber } = await make({ Invoice_Attachment: [{ ...file, FileContent: ofSize(most) }] });
    expect(await shop.filesOf({ salesInvoice: InvoiceNumber })).toMatchObject([{ size: most }]);
    expect(await refused({ Invoice_Attachment: [{ ...file, FileContent: ofSize(most + 1) }] })).toEqual([
      'Invoice_Attachment[0].FileContent',
    ]);
  });

  it.each([
    ['content without a name', { FileContent: file.FileContent }, 'FileName'],
    ['content with an empty name', { FileContent: file.FileContent, FileName: '' }, 'FileName'],
    ['a name of another type', { ...file, FileName: 'Bon.png' }, 'FileContent'],
    ['a program called a PDF', { ...file, FileContent: base64(program) }, 'FileContent'],
    ['a type that is not taken', { FileContent: base64(gif), FileName: 'a.gif' }, 'FileName'],
    ['content that is not base64', { ...file, FileContent: 'geen base64!' }, 'FileContent'],
    ['neither content nor address', { FileName: 'Bon.pdf' }, 'FileUrl'],
  ])('with %s are refused', async (_, attachment, field) => {
    expect(await refused({ Invoice_Attachment: [file, attachment] })).toEqual([`Invoice_Attachment[1].${field}`]);
  });

  it('are downloaded from an address, under the name given or one made of the time', async () => {
    const { InvoiceNumber } = await make({
      Invoice_Attachment: [
        { FileUrl: `${fileAddress}/factuur.pdf?v=1`, FileName: 'Factuur.pdf', Internal: true },
        { FileUrl: `${fileAddress}/factuur.pdf` },
      ],
    });
    expect(await shop.filesOf({ salesInvoice: InvoiceNumber })).toEqual([
      {
        name: 'Factuur.pdf',
        type: 'application/pdf',
        size: pdf.length,
        url: `${fileAddress}/factuur.pdf?v=1`,
        failure: '',
        internal: true,
      },
      {
        name: '20261120110000000.pdf',
        type: 'application/pdf',
        size: pdf.length,
        url: `${fileAddress}/factuur.pdf`,
        failure: '',
        internal: false,
      },
    ]);
  });

  it.each([
    ['a file that is not there', () => `${fileAddress}/weg.pdf`],
    ['a page instead of a file', () => `${fileAddress}/page.pdf`],
    ['a redirect to a private address', () => `${fileAddress}/inside.pdf`],
    ['a private address', () => 'http://192.168.1.1/a.pdf'],
    ['this machine', () => 'http://localhost:80/a.pdf'],
    ['the address where clouds keep secrets', () => 'http://169.254.169.254/latest/a.pdf'],
    ['another ending', () => `${fileAddress}/factuur.pdf.exe`],
    ['no address at all', () => 'factuur.pdf'],
  ])('from %s: the invoice is made without, and the reason kept and logged', async (_, address) => {
    app.logged.length = 0;
    const { InvoiceNumber } = await make({ Invoice_Attachment: [{ FileUrl: address() }, file] });
    const [failed, kept] = await shop.filesOf({ salesInvoice: InvoiceNumber });
    expect(failed).toMatchObject({ size: null, url: address(), failure: expect.stringMatching(/\S/) });
    expect(kept).toMatchObject({ name: 'Bon.pdf', size: pdf.length });
    expect(app.logged.join('\n')).toContain(failed!.failure);
  });
});
