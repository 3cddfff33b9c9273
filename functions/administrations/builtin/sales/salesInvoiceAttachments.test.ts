import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../../shared/readRequest.ts';
import { docx, gif, jpg, pdf, png, program, xlsx } from '../../../../testing/attachments/files.ts';
import { chair, chairs, FRIDAY, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';
import { builtinAdministrations } from '../builtin.ts';
import { issueKey } from '../credentials/keys.ts';

const invoices = salesInvoices();

describe('attachments', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const file = { FileContent: base64(pdf), FileName: 'Bon.pdf' };

  it('are stored with the document, public unless they are internal', async () => {
    const { InvoiceNumber } = await invoices.make({
      Invoice_Attachment: [
        file,
        { FileContent: base64(png), FileName: 'foto.PNG', Internal: 'True' },
        { FileContent: base64(jpg), FileName: 'foto.jpg', Internal: false },
        { FileContent: base64(docx), FileName: 'brief.docx' },
        { FileContent: base64(xlsx), FileName: 'lijst.xlsx' },
      ],
    });
    expect(await invoices.shop.filesOf({ salesInvoice: InvoiceNumber })).toMatchObject([
      { name: 'Bon.pdf', type: 'application/pdf', size: pdf.length, url: '', failure: '', internal: false },
      { name: 'foto.PNG', type: 'image/png', internal: true },
      { name: 'foto.jpg', type: 'image/jpeg', internal: false },
      { name: 'brief.docx' },
      { name: 'lijst.xlsx' },
    ]);
  });

  it('of 10 MB are accepted, and of one byte more refused', async () => {
    const ofSize = (size: number) => base64(Buffer.concat([pdf, Buffer.alloc(size - pdf.length, ' ')]));
    const most = 10 * 1024 * 1024;
    const { InvoiceNumber } = await invoices.make({ Invoice_Attachment: [{ ...file, FileContent: ofSize(most) }] });
    expect(await invoices.shop.filesOf({ salesInvoice: InvoiceNumber })).toMatchObject([{ size: most }]);
    expect(await invoices.refused({ Invoice_Attachment: [{ ...file, FileContent: ofSize(most + 1) }] })).toEqual([
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
    expect(await invoices.refused({ Invoice_Attachment: [file, attachment] })).toEqual([
      `Invoice_Attachment[1].${field}`,
    ]);
  });

  it('are downloaded from an address, with the name of the request or one made from the time', async () => {
    const { InvoiceNumber } = await invoices.make({
      Invoice_Attachment: [
        { FileUrl: `${invoices.fileAddress}/factuur.pdf?v=1`, FileName: 'Factuur.pdf', Internal: true },
        { FileUrl: `${invoices.fileAddress}/factuur.pdf` },
      ],
    });
    expect(await invoices.shop.filesOf({ salesInvoice: InvoiceNumber })).toEqual([
      {
        name: 'Factuur.pdf',
        type: 'application/pdf',
        size: pdf.length,
        url: `${invoices.fileAddress}/factuur.pdf?v=1`,
        failure: '',
        internal: true,
      },
      {
        name: '20261120110000000.pdf',
        type: 'application/pdf',
        size: pdf.length,
        url: `${invoices.fileAddress}/factuur.pdf`,
        failure: '',
        internal: false,
      },
    ]);
  });

  it.each([
    ['a file that is not there', () => `${invoices.fileAddress}/weg.pdf`],
    ['a page instead of a file', () => `${invoices.fileAddress}/page.pdf`],
    ['a redirect to a private address', () => `${invoices.fileAddress}/inside.pdf`],
    ['a private address', () => 'http://192.168.1.1/a.pdf'],
    ['this machine', () => 'http://localhost:80/a.pdf'],
    ['the address where clouds keep secrets', () => 'http://169.254.169.254/latest/a.pdf'],
    ['another ending', () => `${invoices.fileAddress}/factuur.pdf.exe`],
    ['no address at all', () => 'factuur.pdf'],
  ])('from %s are left out of the invoice, and the reason is stored and logged', async (_, address) => {
    invoices.app.logged.length = 0;
    const { InvoiceNumber } = await invoices.make({ Invoice_Attachment: [{ FileUrl: address() }, file] });
    const [failed, stored] = await invoices.shop.filesOf({ salesInvoice: InvoiceNumber });
    expect(failed).toMatchObject({ size: null, url: address(), failure: expect.stringMatching(/\S/) });
    expect(stored).toMatchObject({ name: 'Bon.pdf', size: pdf.length });
    expect(invoices.app.logged.join('\n')).toContain(failed!.failure);
  });

  const withFiles = (count: number) => ({
    Invoice_Attachment: Array.from({ length: count }, () => ({ FileUrl: `${invoices.fileAddress}/factuur.pdf` })),
  });

  it('of a refused document are not downloaded', async () => {
    invoices.requestedFiles.length = 0;
    const { InvoiceNumber } = await invoices.make();
    expect(await invoices.refused({ ...withFiles(2), CustomerNumber: 99 })).toEqual(['CustomerNumber']);
    expect(await invoices.refused({ ...withFiles(2), InvoiceNumber })).toEqual(['InvoiceNumber']);
    expect(
      await invoices.refused({ Invoice_Attachment: [...withFiles(1).Invoice_Attachment, { FileName: 'x.pdf' }] }),
    ).toEqual(['Invoice_Attachment[1].FileUrl']);
    const booking = { CustomerNumber: 7, Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: 20 }] };
    const file = { InvoiceFileUrl: `${invoices.fileAddress}/factuur.pdf` };
    await invoices.shop.refused('addsalestransaction', { ...booking, ...file });
    await invoices.shop.refused('addpurchasetransaction', { ...booking, SupplierNumber: 3, ...file });
    await invoices.shop.refused('addorder', {
      CustomerNumber: 7,
      Order_Orderline: [{ ProductNumber: 'nergens', Quantity: 1, UnitPriceExclTax: 1 }],
      Order_Attachment: withFiles(1).Invoice_Attachment,
    });
    expect(invoices.requestedFiles).toEqual([]);
  });

  it('of an accepted document are downloaded once, and the trial before it stores nothing', async () => {
    invoices.requestedFiles.length = 0;
    const first = await invoices.make();
    const { InvoiceNumber } = await invoices.make(withFiles(2));
    expect(InvoiceNumber).toBe(first.InvoiceNumber + 1);
    expect(invoices.requestedFiles).toEqual(['/factuur.pdf', '/factuur.pdf']);
    expect(await invoices.shop.filesOf({ salesInvoice: InvoiceNumber })).toHaveLength(2);
    expect(await invoices.app.db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([]);
  });

  it('of a document are downloaded, but it is not made, when its administration is archived meanwhile', async () => {
    const { db } = invoices.app;
    const { administrationId, credential } = invoices.shop;
    const administrations = builtinAdministrations(db, {
      async download(...call) {
        const archived = db.updateTable('administration').set({ archived_on: BigInt(FRIDAY) });
        await archived.where('id', '=', administrationId).execute();
        return invoices.download(...call);
      },
    });
    const { addsalesinvoice } = await administrations.open(credential);
    const { request } = readRequest('addsalesinvoice', { ...chairs, ...withFiles(1) });
    await expect(addsalesinvoice(request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await invoices.shop.get('/rest/listsalesinvoices')).json).toEqual([]);
  });

  // An app in front would wait by itself for a service that says 429: its callers see no more of the limit.
  it.runIf(process.env.TEST_ADMINISTRATION !== 'remote')(
    'of one key are downloaded at most sixty times a minute, and further documents are refused and not stored',
    async () => {
      for (let document = 0; document < 3; document++) await invoices.make(withFiles(20));
      invoices.requestedFiles.length = 0;
      const body = { CustomerNumber: 7, Invoice_InvoiceLine: [chair], ...withFiles(1) };
      const before = await invoices.shop.get('/rest/listsalesinvoices');
      const tooMany = await invoices.shop.post('/rest/addsalesinvoice', body);
      expect([tooMany.status, tooMany.json.errorCode]).toEqual([429, 'RATE_LIMIT']);
      expect(tooMany.headers['retry-after']).toBe('60');
      expect(invoices.requestedFiles).toEqual([]);
      expect((await invoices.shop.get('/rest/listsalesinvoices')).text).toBe(before.text);
      // Without downloads, and for others, documents are made all the same.
      await invoices.make();
      const { administrationId } = invoices.shop;
      const username = 'another@example.com';
      const apiKey = await issueKey(invoices.app.db, { administrationId, username, label: '', now: 1n });
      const headers = { ApiKey: apiKey, Username: username };
      expect((await invoices.shop.request('POST', '/rest/addsalesinvoice', { body, headers })).status).toBe(200);
      invoices.app.setTime(FRIDAY + 60);
      expect((await invoices.shop.post('/rest/addsalesinvoice', body)).status).toBe(200);
    },
  );
});
