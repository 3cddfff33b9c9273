import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { databaseKind } from '../../testing/database.ts';
import { brokenRules } from '../../testing/documents/peppolRules.ts';
import { pdfStreams, qrOf, readPdf } from '../../testing/documents/readPdf.ts';
import { testStorage } from '../../testing/storage.ts';
import { installTriggers } from '../administrations/builtin/sql/logWriting/installTriggers.ts';
import { documentLinks, LINK_LIFETIME_MS } from './documentLinks.ts';

/** Whether the app has a remote administration. */
const isRemote = process.env.TEST_ADMINISTRATION === 'remote';

const { connectionString, storage } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
});
afterAll(() => app.close());

const issuer = {
  street: 'Veilingweg',
  unit: '14',
  postal_code: '1431 GN',
  city: 'Aalsmeer',
  vat_number: 'NL812345678B01',
  company_number: '34565433',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
};

/** An administration that can send invoices, with a business for a customer. */
async function sender(changes: Partial<typeof issuer> = {}): Promise<TestAdministration> {
  const administration = await app.addAdministration({ furnished: true });
  const { administrationId } = administration;
  await app.db
    .updateTable('administration')
    .where('id', '=', administrationId)
    .set({ ...issuer, ...changes })
    .execute();
  await administration.addRelation({
    name: 'Bakkerij Jansen',
    business: true,
    customerNumber: 7,
    vatNumber: 'NL002065538B68',
    row: {
      street: 'Dorpsstraat',
      unit: '12',
      postal_code: '1234 AB',
      city: 'Gouda',
      country_code: 'NL',
      registration_number: '12345678',
    },
  });
  await administration.addProduct({ articleNumber: 'R1', name: 'Roos', unit: 'bos' });
  return administration;
}

const line = { ProductNumber: 'R1', Quantity: 4, UnitPriceExclTax: 12.5, TaxPc: 21, Description: 'Rozen' };
async function invoice(administration: TestAdministration, more: Record<string, unknown> = {}): Promise<number> {
  const body = { CustomerNumber: 7, InvoiceDate: '28-02-2026', Invoice_InvoiceLine: [line], ...more };
  const { status, json, text } = await administration.post('/rest/addsalesinvoice', body);
  if (status !== 200) throw new Error(text);
  return json[0].InvoiceNumber;
}

/** The bytes of a document. */
async function download(administration: TestAdministration, target: string) {
  const { apiKey, username } = administration.credential;
  const response = await fetch(app.url + target, { headers: { ApiKey: apiKey, Username: username } });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const pdfOf = async (administration: TestAdministration, number: number): Promise<Buffer> => {
  const { json } = await administration.get(`/rest/listsalesinvoices?InvoiceNumber=${number}&IncludeBase64PDF=true`);
  return Buffer.from(json[0].InvoicePDFBase64, 'base64');
};

describe('the PDF of an invoice', () => {
  it('is the same in the list of invoices and at its own path', async () => {
    const administration = await sender();
    const number = await invoice(administration);
    const listed = await pdfOf(administration, number);
    const { status, headers, bytes } = await download(administration, `/documents/invoices/${number}.pdf`);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(Buffer.compare(listed, bytes)).toBe(0);
    const { texts, attachments } = await readPdf(bytes);
    const text = texts.map((one) => one.text).join(' ');
    expect(text).toContain('Bakkerij Jansen');
    expect(text).toContain('60,50');
    expect(attachments).toHaveLength(1);
    expect(qrOf(bytes)).toContain(`EUR60.50\n\n\n${number}`);
  });

  it('is addressed to the contact by the whole last name, with its preposition', async () => {
    const administration = await sender();
    await administration.addRelation({
      name: 'Slagerij Smit',
      customerNumber: 8,
      contacts: [
        { first_name: 'Jan', last_name: 'Smit', is_default: 0n },
        { first_name: 'Anna', preposition: 'van der', last_name: 'Berg', is_default: 1n },
      ],
    });
    const { texts } = await readPdf(await pdfOf(administration, await invoice(administration, { CustomerNumber: 8 })));
    expect(texts.map((one) => one.text).join(' ')).toContain('Anna van der Berg');
  });

  it('is described with its whole, a part of it, and what responds to who has it', async () => {
    const { paths } = (await app.request('GET', '/rest/openapi.json')).json;
    for (const form of ['pdf', 'xml']) {
      const { parameters, responses } = paths[`/documents/invoices/{number}.${form}`].get;
      expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['number', 'Range', 'If-None-Match']);
      expect(Object.keys(responses)).toEqual(['200', '206', '304', '416', 'default']);
    }
  });

  it('is stored, and made again when the invoice or its template changed', async () => {
    const administration = await sender();
    const number = await invoice(administration);
    const stored = () =>
      app.db
        .selectFrom('sales_invoice_pdf')
        .innerJoin('sales_invoice', 'sales_invoice.id', 'sales_invoice_pdf.sales_invoice_id')
        .where('sales_invoice.administration_id', '=', administration.administrationId)
        .where('number', '=', BigInt(number))
        .select(['fingerprint', 'content'])
        .execute();
    const first = await pdfOf(administration, number);
    const [before] = await stored();
    expect(Buffer.compare(first, Buffer.from(before!.content!))).toBe(0);
    // The response is the stored PDF, which is not made again.
    await app.db
      .updateTable('sales_invoice_pdf')
      .set({ content: Buffer.from('stored') })
      .execute();
    expect((await pdfOf(administration, number)).toString()).toBe('stored');
    await app.db
      .updateTable('sales_invoice')
      .where('administration_id', '=', administration.administrationId)
      .set({ reference: 'Order 4711' })
      .execute();
    const { texts } = await readPdf(await pdfOf(administration, number));
    expect(texts.map(({ text }) => text).join(' ')).toContain('Order 4711');
    expect((await stored()).map(({ fingerprint }) => fingerprint)).not.toEqual([before!.fingerprint]);
  });

  it('is compared with its invoice only after a change in the administration', async () => {
    const administration = await sender();
    const number = await invoice(administration);
    // The test wrote to the database directly: those changes are forgotten.
    await installTriggers(app.db, 0n);
    await pdfOf(administration, number);
    const stored = { fingerprint: 'of another invoice', content: Buffer.from('stored') };
    await app.db.updateTable('sales_invoice_pdf').set(stored).execute();
    expect((await pdfOf(administration, number)).toString()).toBe('stored');
    const update = { ArticleNumber: 'R1', NewUnit: 'doos' };
    expect((await administration.put('/rest/updateproduct', update)).status).toBe(200);
    const { texts } = await readPdf(await pdfOf(administration, number));
    expect(texts.map(({ text }) => text).join(' ')).toContain('doos');
  });

  it('that is still current after other changes is compared once', async () => {
    const administration = await sender();
    await administration.addProduct({ articleNumber: 'R2', name: 'Tulp' });
    const number = await invoice(administration);
    await installTriggers(app.db, 0n);
    await pdfOf(administration, number);
    await app.db
      .updateTable('sales_invoice_pdf')
      .set({ content: Buffer.from('stored') })
      .execute();
    const update = { ArticleNumber: 'R2', NewUnit: 'doos' };
    expect((await administration.put('/rest/updateproduct', update)).status).toBe(200);
    expect((await pdfOf(administration, number)).toString()).toBe('stored');
    await app.db.updateTable('sales_invoice_pdf').set({ fingerprint: 'of another invoice' }).execute();
    expect((await pdfOf(administration, number)).toString()).toBe('stored');
  });

  it.skipIf(databaseKind() !== 'sqlite')('does not wait for a writer, and is stored by a later request', async () => {
    const administration = await sender();
    const first = await invoice(administration);
    await installTriggers(app.db, 0n);
    await pdfOf(administration, first);
    // The first is compared, found unchanged and to be stored as current; the second was never made.
    const update = { ArticleNumber: 'R1', NewSalePrice: '3.21' };
    expect((await administration.put('/rest/updateproduct', update)).status).toBe(200);
    const second = await invoice(administration);
    const stored = async () =>
      app.db
        .selectFrom('sales_invoice_pdf')
        .innerJoin('sales_invoice', 'sales_invoice.id', 'sales_invoice_pdf.sales_invoice_id')
        .where('sales_invoice.administration_id', '=', administration.administrationId)
        .orderBy('number')
        .select(['number', 'current_at'])
        .execute();
    const before = await stored();
    const list = () => administration.get('/rest/listsalesinvoices?IncludeBase64PDF=true');

    const other = new DatabaseSync(app.databaseUrl.slice('sqlite:'.length));
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    const { status, json } = await list();
    expect([status, json.map((one: { InvoicePDFBase64: string }) => one.InvoicePDFBase64 !== '')]).toEqual([
      200,
      [true, true],
    ]);
    expect(await stored()).toEqual(before);
    other.exec('rollback');
    expect((await list()).text).toBe((await list()).text);
    const after = await stored();
    expect(after.map(({ number }) => Number(number))).toEqual([first, second]);
    expect(after[0]!.current_at).not.toBe(before[0]!.current_at);
    expect(after[1]!.current_at).toBe(after[0]!.current_at);
  });

  it('uses the template of the invoice, else of the relation, else the default one', async () => {
    const administration = await sender();
    const { administrationId: administration_id } = administration;
    const template = (name: string, text_before: string, is_default = 0n) => ({
      administration_id,
      name,
      name_folded: name.toLowerCase(),
      text_before,
      is_default,
    });
    await app.db
      .insertInto('document_template')
      .values([template('Gewoon', 'gewone tekst', 1n), template('Frans', 'texte'), template('Relatie', 'van relatie')])
      .execute();
    const textOf = async (more: Record<string, unknown>) => {
      const { texts } = await readPdf(await pdfOf(administration, await invoice(administration, more)));
      return texts.map(({ text }) => text).join(' ');
    };
    expect(await textOf({})).toContain('gewone tekst');
    expect(await textOf({ TemplateName_Invoice: 'FRANS' })).toContain('texte');
    await app.db
      .updateTable('relation')
      .where('administration_id', '=', administration_id)
      .set({ template_invoice: 'Relatie', language: 'fr' })
      .execute();
    const text = await textOf({ TemplateName_Invoice: 'Onbekend' });
    expect(text).toContain('van relatie');
    expect(text).toContain('Facture');
  });

  it('that cannot be made is an empty field and a line in the log; its own path says which field is missing', async () => {
    const administration = await sender({ iban: '' });
    const number = await invoice(administration);
    expect(await pdfOf(administration, number)).toHaveLength(0);
    expect(app.logged.join('\n')).toContain(`No PDF of invoice ${number}: No PDF can be made`);
    const { status, json } = await administration.get(`/documents/invoices/${number}.pdf`);
    // A remote service does not say why.
    if (isRemote) return expect([status, json.errorCode]).toEqual([502, 'REMOTE_FAILED']);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: 'issuer.iban', code: 'REQUIRED_OF_PARTY' }]);
  });

  it('has the default payment term when the invoice has none', async () => {
    const administration = await sender();
    const { administrationId } = administration;
    await app.db.updateTable('administration').where('id', '=', administrationId).set({ payment_days: 30n }).execute();
    const number = await invoice(administration);
    const { json } = await administration.get(`/rest/listsalesinvoices?InvoiceNumber=${number}`);
    expect(json[0].InvoiceDueDate).toBe('30-03-2026');
  });
});

describe.runIf(isRemote)('a remote administration', () => {
  it('responds that it offers no e-invoices', async () => {
    const administration = await sender();
    const { status, json } = await administration.get(`/documents/invoices/${await invoice(administration)}.xml`);
    expect([status, json.errorCode]).toEqual([501, 'NOT_IMPLEMENTED']);
  });
});

describe.skipIf(isRemote)('the e-invoice of an invoice', () => {
  it('is available at its own path and passes the rules', async () => {
    const administration = await sender();
    const number = await invoice(administration, {
      InvoiceDiscountPc: 2,
      Invoice_InvoiceLine: [line, { IsTextLine: true, Description: 'Let op' }, { ...line, DiscountPc: '10' }],
    });
    const { status, headers, bytes } = await download(administration, `/documents/invoices/${number}.xml`);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const xml = Buffer.from(bytes).toString();
    expect(brokenRules(xml)).toEqual([]);
    expect(xml).toContain(`<cbc:ID>${number}</cbc:ID>`);
    const attached = (await readPdf(await pdfOf(administration, number))).attachments[0]!;
    expect(Buffer.from(attached.content).toString()).toBe(xml);
  });

  it('names the reason for zero VAT, by the category of the tax code', async () => {
    const administration = await sender();
    const number = await invoice(administration, {
      Invoice_InvoiceLine: [{ ...line, TaxPc: 0, TaxCode: '0% - Verlegd binnenland' }],
    });
    const { text } = await administration.get(`/documents/invoices/${number}.xml`);
    expect(brokenRules(text)).toEqual([]);
    expect(text).toContain('<cbc:TaxExemptionReasonCode>VATEX-EU-AE</cbc:TaxExemptionReasonCode>');
  });

  it('of a credit note names the credited invoice of the same customer', async () => {
    const administration = await sender();
    const first = await invoice(administration);
    const credit = {
      InvoiceReference: `Retour 12, factuur ${first}`,
      Invoice_InvoiceLine: [{ ...line, Quantity: -1 }],
    };
    const number = await invoice(administration, credit);
    const { text } = await administration.get(`/documents/invoices/${number}.xml`);
    expect(brokenRules(text)).toEqual([]);
    expect(text).toMatch(new RegExp(`InvoiceDocumentReference>\\s*<cbc:ID>${first}</cbc:ID>`));
  });

  it('that cannot be made says which field is missing; the PDF does not need it', async () => {
    const administration = await sender();
    await app.db.updateTable('product').set({ unit: 'snufje' }).execute();
    const number = await invoice(administration);
    const { status, json } = await administration.get(`/documents/invoices/${number}.xml`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: 'lines[0].unit' }]);
    const pdf = await pdfOf(administration, number);
    expect((await readPdf(pdf)).attachments).toEqual([]);
    expect(pdfStreams(pdf).length).toBeGreaterThan(0);
  });
});

describe('the path of a document', () => {
  it.each(['1.pdf', ...(isRemote ? [] : ['1.xml']), '99999999999999999999.pdf', 'x.pdf', '1.doc', '1'])(
    'is not %s, which is not found',
    async (file) => {
      const administration = await sender();
      expect((await administration.get(`/documents/invoices/${file}`)).status).toBe(404);
    },
  );

  it('is not found with the credential of another administration', async () => {
    const number = await invoice(await sender());
    const other = await sender();
    expect((await other.get(`/documents/invoices/${number}.pdf`)).status).toBe(404);
    const wrongCredential = { ApiKey: 'x', Username: 'x@example.com' };
    const { status } = await other.request('GET', `/documents/invoices/${number}.pdf`, { headers: wrongCredential });
    expect(status).toBe(401);
  });
});

describe('a link to a document', () => {
  const open = async (path: string) => {
    const response = await fetch(app.url + path);
    return { status: response.status, type: response.headers.get('Content-Type'), bytes: await response.arrayBuffer() };
  };

  it('opens it without a credential, once', async () => {
    const administration = await sender();
    const number = await invoice(administration);
    const { bytes } = await download(administration, `/documents/invoices/${number}.pdf`);
    const { status, json } = await administration.post(`/documents/invoices/${number}.pdf/link`, {});
    expect(status).toBe(201);
    expect(json.path).toMatch(new RegExp(`^/documents/links/[\\w-]{40,}/${number}\\.pdf$`));
    expect(JSON.stringify(json)).not.toContain(administration.credential.apiKey);
    // A wrong name or token gets nothing, and does not use up the link.
    expect((await open(json.path.replace('.pdf', '.xml'))).status).toBe(404);
    expect((await open(json.path.replace(/.\/(?=\d+\.pdf)/, '_/'))).status).toBe(404);
    const responses = await Promise.all([open(json.path), open(json.path), open(json.path)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    const [opened] = responses.filter(({ status }) => status === 200);
    expect(opened!.type).toBe('application/pdf');
    expect(Buffer.compare(Buffer.from(opened!.bytes), bytes)).toBe(0);
    expect((await open(json.path)).status).toBe(404);
  });

  it.each([
    ['with a control character', '\u0001.pdf'],
    ['of many characters', `${'1'.repeat(1100)}.pdf`],
  ])('that never existed leads nowhere, also to a name %s, which a storage account refuses', async (_, name) => {
    const links = documentLinks({
      ...storage,
      blobs: (container) => ({
        ...storage.blobs(container),
        async blob(path) {
          // Azurite takes any name. Azure takes no control characters, and 1,024 characters at the most.
          if (/^[ -~]{1,1024}$/.test(path)) return storage.blobs(container).blob(path);
          throw Object.assign(new Error('The requested URI is invalid.'), { name: 'RestError', statusCode: 400 });
        },
      }),
    });
    await expect(links.take(`${Date.now() + LINK_LIFETIME_MS}-x`, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is only made with a credential for the document, and when the document can be made', async () => {
    const administration = await sender({ iban: '' });
    const number = await invoice(administration);
    const other = await sender();
    expect((await other.post(`/documents/invoices/${number}.pdf/link`, {})).status).toBe(404);
    const wrongCredential = { ApiKey: 'x', Username: 'x@example.com', 'Content-Type': 'application/json' };
    const refused = await other.request('POST', `/documents/invoices/${number}.pdf/link`, {
      headers: wrongCredential,
      body: {},
    });
    expect(refused.status).toBe(401);
    expect((await administration.post(`/documents/invoices/${number}.pdf/link`, {})).status).toBe(isRemote ? 502 : 400);
  });

  it('is refused while too much is stored for one key, or for all together', async () => {
    let now = Date.now() - 10 * LINK_LIFETIME_MS;
    const links = documentLinks(storage, () => now, { ofKey: 1_000_000, inAll: 1_200_000 });
    const large = { name: '2.pdf', content: Buffer.alloc(900_000) };
    const small = { name: '3.pdf', content: Buffer.from('%PDF') };
    const retry = (seconds: number) => ({ code: 'RATE_LIMIT', headers: { 'Retry-After': String(seconds) } });
    await links.create('one', large);
    await links.create('one', small);
    const used = await links.create('other', small);
    now += 60_000;
    // A document is stored until it is removed, some time after its link has expired or was used.
    await links.take(used.token, '3.pdf');
    await expect(links.create('one', small)).rejects.toMatchObject(retry(16 * 60));
    await links.create('other', small);
    await expect(links.create('other', small)).rejects.toMatchObject(retry(16 * 60));
    now += 16 * 60_000;
    await links.create('one', large);
    await links.removeOld();
  });

  it('expires after two minutes, and its document is removed', async () => {
    let now = Date.now() - 10 * LINK_LIFETIME_MS;
    const links = documentLinks(storage, () => now);
    const file = { name: '1.pdf', content: Buffer.from('%PDF') };
    const first = await links.create('one', file);
    const { token, expiresOn } = await links.create('one', file);
    expect(expiresOn.getTime()).toBe(now + LINK_LIFETIME_MS);
    now += LINK_LIFETIME_MS - 1;
    expect(Buffer.from(await links.take(first.token, '1.pdf')).toString()).toBe('%PDF');
    now += 1;
    await expect(links.take(token, '1.pdf')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const left = async () => {
      const paths: string[] = [];
      for await (const path of storage.blobs('document-links').list(token.split('-')[0]!)) paths.push(path);
      return paths;
    };
    expect(await left()).toHaveLength(1);
    await links.removeOld();
    expect(await left()).toEqual([]);
  });
});
