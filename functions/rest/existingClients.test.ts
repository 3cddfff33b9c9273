import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send, startApp, type TestApp } from '../../testing/app.ts';
import { openShop, type Shop } from '../../testing/shop.ts';

/*
 * Existing programs use this interface in different ways. The tests send requests of such programs exactly as they are.
 */

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  shop = await openShop(app);
});
afterAll(() => app.close());

/** A request of a client: path and body as text, the credential, and perhaps a content type. */
const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
  const response = await shop.request('POST', path, { body, headers });
  if (response.status !== 200) throw new Error(response.text);
  return response.json[0];
};
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await shop.request('GET', path, { headers });
  if (response.status !== 200) throw new Error(response.text);
  return response.json;
};

describe('a client with another spelling of paths', () => {
  it.each([
    '/rest/listtaxcodes',
    '/rest/listtaxcodes/',
    '/rest/ListTaxCodes',
    '/rest/LISTTAXCODES/',
    '/REST/listtaxcodes',
  ])('gets its list at %s', async (path) => {
    expect((await get(path)).length).toBeGreaterThan(0);
  });

  it.each(['/rest/addsalesinvoice/', '/rest/AddSalesInvoice', '/rest/ADDSALESINVOICE/'])(
    'posts to %s',
    async (path) => {
      const body =
        '{"CustomerNumber":7,"Invoice_InvoiceLine":[{"ProductNumber":"0100","Quantity":1,"UnitPriceExclTax":1}]}';
      expect((await post(path, body)).InvoiceTotalExclTax).toBe(1);
    },
  );
});

describe('a Python client', () => {
  const body = (boolean: string) =>
    `{"CustomerNumber": "7", "AddAsDraft": ${boolean}, "Invoice_InvoiceLine": [{"ProductNumber": "0100", "Quantity": "1.0", "UnitPriceExclTax": "12.50", "UseArticlePrice": ${boolean}}]}`;

  it('may send "True" and "False" as text', async () => {
    const draft = await post('/rest/addsalesinvoice/', body('"True"'));
    const final = await post('/rest/addsalesinvoice/', body('"False"'));
    expect((await shop.invoiceOf(draft.InvoiceNumber)).is_draft).toBe(1n);
    expect((await shop.invoiceOf(final.InvoiceNumber)).is_draft).toBe(0n);
  });

  it('may send True in a query', async () => {
    await post('/rest/addsalesinvoice/', body('"False"'));
    const [invoice] = await get('/rest/listsalesinvoices/?InlcudeInvoiceLinesInResponse=True&IncludeBase64PDF=False');
    expect(invoice.Invoice_InvoiceLine).toHaveLength(1);
    expect(invoice).not.toHaveProperty('InvoicePDFBase64');
  });

  it('may send inexact floats, which are rounded', async () => {
    const noisy =
      '{"CustomerNumber":7,"Invoice_InvoiceLine":[{"ProductNumber":"0100","Quantity":3,"UnitPriceExclTax":36.300000000000004},{"ProductNumber":"0100","Quantity":1,"SubTotalInclTax":0.30000000000000004}]}';
    const { InvoiceNumber } = await post('/rest/addsalesinvoice', noisy);
    expect((await shop.listed(InvoiceNumber)).Invoice_InvoiceLine).toMatchObject([
      { UnitPriceExclTax: 36.3, SubTotalExclTax: 108.9 },
      { SubTotalInclTax: 0.3 },
    ]);
    const product = await shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: 36.300000000000004 });
    expect(product.Price).toBe(36.3);
  });
});

describe('a PHP client', () => {
  it('may send 1 for true and an empty text for false', async () => {
    const draft =
      '{"CustomerNumber":"7","AddAsDraft":"1","EmailToCustomer":"","Invoice_InvoiceLine":[{"ProductNumber":"0100","Quantity":"1","UnitPriceExclTax":"1","IsTextLine":""}]}';
    const { InvoiceNumber } = await post('/rest/addsalesinvoice', draft);
    expect(await shop.invoiceOf(InvoiceNumber)).toMatchObject({ is_draft: 1n, email_to_customer: 0n });
  });

  it('may leave out a checkbox that is not ticked', async () => {
    await shop.addCustomField({ label: 'Biologisch', type: 'Checkbox' });
    const put = async (value: string) => {
      const body = `{"ArticleNumber":"0100","Product_CustomField":[{"Label":"Biologisch",${value}}]}`;
      const response = await shop.request('PUT', '/rest/updateproduct/', { body });
      if (response.status !== 200) throw new Error(response.text);
      return response.json.ProductResponse_CustomField;
    };
    for (const type of ['"FieldType":"Checkbox",', '']) {
      expect(await put(`${type}"BooleanValue":"1"`)).toMatchObject([{ BooleanValue: true }]);
      expect(await put(`${type}"BooleanValue":""`)).toMatchObject([{ BooleanValue: false }]);
    }
  });

  it('may send empty texts for missing values', async () => {
    const empty =
      '{"CustomerNumber":"7","CustomerName":"","CustomerEmail":"","InvoiceDate":"","InvoiceNumber":"","InvoiceDiscountPc":"","InvoiceDueDays":"","InvoiceDueDate":"","InvoiceProject":"","SelectProjectBy":"","OGM_Belgium":"","InvoiceForOrderNumber":"","PeriodicInvoiceTemplate":"","Periodic_FrequencyUnit":"","Invoice_Address":"","Invoice_Attachment":"","Invoice_InvoiceLine":[{"ProductNumber":"0100","ProductEAN":"","Quantity":"1","UnitPriceExclTax":"1","TaxPc":"","TaxCode":"","SubTotalInclTax":"","DiscountPc":"","DiscountAmountInclTax":"","CostCenter":"","LedgerAccountNumber":"","UseArticlePrice":""}]}';
    expect((await post('/rest/addsalesinvoice', empty)).InvoiceTotalInclTax).toBe(1.21);
  });

  it('may send numbers as text', async () => {
    const body =
      '{"ArticleNumber":100,"NewName":"Lamp","CategoryName":2026,"CategoryCreateIfMissing":"1","NewSalePrice":"9.95","NewStockQty":"5","NewVATPercentage":"21.0"}';
    expect(await post('/rest/addproduct', body)).toMatchObject({
      ArticleNumber: '100',
      Category: '2026',
      Price: 9.95,
      StockQty: 5,
      VATPercentage: 21,
    });
  });
});

describe('a client that lists relations', () => {
  it('may sort by createdDate with an unknown direction, which is the default', async () => {
    await shop.addRelation({ name: 'Later', createdOn: 1_800_000_000 });
    await shop.addRelation({ name: 'Eerder', createdOn: 1_600_000_000 });
    const names = async (parameters: string) =>
      (await get(`/rest/listrelations/?${parameters}`)).map((relation: { Name: string }) => relation.Name);
    const descending = await names('Sorting=createdDate&SortDir=DESC');
    expect(descending[0]).toBe('Later');
    expect(descending.at(-1)).toBe('Eerder');
    expect(await names('Sorting=createdDate&SortDir=DEC')).toEqual(descending);
    expect(await names('sorting=CREATEDDATE&sortdir=asc')).toEqual(descending.toReversed());
  });
});

describe('a client with one form for orders and invoices', () => {
  it('may send the fields of both; the unknown ones are ignored and named', async () => {
    const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 };
    const both = {
      CustomerNumber: 7,
      OrderNotes: 'order',
      InvoiceNotes: 'invoice',
      Order_Orderline: [line, line],
      Invoice_InvoiceLine: [line],
    };
    const invoice = await shop.post('/rest/addsalesinvoice', both);
    expect(invoice.json[0]).toMatchObject({ InvoiceNotes: 'invoice', InvoiceTotalExclTax: 1 });
    expect(invoice.headers['ignored-fields']).toBe('OrderNotes, Order_Orderline');
    const order = await shop.post('/rest/addorder', both);
    expect(order.json[0]).toMatchObject({ OrderNotes: 'order', OrderTotalInclTax: 2.42 });
    expect(order.headers['ignored-fields']).toBe('InvoiceNotes, Invoice_InvoiceLine');
  });

  it('may send TaxPc -1 for the tax of the product', async () => {
    for (const TaxPc of [-1, '-1', -1.0]) {
      const Invoice_InvoiceLine = [{ ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: 100, TaxPc }];
      const invoice = await shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine });
      expect(invoice.InvoiceTaxAmount).toBe(9);
    }
  });

  it('may send CustomerNumber 0 with a name', async () => {
    const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 };
    const customer = { CustomerNumber: 0, CustomerName: 'Bakkerij Jansen', CustomerEmail: '' };
    for (const [endpoint, lines] of [
      ['addsalesinvoice', { Invoice_InvoiceLine: [line] }],
      ['addorder', { Order_Orderline: [line] }],
      ['addsalestransaction', { Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: 21 }] }],
    ] as const) {
      expect(await shop.accepted(endpoint, { ...customer, ...lines })).toMatchObject({ CustomerNumber: 7 });
    }
  });

  it('may send InvoiceAddress for the billing address', async () => {
    const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 };
    const address = { Address_Street: 'Kade', Address_City: 'Breda', Address_Type: 'InvoiceAddress' };
    const invoice = await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      Invoice_InvoiceLine: [line],
      Invoice_Address: [address],
    });
    expect(invoice.Invoice_Address[0]).toMatchObject({ AddressType: 'BillingAddress', Address_Street: 'Kade' });
    const order = await shop.accepted('addorder', {
      CustomerNumber: 7,
      Order_Orderline: [line],
      Order_Address: [address],
    });
    expect(order.Order_Address).toMatchObject([{ Address_Type: 'BillingAddress', Address_Street: 'Kade' }]);
  });
});

describe('a client that asks for lines', () => {
  it.each(['InlcudeInvoiceLinesInResponse', 'IncludeInvoiceLinesInResponse', 'includeinvoicelinesinresponse'])(
    'may spell the parameter %s',
    async (parameter) => {
      await shop.addInvoice({ lines: [{}] });
      const [invoice] = await get(`/rest/listsalesinvoices?${parameter}=true`);
      expect(invoice.Invoice_InvoiceLine).toHaveLength(1);
    },
  );
});

describe('a client with few or many headers', () => {
  it('needs no content type', async () => {
    expect((await get('/rest/listtaxcodes')).length).toBeGreaterThan(0);
    expect((await get('/rest/listtaxcodes', { 'Content-Type': 'application/json' })).length).toBeGreaterThan(0);
    const body = '{"CustomerNumber":7,"Invoice_InvoiceLine":[{"TaxPc":21,"SubTotalInclTax":121}]}';
    expect((await post('/rest/addsalestransaction', body, { 'Content-Type': '' })).InvoiceTotalExclTax).toBe(100);
  });

  it('may accept gzip', async () => {
    const headers = {
      ApiKey: shop.credential.apiKey,
      Username: shop.credential.username,
      'Accept-Encoding': 'gzip, deflate, br',
    };
    const response = await fetch(`${app.url}/rest/listledgeraccounts`, { headers });
    expect((await response.json()).length).toBeGreaterThan(100);
    const raw = await send(app.url, 'GET', '/rest/listtaxcodes', { headers });
    expect(raw.headers['content-encoding'] ?? 'identity').toMatch(/^(identity|gzip|deflate|br)$/);
  });

  it('may reuse its connection, and send its body in chunks', async () => {
    const { hostname, port } = new URL(app.url);
    const body = Buffer.from(
      '{"CustomerNumber":7,"InvoiceNotes":"café","Invoice_InvoiceLine":[{"TaxPc":21,"SubTotalInclTax":121}]}',
    );
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/rest/addsalestransaction/',
      agent: false,
      headers: {
        ApiKey: shop.credential.apiKey,
        Username: shop.credential.username,
        'Content-Type': 'application/json; charset=utf-8',
        'Transfer-Encoding': 'chunked',
      },
    });
    const received = new Promise<string>((resolve, reject) => {
      request.on('response', (response) => resolve(textOf(response)));
      request.on('error', reject);
    });
    // Also between the two bytes of the é.
    for (let at = 0; at < body.length; at += 7) request.write(body.subarray(at, at + 7));
    request.end();
    expect(JSON.parse(await received)[0].InvoiceNotes).toBe('café');
  });
});
