import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EndpointName } from '../../../shared/api.ts';
import { readRequest } from '../../../shared/readRequest.ts';
import { addAdministration } from '../../../testing/fixtures/administration.ts';
import { fixturesOf } from '../../../testing/fixtures/fixtures.ts';
import type { Administration, Administrations, ProductLists } from '../administration.ts';
import type { Mailer } from '../invoiceDocuments/mail/mailer.ts';
import { builtinAdministrations } from './builtin.ts';
import type { Database } from './sql/database.ts';
import { sqlite } from './sql/dialects/sqlite.ts';
import { insertRows } from './sql/insertRows.ts';
import { openWith } from './sql/openDatabase.ts';
import { newRow } from './sql/rows.ts';

/* The time of a request must not grow with the data: the query plan of each statement shows what it reads. */

const statements = new Set<string>();
/** How many were carried out. */
let carriedOut = 0;
let db: Database;
let administrations: Administrations;
let administration: Administration;
let products: ProductLists;

beforeAll(async () => {
  db = await openWith(sqlite.connect(':memory:'), ({ query }) => {
    statements.add(query.sql);
    carriedOut++;
  });
  const { administrationId, credential } = await addAdministration(db, 'Bakkerij');
  const fixtures = fixturesOf(db, administrationId);
  await fixtures.addRelation({ name: 'Jansen', email: 'info@jansen.example', customerNumber: 7 });
  await fixtures.addRelation({ name: 'Molen', supplierNumber: 3 });
  await fixtures.addProduct({ articleNumber: '0100', ean: '8712345678906', price: '1', taxCode: '21% - Hoog' });
  const projectId = await fixtures.addProject({ number: 12, name: 'Verbouwing' });
  await fixtures.addMaterialBooking({ projectId, articleNumber: '0100' });
  const { id: relation_id } = await fixtures.addRelation({ name: 'Vroeger' });
  // More than are searched for a page.
  const invoices = Array.from({ length: 2100 }, (_, index) =>
    newRow('sales_invoice', {
      administration_id: administrationId,
      number: BigInt(index + 1000),
      module: 'BOOKKEEPING',
      date: '2025-01-01',
      relation_id,
    }),
  );
  await insertRows(db, 'sales_invoice', invoices);
  administrations = builtinAdministrations(db, { warn: () => {}, mailer });
  administration = await administrations.open(credential);
  products = await administrations.products!(credential);
  statements.clear();
});
afterAll(() => db.destroy());

const mailer: Mailer = { send: async () => ({ kind: 'sent' }), close: () => {} };
const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 };
const byEan = { ...line, ProductNumber: '', ProductEAN: '8712345678906', CostCenter: 'Winkel' };
const Invoice_Address = [{ Address_Type: 'ShippingAddress', Address_City: 'Zaandam' }];
const booked = { Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: 21, LedgerAccountNumber: '8000' }] };
const batch = { Product_Batch: [{ Description: 'B', BatchStockQty: 1 }], NewStockQty: 1 };
const periodic = { Periodic_StartingDate: '01-01-2026', Periodic_Frequency: 1, Periodic_FrequencyUnit: 'Year' };
const sortings = ['RelationGUID', 'CreatedDate', 'ChangedDate', 'RelationName', 'CustomerNumber', 'SupplierNumber'];

const requests: Record<EndpointName, object[]> = {
  addproduct: [{ ArticleNumber: '1', NewName: 'B', CategoryName: 'C', CategoryCreateIfMissing: true, ...batch }],
  updateproduct: [{ EAN: '8712345678906', ...batch, BatchMatchMode: 'Description_and_date', NewVATPercentage: 9 }],
  addorder: [{ CustomerEmail: 'info@jansen.example', OrderStatus: 'Nieuw', Order_Orderline: [line] }],
  addsalesinvoice: [
    { CustomerNumber: 7, InvoiceNumber: 5, InvoiceForOrderNumber: 1, Invoice_InvoiceLine: [byEan] },
    {
      CustomerName: 'Jansen',
      InvoiceNumber: 6,
      InvoiceReference: '5',
      Invoice_InvoiceLine: [{ ...line, Quantity: -1 }],
    },
    { CustomerNumber: 7, Invoice_Address, InvoiceProject: '12', EmailToCustomer: true, Invoice_InvoiceLine: [line] },
    { CustomerNumber: 7, PeriodicInvoiceTemplate: true, ...periodic, Invoice_InvoiceLine: [line] },
  ],
  addsalestransaction: [{ CustomerNumber: 7, ...booked }],
  addpurchasetransaction: [{ SupplierNumber: 3, ...booked }],
  listledgeraccounts: [{}, { FiscalYear: 2026 }],
  listtaxcodes: [{}],
  listprojectmaterialbooking: [
    ...[{}, { Offset: 1 }, { Project: 12, SelectProjectBy: 'NUMBER' }],
    ...[{ Product_Number: '0100' }, { Warehouse: 'Hal A' }],
  ].map((query) => ({ ...query, Limit: 5 })),
  listsalesinvoices: [
    ...[{}, { InvoiceNumber: 5 }, { DateFrom: '01-01-2026' }, { DateTill: '01-01-2026' }],
    { IncludeBase64PDF: true, InvoiceNumber: 6 },
  ],
  listrelations: sortings.flatMap((Sorting) =>
    [
      ...[{}, { RelationType: 'Customer' }, { RelationType: 'Supplier' }, { RelationGUID: 1 }, { RelationNumber: 7 }],
      ...[{ RelationName: 'Jansen' }, { RelationEmail: 'a@b.nl' }, { RelationVAT: '123456789' }, { ChangedSince: 1 }],
      ...[{ CreatedSince: 1 }, { SearchOperand: 'OR', RelationName: 'Jansen', RelationNumber: 7 }],
    ].map((query) => ({ ...query, Sorting })),
  ),
};

/** Small tables. */
const SMALL = ['administration', 'log_change', 'order_status', 'document_template'];

it('no statement of an endpoint, a list of products, a timer, pushes or health reads a whole table, or more than an index to find a page', async () => {
  for (const name of Object.keys(requests) as EndpointName[]) {
    for (const request of requests[name]) {
      const call = administration[name] as (read: unknown) => Promise<unknown>;
      await call(readRequest(name, request).request);
    }
  }
  await products.named(['0100'], ['8712345678906']);
  await products.search('st_el hoog', 20);
  await products.page('', 20);
  await administrations.upkeep!.makeDueInvoices(new AbortController().signal);
  await administrations.upkeep!.sendDueMail(new AbortController().signal);
  await administrations.own!.anonymisedOn();
  const [id] = await administrations.own!.ids();
  const { request } = readRequest('updateproduct', { ArticleNumber: '0100' });
  const update = { name: 'updateproduct' as const, request };
  await administrations.own!.valuesBefore(id!, { from: 0, until: 2_000_000_000 }, [update]);
  await administrations.health();
  const found: string[] = [];
  // What an insert seems to scan are deferred references, of which there are none.
  for (const statement of [...statements].filter((text) => /^(select|update|delete|with)/i.test(text))) {
    const plan = sql.raw<{ detail: string }>(`explain query plan ${statement.replaceAll('?', 'null')}`);
    const steps = (await plan.execute(db)).rows.map(({ detail }) => detail);
    const has = (pattern: RegExp) => steps.some((step) => pattern.test(step));
    // A subquery with a limit of its own is as small as that.
    const isSmall = (table: string) => SMALL.includes(table) || has(new RegExp(`^(CO-ROUTINE|MATERIALIZE) ${table}$`));
    // The constant row is that of a select without a table.
    const scans = steps.some((step) =>
      /^SCAN (?!CONSTANT ROW)(\w+)/
        .exec(step)
        ?.slice(1)
        .some((table) => !isSmall(table)),
    );
    const sorts = statement.startsWith('select "id" from "material_booking"') && has(/TEMP B-TREE/);
    const readsRows = statement.includes(`"date" || ''`) && !has(/USING COVERING INDEX/);
    if (scans || sorts || readsRows) found.push(`${statement}: ${steps.join('; ')}`);
  }
  expect(found).toEqual([]);
});

it('timers and health ask no more of a database with many administrations that have nothing to do', async () => {
  const { signal } = new AbortController();
  const askedBy = async (work: () => Promise<unknown>) => {
    const before = carriedOut;
    await work();
    return carriedOut - before;
  };
  const all = async () => [
    await askedBy(() => administrations.upkeep!.makeDueInvoices(signal)),
    await askedBy(() => administrations.upkeep!.sendDueMail(signal)),
    await askedBy(() => administrations.health()),
    await askedBy(() => administrations.own!.ids()),
  ];
  await all();
  const few = await all();
  for (let count = 0; count < 20; count++) await addAdministration(db, `Firm ${count}`);
  expect(await all()).toEqual(few);
});
