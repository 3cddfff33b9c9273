import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames } from '../../../shared/api.ts';
import { parseJson } from '../../../shared/wire/json.ts';
import { ask, credential, openRemote, requests } from '../../../testing/remote/askRemote.ts';
import {
  type ReceivedRequest,
  type ScriptedService,
  startScriptedService,
} from '../../../testing/remote/scriptedService.ts';
import type { Administrations } from '../administration.ts';

let service: ScriptedService;
let remote: Administrations;
beforeAll(async () => {
  service = await startScriptedService();
  remote = openRemote(service.url);
});
afterAll(async () => {
  await remote.close();
  await service.close();
});

/** What the service hears of a request. */
async function heardOf(name: EndpointName, input: object): Promise<ReceivedRequest> {
  service.play({ body: '[{"Name":"x"}]' });
  await ask(remote, name, input);
  expect(service.received).toHaveLength(1);
  return service.received[0]!;
}

describe('a request to the service', () => {
  it.each(endpointNames)(
    'of %s has the method and path of the interface and the caller’s two headers',
    async (name) => {
      const { method, path, headers } = await heardOf(name, requests[name]);
      const expected: Record<EndpointName, string> = {
        listprojectmaterialbooking: 'GET /rest/listprojectmaterialbooking',
        updateproduct: 'PUT /rest/updateproduct/',
        addproduct: 'POST /rest/addproduct/',
        listtaxcodes: 'GET /rest/listtaxcodes/',
        addsalesinvoice: 'POST /rest/addsalesinvoice/',
        addorder: 'POST /rest/addorder/',
        addpurchasetransaction: 'POST /rest/addpurchasetransaction/',
        addsalestransaction: 'POST /rest/addsalestransaction/',
        listledgeraccounts: 'GET /rest/listledgeraccounts/',
        listrelations: 'GET /rest/listrelations/',
        listsalesinvoices: 'GET /rest/listsalesinvoices/',
      };
      expect(`${method} ${path}`).toBe(expected[name]);
      expect(headers).toMatchObject({
        apikey: credential.apiKey,
        username: credential.username,
        'content-type': 'application/json',
        host: new URL(service.url).host,
      });
    },
  );

  it('has only the supplied fields, with every digit, and dates as dd-MM-yyyy', async () => {
    const { body } = await heardOf('addsalesinvoice', {
      CustomerNumber: '7',
      InvoiceDate: '05-03-2026',
      InvoiceNumber: '9223372036854775807',
      InvoiceNotes: '',
      EmailToCustomer: 'False',
      AddAsDraft: 1,
      Invoice_InvoiceLine: [
        { ProductNumber: '0100', Quantity: '1234567890.12345678', UnitPriceExclTax: '0.10', UseArticlePrice: 'no' },
      ],
    });
    expect(parseJson(body)).toEqual(
      parseJson(`{
        "CustomerNumber": 7,
        "AddAsDraft": true,
        "InvoiceDate": "05-03-2026",
        "InvoiceNumber": 9223372036854775807,
        "InvoiceNotes": "",
        "Invoice_InvoiceLine": [{ "ProductNumber": "0100", "Quantity": 1234567890.12345678, "UnitPriceExclTax": 0.1 }]
      }`),
    );
  });

  it.each([
    ['addsalesinvoice', 'Invoice_InvoiceLine', 'InvoiceDiscountPc'],
    ['addorder', 'Order_Orderline', 'OrderDiscountPc'],
  ] as const)(
    'of %s has the discounts of lines as text, and that of the document as a number',
    async (name, lines, of) => {
      const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 10 };
      const { body } = await heardOf(name, {
        CustomerNumber: 7,
        [of]: '2.50',
        [lines]: [
          { ...line, DiscountPc: 12.5 },
          { ...line, DiscountAmountInclTax: '1.210' },
        ],
      });
      expect(JSON.parse(body)).toEqual({
        CustomerNumber: 7,
        [of]: 2.5,
        [lines]: [
          { ...line, DiscountPc: '12.5' },
          { ...line, DiscountAmountInclTax: '1.21' },
        ],
      });
    },
  );

  it('contains an empty description, and no missing one', async () => {
    const { body } = await heardOf('updateproduct', { ArticleNumber: 'A', NewDescription: '', Archived: false });
    expect(JSON.parse(body)).toEqual({ ArticleNumber: 'A', NewDescription: '', Archived: false });
  });

  it('says what the interface has no default for, also when it is ours: mail, weekends and batches', async () => {
    const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 10 };
    const template = {
      CustomerNumber: 7,
      PeriodicInvoiceTemplate: true,
      Periodic_StartingDate: '01-01-2027',
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'Month',
      Periodic_AutomaticMailing: false,
      Periodic_SkipWeekends: false,
      Invoice_InvoiceLine: [line],
    };
    expect(JSON.parse((await heardOf('addsalesinvoice', template)).body)).toEqual(template);
    const batches = { ArticleNumber: 'A', BatchMatchMode: 'Description', Product_Batch: [{ Description: 'L1' }] };
    expect(JSON.parse((await heardOf('updateproduct', batches)).body)).toEqual(batches);
    const invoice = { CustomerNumber: 7, Invoice_InvoiceLine: [line] };
    expect(JSON.parse((await heardOf('addsalesinvoice', invoice)).body)).toEqual(invoice);
    const price = { ArticleNumber: 'A', NewSalePrice: 1 };
    expect(JSON.parse((await heardOf('updateproduct', price)).body)).toEqual(price);
  });

  it('has its filters in the query, percent-encoded', async () => {
    const { query, body } = await heardOf('listrelations', {
      relationname: 'Jansen & Zn + é 50%',
      RELATIONGUID: '9007199254740993',
      Limit: '5',
      SearchOperand: 'or',
      SortDir: 'DESC',
    });
    expect(query).not.toContain('+');
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      RelationName: 'Jansen & Zn + é 50%',
      RelationGUID: '9007199254740993',
      Limit: '5',
      SearchOperand: 'OR',
      // Our default where the interface has none: pages in different orders would not be consistent.
      Sorting: 'RelationGUID',
    });
    expect(body).toBe('');
  });

  it('asks for invoice lines with both spellings of the interface', async () => {
    const { query } = await heardOf('listsalesinvoices', {
      IncludeInvoiceLinesInResponse: 'true',
      DateFrom: '01-02-2026',
    });
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      InlcudeInvoiceLinesInResponse: 'true',
      IncludeInvoiceLinesInResponse: 'true',
      DateFrom: '01-02-2026',
    });
  });

  it('has the path of the base address, with or without a slash at its end', async () => {
    for (const url of [`${service.url}/books/v1`, `${service.url}/books/v1/`]) {
      service.play({ body: '[]' });
      const other = openRemote(url);
      await ask(other, 'listtaxcodes');
      await other.close();
      expect(service.received[0]!.path).toBe('/books/v1/rest/listtaxcodes/');
    }
  });

  it.each([
    { apiKey: 'k\r\nHost: elsewhere.example', username: 'u' },
    { apiKey: 'k', username: 'u\nX: y' },
    { apiKey: 'ключ', username: 'u' },
  ])('is refused for %j, which a header cannot contain', async (strange) => {
    service.play({ body: '[]' });
    await expect(remote.open(strange)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(service.received).toEqual([]);
  });

  it('has a user name outside ASCII in its header, byte by byte', async () => {
    service.play({ body: '[]' });
    await ask(remote, 'listtaxcodes', {}, undefined, { apiKey: 'k', username: 'andré@example.com' });
    expect(service.received[0]!.headers.username).toBe('andré@example.com');
  });
});
