import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dateIn } from '../../../shared/wire/calendarDate.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { openDatabase } from '../../administrations/builtin/sql/openDatabase.ts';
import { placeDemo } from './demoDatabase.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = temporaryFolder();
const today = dateIn('Europe/Amsterdam', new Date());

/** The administrations in a database file, and the day of the newest invoice. */
async function contentOf(file: string) {
  const db = await openDatabase(`sqlite:${file}`);
  const administrations = await db.selectFrom('administration').select(['country', 'identifier']).execute();
  const newest = await db
    .selectFrom('sales_invoice')
    .select((all) => all.fn.max('date').as('day'))
    .execute();
  await db.destroy();
  return { administrations, newest };
}

it('every copy of the demo has identifiers of its own, and ends on the day that is asked', async () => {
  const files = ['one', 'other'].map((name) => path.join(folder, name, 'ledgerline.sqlite'));
  await Promise.all(files.map((file) => placeDemo(root, file, today)));
  const [one, other] = await Promise.all(files.map(contentOf));
  expect(one!.administrations.map(({ country }) => country)).toEqual(['NL', 'BE']);
  expect(one!.newest).toEqual([{ day: today }]);
  expect(other!.newest).toEqual(one!.newest);
  const identifiers = [one, other].flatMap((content) => content!.administrations.map(({ identifier }) => identifier));
  expect(new Set(identifiers).size).toBe(4);
});

it('a database in memory gets no file', async () => {
  await placeDemo(root, ':memory:', today);
  expect(existsSync(':memory:')).toBe(false);
});

it('a file that is there is left as it is', async () => {
  const file = path.join(folder, 'books.sqlite');
  await writeFile(file, 'books');
  await placeDemo(root, file, today);
  expect(await readFile(file, 'utf8')).toBe('books');
});
