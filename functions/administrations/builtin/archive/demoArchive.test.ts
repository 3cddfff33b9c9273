import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import {
  administrationsOf,
  contents,
  expectSameFiles,
  importOneByOne,
  newDatabase,
  onlyResources,
  temporaryFolders,
} from '../../../../testing/builtin/archives.ts';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { checkAdministration } from '../check/check.ts';
import { readCsv } from '../files/readCsv.ts';
import { resources } from '../import/resources.ts';
import { makeDemo } from '../setup/demo/demo.ts';
import type { Database } from '../sql/database.ts';
import { exportAdministration } from './exportAdministration.ts';
import { importAdministration } from './importAdministration.ts';

const newFolder = temporaryFolders();

/** Exports all administrations of a database, and imports them into a new one. */
async function moved(db: Database): Promise<Database> {
  const other = await newDatabase();
  for (const id of await administrationsOf(db)) {
    const folder = newFolder();
    await exportAdministration(db, id, folder);
    const { problems, administrationId } = await importAdministration(other, folder);
    expect(problems).toEqual([]);
    const again = newFolder();
    await exportAdministration(other, administrationId, again);
    expectSameFiles(again, folder);
  }
  return other;
}

describe('an archive of a demo administration', () => {
  let db: Database;
  beforeAll(async () => {
    ({ db } = await emptyDatabase());
    await makeDemo(db);
    return () => db.destroy();
  });

  test('has every row and stored response, and exported again it has the same files', async () => {
    const other = await moved(db);
    expect(await contents(other)).toEqual(await contents(db));
    const { guid } = await other
      .selectFrom('relation')
      .orderBy('guid', 'desc')
      .select('guid')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(guid).toBeGreaterThan(2n ** 53n);
    for (const id of await administrationsOf(other)) {
      expect(await Array.fromAsync(checkAdministration(other, id))).toEqual([]);
    }
  });

  // How a workbook is read does not depend on the database.
  test.each(databaseKind() === 'sqlite' ? ['csv', 'xlsx'] : ['csv'])(
    'can be imported file by file, as %s',
    async (form) => {
      const other = await newDatabase();
      for (const id of await administrationsOf(db)) {
        const folder = newFolder();
        await exportAdministration(db, id, folder);
        const administrationId = await importOneByOne(
          other,
          db,
          id,
          form === 'csv' ? folder : await asWorkbooks(folder),
        );
        expect(await Array.fromAsync(checkAdministration(other, administrationId))).toEqual([]);
      }
      expect(onlyResources(await contents(other))).toEqual(onlyResources(await contents(db)));
    },
  );
});

/** The files of a folder as workbooks, in a folder of their own. */
async function asWorkbooks(folder: string): Promise<string> {
  const made = newFolder();
  mkdirSync(made);
  for (const resource of Object.keys(resources)) {
    const { headings, rows } = await readCsv(path.join(folder, `${resource}.csv`));
    const data = [[...headings], ...(await Array.fromAsync(rows, ({ cells }) => [...cells]))];
    await writeExcelFile(data).toFile(path.join(made, `${resource}.xlsx`));
  }
  return made;
}
