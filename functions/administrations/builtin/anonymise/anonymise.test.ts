import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWrite } from '../../../../shared/readRequest.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { addBooks } from '../../../../testing/builtin/ledgerBooks.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { NIGHT, openExports } from '../../../../testing/exports/openExports.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { testStorage } from '../../../../testing/storage.ts';
import { folderOfTest } from '../../../../testing/temporaryFolder.ts';
import { exportAdministration } from '../archive/exportAdministration.ts';
import { builtinAdministrations } from '../builtin.ts';
import { checkAdministration } from '../check/check.ts';
import { verifyLog } from '../log/verifyLog.ts';
import { type TableName, tables } from '../sql/declarations/tables.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { isOfRelation } from '../sql/logWriting/loggedTables.ts';
import { columnsOf, newRow, withDerived } from '../sql/rows.ts';
import type { Row } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';
import { changedDocuments, figuresOf, fileReturn } from '../vat/filedReturns.ts';
import { vatPaper } from '../vat/vatPaper.ts';
import { readVatPeriod } from '../vat/vatPeriod.ts';
import { anonymiseRelation } from './anonymiseRelation.ts';
import { findRelation } from './findRelation.ts';
import { retainedInvoices } from './retention.ts';

const { storage } = await testStorage();
let app: TestApp;

/** The personal values of the relation; no other record has them. */
const secrets = [
  ...['Zwartkoning', 'zwartkoning@post.example', '06-98765432', 'Vossenlaantje', '9876 ZX', 'Quakenbrugge'],
  ...['NL001234567B01', '24681357', 'NL91ABNA0417164300', 'Wilhelmina', 'Uyttenbogaert', 'mina@post.example'],
  ...['tweede vestiging', 'Ganzenpad', 'Allergie', 'brengen bij de buren', 'Geheim2026', 'Contract-Z.pdf'],
  ...['verjaardag', 'Levering aan huis'],
];
const pdf = Buffer.from('%PDF-1.4\n% Inhoud van Zwartkoning\n%%EOF\n').toString('base64');
const NOW = 1_790_000_000n;

let shop: Shop;
let relation: Row<'relation'>;
beforeEach(async () => {
  app = await startApp();
  shop = await openShop(app);
  const { administrationId } = shop;
  await app.db
    .updateTable('administration')
    .where('id', '=', administrationId)
    .set({ street: 'Veilingweg', postal_code: '1431 GN', city: 'Aalsmeer', vat_number: 'NL812345678B01' })
    .execute();
  await app.db
    .insertInto('custom_field')
    .values({
      administration_id: administrationId,
      owner: 'relation',
      label: 'Bijzonderheid',
      field_type: 'TextSmall',
      type_of_relation: 'Customer',
    })
    .execute();
  const { id } = await shop.addRelation({
    name: 'Familie Zwartkoning',
    business: false,
    email: 'zwartkoning@post.example',
    vatNumber: 'NL001234567B01',
    customerNumber: 77,
    supplierNumber: 33,
    row: {
      phone: '06-98765432',
      street: 'Vossenlaantje',
      unit: '5',
      postal_code: '9876 ZX',
      city: 'Quakenbrugge',
      registration_number: '24681357',
    },
    contacts: [
      {
        first_name: 'Wilhelmina',
        last_name: 'Uyttenbogaert',
        email: 'mina@post.example',
        notes: 'brengen bij de buren',
      },
    ],
    bankAccounts: [{ iban: 'NL91ABNA0417164300', name: 'F. Zwartkoning' }],
    customFields: { Bijzonderheid: 'Allergie voor noten' },
  });
  await app.db
    .insertInto('relation_address')
    .values(newRow('relation_address', { relation_id: id, street: 'Ganzenpad', city: 'tweede vestiging' }))
    .execute();
  const project = await shop.addProject({ number: 9, name: 'Tuin Familie Zwartkoning', customerId: id });
  await shop.addMaterialBooking({ projectId: project, articleNumber: '0100' });
  // Logged, as by a command.
  const author = byCommand('import projects');
  await writingIn(app.db, { administrationId, author, now: NOW }, async (trx) => {
    await trx.updateTable('project').set({ description: 'Voor Zwartkoning' }).where('id', '=', project).execute();
    await trx.updateTable('material_booking').set({ description: 'Bij Zwartkoning' }).execute();
  });
  const Address = {
    Address_Type: 'ShippingAddress',
    Address_Street: 'Ganzenpad',
    Address_Unit: '8',
    Address_City: 'Emmen',
  };
  const lines = [
    { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: 10, Description: 'Stoel voor Uyttenbogaert' },
    { IsTextLine: true, Description: 'Voor de verjaardag' },
  ];
  const file = { FileContent: pdf, FileName: 'Contract-Z.pdf' };
  const document = { CustomerNumber: 77 };
  await shop.accepted('addsalesinvoice', {
    ...document,
    ProjectNumber: 9,
    InvoiceNotes: 'Levering aan huis',
    InvoiceReference: 'Geheim2026',
    EmailToCustomer: true,
    Invoice_Address: [Address],
    Invoice_InvoiceLine: lines,
    Invoice_Attachment: [file],
  });
  await shop.accepted('addorder', {
    ...document,
    OrderNotes: 'Levering aan huis',
    OrderReference: 'Geheim2026',
    Order_Address: [Address],
    Order_Orderline: lines,
    Order_Attachment: [file],
  });
  await shop.accepted('addsalestransaction', {
    ...document,
    InvoiceNotes: 'Levering aan huis',
    Invoice_InvoiceLine: [{ SubTotalInclTax: '121', TaxPc: 21, Description: 'Advies aan ZWARTKONING' }],
  });
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 33,
    PurchaseInvoiceNumber: '88',
    InvoiceNotes: 'Levering aan huis',
    Invoice_InvoiceLine: [{ SubTotalInclTax: '109', TaxPc: 9, Description: 'Loon van Familie Zwartkoning' }],
    Invoice_Attachment: [file],
  });
  await shop.accepted('addsalesinvoice', {
    ...document,
    PeriodicInvoiceTemplate: true,
    Periodic_StartingDate: '31-12-2099',
    Periodic_Frequency: 1,
    Periodic_FrequencyUnit: 'Month',
    InvoiceNotes: 'Levering aan huis',
    Invoice_InvoiceLine: [lines[0]],
    Invoice_Attachment: [file],
  });
  // Another relation, which must not change.
  const others = { CustomerNumber: 7, InvoiceNotes: 'Haast' };
  await shop.accepted('addsalesinvoice', { ...others, Invoice_InvoiceLine: [{ ...lines[0], Description: 'Stoel' }] });
  // Makes and stores the PDF.
  await shop.get('/rest/listsalesinvoices?IncludeBase64PDF=true');
  relation = await findRelation(app.db, { administrationId, number: 77n });
});

afterEach(() => app.close());

const anonymise = () => anonymiseRelation(app.db, relation, () => NOW);

/** The personal values in a text. */
const secretsIn = (text: string): string[] =>
  secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));

/** All rows of all tables as text. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of await app.db.introspection.getTables()) {
    const rows = await app.db
      .selectFrom(name as 'relation')
      .selectAll()
      .execute();
    for (const value of rows.flatMap((row) => Object.values(row) as unknown[])) {
      texts.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value));
    }
  }
  return texts.sort().join('\n');
}

async function archived(): Promise<string> {
  const home = folderOfTest();
  const folder = path.join(home, 'archive');
  await exportAdministration(app.db, shop.administrationId, folder);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'latin1'))
    .join('\n');
}

/** A new export of the relations. */
async function exported(): Promise<string> {
  const administrations = builtinAdministrations(app.db);
  const exports = openExports(storage, administrations);
  await exports.fire();
  exports.time = NIGHT;
  await exports.fire();
  const name = String(shop.administrationId);
  const { lines, manifest } = await exports.latest(name);
  return [...lines, await exports.blob(`${name}/${manifest.date}/relations.jsonl`)].join('\n');
}

const figures = async () => {
  const { administrationId } = shop;
  const of = (table: 'sales_invoice' | 'sales_order' | 'purchase_invoice') =>
    app.db
      .selectFrom(table as 'sales_invoice')
      .where('administration_id', '=', administrationId)
      .orderBy('id')
      .select(['number', 'date', 'total_excl', 'total_tax', 'total_incl'])
      .execute();
  const lines = await app.db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_entry_id')
    .where('journal_line.administration_id', '=', administrationId)
    .orderBy('journal_line.id')
    .select(['journal_entry.date', 'ledger_account_number', 'tax_code', 'debit', 'credit'])
    .execute();
  return [await of('sales_invoice'), await of('sales_order'), await of('purchase_invoice'), lines];
};

describe('an anonymised relation', () => {
  it('leaves no personal value in a table, an archive, an export or a response', async () => {
    // Without each value before, the test would show nothing.
    expect(secretsIn(await everything())).toEqual(secrets);
    await anonymise();
    expect(secretsIn(await everything())).toEqual([]);
    expect(secretsIn(await archived())).toEqual([]);
    const lists = [
      ...['listrelations', 'listsalesinvoices?InlcudeInvoiceLinesInResponse=true', 'listprojectmaterialbooking'],
    ];
    for (const list of lists) expect(secretsIn((await shop.get(`/rest/${list}`)).text)).toEqual([]);
    const afterwards = await exported();
    expect(afterwards).toContain(`Anonymous ${relation.guid}`);
    expect(secretsIn(afterwards)).toEqual([]);
  });

  it('does not change the books, and everything adds up', async () => {
    const before = await figures();
    expect(before.flat().length).toBeGreaterThan(10);
    await anonymise();
    expect(await figures()).toEqual(before);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('keeps its numbers and its country, and is found as changed', async () => {
    await anonymise();
    const { text } = await shop.get(`/rest/listrelations?ChangedSince=${NOW}`);
    expect(JSON.parse(text)).toMatchObject([
      { Name: `Anonymous ${relation.guid}`, CustomerNumber: 77, Address_CountryCode: 'NL', Relation_Contact: [] },
    ]);
    const invoice = await shop.listed(1);
    expect(invoice).toMatchObject({ CustomerName: `Anonymous ${relation.guid}`, InvoiceNotes: '' });
    expect(invoice.Invoice_InvoiceLine.map(({ Description }: { Description: string }) => Description)).toEqual([
      `Stoel voor Anonymous ${relation.guid}`,
      '',
    ]);
    const entry = app.db.selectFrom('journal_entry').where('sales_invoice_id', 'is not', null).orderBy('id');
    const { description } = await entry.select('description').executeTakeFirstOrThrow();
    expect(description).toBe(`1 Anonymous ${relation.guid}`);
  });

  it('leaves no contact in a text, also one with a preposition and a short last name', async () => {
    await app.db
      .updateTable('relation_contact')
      .where('relation_id', '=', relation.id)
      .set({ first_name: 'Jan', preposition: 'de', last_name: 'Vos' })
      .execute();
    const projects = app.db.updateTable('project').where('customer_id', '=', relation.id);
    await projects.set({ description: 'Jan de Vos belt, mevrouw De Vos niet' }).execute();
    await anonymise();
    const project = app.db.selectFrom('project').where('customer_id', '=', relation.id).select('description');
    const { description } = await project.executeTakeFirstOrThrow();
    const name = `Anonymous ${relation.guid}`;
    expect(description).toBe(`${name} belt, mevrouw ${name} niet`);
  });

  it('changes no other relation', async () => {
    const othersIn = async () => {
      const lists = ['listrelations', 'listsalesinvoices?InlcudeInvoiceLinesInResponse=true'];
      const all = await Promise.all(lists.map(async (list) => JSON.parse((await shop.get(`/rest/${list}`)).text)));
      return all
        .flat()
        .filter((one) => !JSON.stringify(one).includes('Zwartkoning') && !JSON.stringify(one).includes('Anonymous'));
    };
    const before = await othersIn();
    expect(before.length).toBeGreaterThan(2);
    await anonymise();
    expect(await othersIn()).toEqual(before);
  });

  it('gets no further periodic invoices and no mail', async () => {
    await anonymise();
    expect(await app.db.selectFrom('periodic_invoice').selectAll().execute()).toEqual([]);
    expect(await app.db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([]);
  });

  // The embedded PostgreSQL has one connection.
  it.skipIf(databaseKind() === 'embedded')('has no PDF that is stored while its data are removed', async () => {
    const invoices = app.db.selectFrom('sales_invoice').where('relation_id', '=', relation.id).select('id');
    const { id } = await invoices.executeTakeFirstOrThrow();
    await app.db.deleteFrom('sales_invoice_pdf').execute();
    let checks = 0;
    await anonymiseRelation(
      app.db,
      relation,
      () => NOW,
      async () => {
        // The first one is in the transaction before.
        if (++checks < 2) return;
        const content = Buffer.from('Zwartkoning');
        const pdf = { sales_invoice_id: id, content, fingerprint: '', created_on: NOW };
        await app.db.insertInto('sales_invoice_pdf').values(pdf).execute();
      },
    );
    expect(checks).toBe(2);
    expect(await app.db.selectFrom('sales_invoice_pdf').select('sales_invoice_id').execute()).toEqual([]);
  });

  it('counts as anonymised once its data are removed: pushes that began until then are removed with them', async () => {
    let now = NOW;
    await anonymiseRelation(
      app.db,
      relation,
      () => now,
      // Another process writes for an hour before the work may begin.
      async () => {
        now += 3600n;
      },
    );
    const moments = await builtinAdministrations(app.db).own!.anonymisedOn();
    expect([...moments.values()]).toEqual([Number(now)]);
  });

  it('does not change when it is anonymised again', async () => {
    await anonymise();
    const before = await everything();
    await anonymise();
    expect(await everything()).toBe(before);
  });
});

describe('any text that a caller can fill', () => {
  const keyOf = (table: TableName) =>
    columnsOf(table).find(([name, { isOwner }]) => name === 'id' || (isOwner && name !== 'administration_id'))![0];
  /** Queries for the ids of the rows of a table that are about the relation, from the declared references. */
  const ownIds = (table: TableName): RawBuilder<unknown>[] => {
    const key = keyOf(table);
    if (table === 'relation') return [sql`select id from relation where id = ${relation.id}`];
    return columnsOf(table).flatMap(([name, { to }]) => {
      const target = to?.table as TableName | undefined;
      if (target === undefined || !isOfRelation(target) || target === table) return [];
      const owners = target === 'relation' ? [sql`${relation.id}`] : ownIds(target);
      return owners.map(
        (owner) => sql`select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(name)} in (${owner})`,
      );
    });
  };

  it('loses the name, whatever the tables and columns are', async () => {
    const { administrationId } = shop;
    const documents = await app.db
      .selectFrom('sales_invoice')
      .where('relation_id', '=', relation.id)
      .select('id')
      .execute();
    const orders = await app.db.selectFrom('sales_order').where('relation_id', '=', relation.id).select('id').execute();
    await app.db
      .insertInto('sales_invoice_contact')
      .values(newRow('sales_invoice_contact', { sales_invoice_id: documents[0]!.id, contact_type: 'Invoice' }))
      .execute();
    await app.db
      .insertInto('sales_order_contact')
      .values(newRow('sales_order_contact', { sales_order_id: orders[0]!.id, contact_type: 'Order' }))
      .execute();
    const content = Buffer.from('Zwartkoning');
    await app.db
      .insertInto('sales_invoice_pdf')
      .values({ sales_invoice_id: documents[0]!.id, content, fingerprint: '', created_on: NOW })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const filled: string[] = [];
    const author = byCommand('import relations');
    for (const table of (Object.keys(tables) as TableName[]).filter(isOfRelation)) {
      const columns = columnsOf(table).filter(([, { kind, derivedFrom }]) => kind === 'text' && derivedFrom === null);
      if (columns.length === 0) continue;
      const values = Object.fromEntries(columns.map(([name]) => [name, `Zwartkoning ${table} ${name}`]));
      const key = keyOf(table);
      const ids = sql.join(ownIds(table), sql` union `);
      await writingIn(app.db, { administrationId, author, now: NOW }, async (trx) => {
        const done = await trx
          .updateTable(table as 'relation')
          .set(withDerived(table as 'relation', values))
          .where(sql<SqlBool>`${sql.ref(key)} in (${ids})`)
          .executeTakeFirst();
        if (done.numUpdatedRows > 0n) filled.push(table);
      });
    }
    expect(filled).toEqual((Object.keys(tables) as TableName[]).filter(isOfRelation));
    expect(await everything()).toContain('Zwartkoning sales_invoice_line cost_center');

    await anonymise();

    const left = (await everything()).split('\n').filter((line) => /zwartkoning/i.test(line));
    expect(left).toEqual([]);
    expect(await archived()).not.toMatch(/zwartkoning/i);
    expect(await Array.fromAsync(verifyLog(app.db, administrationId))).toEqual([]);
  });

  it('leaves entries of other programs, which have no invoice', async () => {
    const lines = [
      { ledger_account_number: '1300', amount: 5n, relation_id: relation.id, description: 'Aan Zwartkoning' },
      { ledger_account_number: '8000', amount: -5n },
    ];
    const entry = { date: '2026-01-05', description: 'Zwartkoning betaalt', is_imported: 1n, lines };
    await addBooks(app.db, shop.administrationId, { startMonth: 1, openings: [], entries: [entry] });
    expect(await everything()).toContain('Zwartkoning betaalt');
    await anonymise();
    expect(await everything()).not.toMatch(/zwartkoning/i);
    expect(await Array.fromAsync(verifyLog(app.db, shop.administrationId))).toEqual([]);
  });

  it('leaves an entry of several relations as well, such as a bank statement, also where another comes first', async () => {
    const { id: otherId } = await shop.addRelation({ name: 'Molen De Hoop', customerNumber: 78 });
    const lines = [
      { ledger_account_number: '1300', amount: -5n, relation_id: otherId, description: 'Van De Hoop' },
      { ledger_account_number: '1300', amount: -5n, relation_id: relation.id, description: 'Van Zwartkoning' },
      { ledger_account_number: '1100', amount: 10n },
    ];
    const statement = { date: '2026-01-05', description: 'Afschrift 1', is_imported: 1n, lines };
    const ofOther = { ...statement, description: 'Afschrift 2', lines: [lines[0]!, { ...lines[2]!, amount: 5n }] };
    for (const entry of [statement, ofOther]) {
      await addBooks(app.db, shop.administrationId, { startMonth: 1, openings: [], entries: [entry] });
    }
    expect(await everything()).toContain('Van Zwartkoning');
    await anonymise();
    expect(await everything()).not.toMatch(/zwartkoning/i);
    const log = app.db.selectFrom('log').where('personal', 'like', '%Van De Hoop%').select('personal');
    expect(await log.execute()).toEqual([{ personal: expect.stringContaining('Afschrift 2') }]);
    expect(await Array.fromAsync(verifyLog(app.db, shop.administrationId))).toEqual([]);
  });

  it('leaves a request as well, with what the request made beside the document', async () => {
    const lines = [
      { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 10, CostCenter: 'Zwartkoning', Warehouse: 'Zwartkoning' },
      { IsTextLine: true, Description: 'Voor', TextLineCategory: 'Zwartkoning' },
    ];
    await shop.accepted('addsalesinvoice', {
      CustomerNumber: 77,
      TemplateName_Email: 'Zwartkoning',
      Invoice_InvoiceLine: lines.map((line) => ({ ...line, Batch: 'Zwartkoning', Shelf: 'Zwartkoning' })),
    });
    const other = { ...lines[0], CostCenter: 'Winkel' };
    await shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: [{ ...other, Warehouse: '' }] });
    await anonymise();
    expect(await everything()).not.toMatch(/zwartkoning/i);
    expect(await app.db.selectFrom('cost_center').select('name').execute()).toEqual([{ name: 'Winkel' }]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  /** Pushes a journal entry. */
  async function book(party: object, CostCenter: string, more: object = {}): Promise<void> {
    const writer = await builtinAdministrations(app.db).writer(shop.credential);
    const { request } = readWrite('addjournalentry', {
      EntryDate: '05-01-2026',
      EntryDescription: 'Correctie',
      JournalEntry_Line: [
        { LedgerAccountNumber: '1300', Debit: 5, ...party },
        { LedgerAccountNumber: '8000', Credit: 5, CostCenter, ...more },
      ],
    });
    const write = { key: randomUUID(), name: 'addjournalentry' as const, request };
    const outcomes = await writer.write([write], async () => {}, new AbortController().signal);
    expect(outcomes).toMatchObject([{ kind: 'applied' }]);
  }

  it('leaves the cost centers that only its own entries have, and no entry of others loses one', async () => {
    await book({ CustomerNumber: 77 }, 'Zwartkoning');
    await book({ CustomerNumber: 77 }, 'Straat Zwartkoning');
    await book({ CustomerNumber: 7 }, 'Straat Zwartkoning');
    const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 10, CostCenter: 'Plein Zwartkoning' };
    await shop.accepted('addsalesinvoice', { CustomerNumber: 77, Invoice_InvoiceLine: [line] });
    await book({}, 'Plein Zwartkoning');
    const costCenters = () => app.db.selectFrom('cost_center').orderBy('name').select('name').execute();
    expect(await costCenters()).toHaveLength(3);
    await anonymise();
    expect(await costCenters()).toEqual([{ name: 'Plein Zwartkoning' }, { name: 'Straat Zwartkoning' }]);
  });

  it('leaves the log as well where it says that such a cost center was made', async () => {
    await book({ CustomerNumber: 77 }, 'Zwartkoning "&\\%" 1');
    await book({ CustomerNumber: 77 }, 'Winkel');
    await anonymise();
    expect(await everything()).not.toMatch(/zwartkoning/i);
    const made = app.db.selectFrom('log').where('personal', 'like', '%Winkel%').select('kind');
    expect(await made.execute()).toEqual([{ kind: 'cost_center' }]);
    expect(await Array.fromAsync(verifyLog(app.db, shop.administrationId))).toEqual([]);
  });

  it('leaves filed VAT returns as well, which still have the same documents', async () => {
    const { administrationId } = shop;
    const period = readVatPeriod('2026-01')!;
    const taxed = { TaxCode: shop.tax.high, TaxBase: 4 };
    await book({ CustomerNumber: 77 }, '', { ...taxed, LineDocument: 'Bon Zwartkoning' });
    await book({ CustomerNumber: 77 }, '', { ...taxed, LineDocument: 'BON ZWARTKONING' });
    await book({ CustomerNumber: 7 }, '', { ...taxed, LineDocument: 'Bon Zwartkoningin' });
    await book({ CustomerNumber: 77 }, '', { ...taxed, LineDocument: 'Bon 2' });
    const returned = async () => {
      const of = app.db.selectFrom('administration').where('id', '=', administrationId).selectAll();
      return (await vatPaper(app.db, await of.executeTakeFirstOrThrow(), period)).paper.found;
    };
    const filed = () => app.db.selectFrom('vat_return').selectAll().executeTakeFirstOrThrow();
    const found = await returned();
    const now = BigInt(Math.ceil(Date.now() / 1000));
    await writingIn(app.db, { administrationId, author: byCommand('vat'), now }, (trx) =>
      fileReturn(trx, administrationId, period, figuresOf(found), now),
    );
    expect(changedDocuments(await filed(), await returned())).toEqual([]);
    await anonymise();
    const { documents } = await filed();
    expect(documents).toContain('Bon 2');
    // That of another relation.
    expect(documents.match(/zwartkoning\w*/gi)).toEqual(['Zwartkoningin']);
    expect(changedDocuments(await filed(), await returned())).toEqual([]);
  });

  it('stays when it names an account, a tax code or an article, whatever the relation is called', async () => {
    const author = byCommand('import relations');
    await writingIn(app.db, { administrationId: shop.administrationId, author, now: NOW }, (trx) =>
      trx
        .updateTable('relation')
        .set(withDerived('relation', { name: 'Jan Hoog 0100' }))
        .where('id', '=', relation.id)
        .execute(),
    );
    const before = await figures();
    const lines = () =>
      app.db
        .selectFrom('sales_invoice_line')
        .orderBy('id')
        .select(['tax_code', 'product_number', 'ledger_account_number'])
        .execute();
    const codes = await lines();
    await anonymise();
    expect(await figures()).toEqual(before);
    expect(await lines()).toEqual(codes);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });
});

describe('a relation to anonymise', () => {
  it('is found by any of its numbers, unless another relation has it too', async () => {
    const { administrationId } = shop;
    const found = async (number: bigint, by?: 'guid' | 'customer' | 'supplier') =>
      (await findRelation(app.db, { administrationId, number, by })).guid;
    expect(await found(relation.guid)).toBe(relation.guid);
    expect(await found(33n)).toBe(relation.guid);
    await expect(found(33n, 'customer')).rejects.toThrow('has no relation 33');
    await shop.addRelation({ guid: 33n });
    await expect(found(33n)).rejects.toThrow(`with the RelationGUIDs 33, ${relation.guid}`);
    expect(await found(33n, 'supplier')).toBe(relation.guid);
    expect(await found(33n, 'guid')).toBe(33n);
  });
});

describe('the legal retention period', () => {
  it.each([
    ['NL', '2033-12-31', '2034-01-01'],
    ['BE', '2036-12-31', '2037-01-01'],
  ] as const)('of %s lasts until %s', async (country, last, after) => {
    const theirs = await openShop(app, country);
    const administration = await app.db
      .selectFrom('administration')
      .where('id', '=', theirs.administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const on = (today: string) => retainedInvoices(app.db, administration, theirs.customer.id, today);
    expect(await on('2026-01-01')).toBeUndefined();
    for (const InvoiceDate of ['15-06-2020', '01-01-2026']) {
      const line = { ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: 1 };
      await theirs.accepted('addsalesinvoice', { CustomerNumber: 7, InvoiceDate, Invoice_InvoiceLine: [line] });
    }
    expect(await on(last)).toEqual({ invoices: 1, until: last });
    expect(await on(after)).toBeUndefined();
    // A day that was typed wrong, in books that take any.
    await app.db
      .updateTable('sales_invoice')
      .where('relation_id', '=', theirs.customer.id)
      .where('date', '=', '2026-01-01')
      .set({ date: '9999-01-01' })
      .execute();
    expect(await on(after)).toEqual({ invoices: 1, until: '9999-12-31' });
  });
});
