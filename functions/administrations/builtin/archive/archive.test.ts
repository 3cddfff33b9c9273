import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send, startApp, type TestApp } from '../../../../testing/app.ts';
import {
  administrationsOf,
  contents,
  expectSameFiles,
  filesIn,
  NOT_EXPORTED,
  newDatabase,
  PDF,
  shopWithDocuments,
  temporaryFolders,
} from '../../../../testing/builtin/archives.ts';
import type { Shop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';
import { issueKey } from '../credentials/keys.ts';
import type { Database } from '../sql/database.ts';
import { openDatabase } from '../sql/openDatabase.ts';
import { archiveFiles, settings } from './archive.ts';
import { exportAdministration } from './exportAdministration.ts';
import { importAdministration } from './importAdministration.ts';

const newFolder = temporaryFolders();

test('an archive has every column of every table that is not derived', async () => {
  const db = await newDatabase();
  // An imported administration is not archived, as it is there to be used, and has an identifier of its own.
  const derived =
    /^archived_on$|^identifier$|_folded$|^answer$|^lines_answer$|^vat_compared$|^next_due$|^id$|^administration_id$/;
  const exported = new Map(
    [settings, ...archiveFiles].map(({ table, fields }) => [table as string, fields.map(({ column }) => column)]),
  );
  for (const part of archiveFiles.flatMap(({ parts }) => parts)) {
    const columns =
      part.as === 'custom fields' ? ['custom_field_id', 'value'] : part.fields.map(({ column }) => column);
    exported.set(part.table, [part.owner, ...columns, ...(part.as === 'custom fields' ? [] : ['position'])]);
  }
  // Custom fields are in the headings.
  exported.set('custom_field', ['owner', 'label', 'field_type', 'type_of_relation']);
  // Contents of attachments are files.
  exported.get('attachment')!.push('content');
  const tables = (await db.introspection.getTables()).filter(({ name }) => !NOT_EXPORTED.includes(name));
  expect(tables.length).toBeGreaterThan(30);
  for (const { name, columns } of tables) {
    const expected = columns.map((column) => column.name).filter((column) => !derived.test(column));
    expect({ name, columns: [...(exported.get(name) ?? [])].sort() }).toEqual({ name, columns: expected.sort() });
  }
});

test('every file of an archive is in the documentation', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/import.md'), 'utf8');
  const section = text.slice(text.indexOf('\n## A whole administration'), text.indexOf('\n## Pushing a file'));
  const files = [settings, ...archiveFiles].map(({ file }) => file);
  expect(files.filter((file) => !section.includes(`\`${file}\``))).toEqual([]);
});

describe('an administration with documents', () => {
  let app: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    app = await startApp();
    return () => app.close();
  });
  beforeEach(async () => {
    shop = await shopWithDocuments(app);
  });

  const exported = async (): Promise<string> => {
    const folder = newFolder();
    await exportAdministration(app.db, shop.administrationId, folder);
    return folder;
  };

  test('is the same to the last row after export and import', async () => {
    const folder = await exported();
    const [once, twice] = [await newDatabase(), await newDatabase()];
    expect((await importAdministration(once, folder)).problems).toEqual([]);
    const [id] = (await administrationsOf(once)) as [bigint];
    // The database of the app has other administrations too: so two copies are compared, and their files.
    const again = newFolder();
    await exportAdministration(once, id, again);
    expect((await importAdministration(twice, again)).problems).toEqual([]);
    expect(await contents(twice)).toEqual(await contents(once));
    // The files of the tables, the settings, the manifest and two attachments.
    expect(filesIn(folder)).toHaveLength(archiveFiles.length + 2 + 2);
    expectSameFiles(again, folder);
    expect(await Array.fromAsync(checkAdministration(once, id))).toEqual([]);
    const attachment = await once.selectFrom('attachment').orderBy('id').selectAll().execute();
    expect(attachment.map(({ file_name }) => file_name)).toEqual([
      expect.stringContaining('Bon 1.pdf'),
      'Voorwaarden.pdf',
    ]);
    expect(Buffer.from(attachment[0]!.content!).equals(PDF)).toBe(true);
    const notes = async (db: Database, id: bigint) =>
      await db
        .selectFrom('sales_invoice')
        .where('administration_id', '=', id)
        .orderBy('number')
        .select(['notes', 'answer', 'lines_answer'])
        .execute();
    expect(await notes(once, id)).toEqual(await notes(app.db, shop.administrationId));
  });

  test('continues its numbering after import, and returns the same responses', async () => {
    const folder = await exported();
    const { administrationId } = await importAdministration(app.db, folder, { name: 'Terug' });
    const username = `terug-${administrationId}@example.com`;
    const apiKey = await issueKey(app.db, { administrationId, username, label: '', now: 1n });
    const headers = { ApiKey: apiKey, Username: username };
    for (const list of [
      'listrelations',
      'listsalesinvoices?InlcudeInvoiceLinesInResponse=true',
      'listtaxcodes',
      'listledgeraccounts?FiscalYear=2026',
      'listprojectmaterialbooking',
    ]) {
      const [before, after] = [
        await shop.get(`/rest/${list}`),
        await send(app.url, 'GET', `/rest/${list}`, { headers }),
      ];
      expect(after.status).toBe(200);
      expect(after.text).toBe(before.text);
    }
    const body = {
      CustomerNumber: 7,
      Invoice_InvoiceLine: [{ ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 }],
    };
    const before = await shop.accepted('addsalesinvoice', body);
    const after = await send(app.url, 'POST', '/rest/addsalesinvoice', {
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    });
    expect(after.json[0].InvoiceNumber).toBe(before.InvoiceNumber);
    const { name } = await app.db
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .select('name')
      .executeTakeFirstOrThrow();
    expect(name).toBe('Terug');
  });

  test('is not exported over an existing folder', async () => {
    const folder = await exported();
    await expect(exportAdministration(app.db, shop.administrationId, folder)).rejects.toThrow('it is there already');
    expect(readdirSync(path.dirname(folder)).filter((name) => name.includes('.incomplete'))).toEqual([]);
  });

  test('of two exports into one folder at once, one makes it, whole, and the other says that it is there', async () => {
    const other = await openDatabase(app.databaseUrl);
    for (const delay of [4, 8, 12, 16]) {
      const folder = path.join(path.dirname(await exported()), 'both');
      const results = await Promise.allSettled([
        exportAdministration(app.db, shop.administrationId, folder),
        sleep(delay).then(() => exportAdministration(other, shop.administrationId, folder)),
      ]);
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      expect(refused).toEqual([expect.stringContaining('both cannot be made: it is there already.')]);
      expect((await importAdministration(app.db, folder, { name: 'Both' })).problems).toEqual([]);
      expect(readdirSync(path.dirname(folder)).filter((name) => name.includes('.incomplete'))).toEqual([]);
      rmSync(folder, { recursive: true });
    }
    await other.destroy();
  });

  test('is exported to a folder that an export which was stopped has left, and what was left is removed', async () => {
    const folder = `${await exported()}-later`;
    const left = `${folder}.incomplete-1`;
    mkdirSync(left);
    utimesSync(left, new Date('2026-01-01'), new Date('2026-01-01'));
    await exportAdministration(app.db, shop.administrationId, folder);
    expect(existsSync(left)).toBe(false);
  });
});
