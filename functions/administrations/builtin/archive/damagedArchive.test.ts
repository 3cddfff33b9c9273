import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../../testing/app.ts';
import {
  administrationsOf,
  shopWithDocuments,
  signAgain,
  temporaryFolders,
} from '../../../../testing/builtin/archives.ts';
import { emptyDatabase } from '../../../../testing/database.ts';
import type { Database } from '../sql/database.ts';
import { ATTACHMENTS } from './archive.ts';
import { exportAdministration } from './exportAdministration.ts';
import { importAdministration } from './importAdministration.ts';

const newFolder = temporaryFolders();

describe('an import of a damaged archive is refused whole, and names', () => {
  const archive = newFolder();
  let db: Database;
  beforeAll(async () => {
    const app = await startApp();
    const { administrationId } = await shopWithDocuments(app);
    await exportAdministration(app.db, administrationId, archive);
    await app.close();
    ({ db } = await emptyDatabase());
    return () => db.destroy();
  });

  /** The problems of an archive with some damage under a manifest that fits. Nothing may be stored. */
  const problemsWith = async (damage: (folder: string) => void): Promise<string[]> => {
    const folder = newFolder();
    cpSync(archive, folder, { recursive: true });
    damage(folder);
    signAgain(folder);
    const problems = await importAdministration(db, folder).then(
      ({ problems }) => problems.map(({ place, column, message }) => `${place} ${column}: ${message}`),
      (error: Error) => [error.message],
    );
    expect(await administrationsOf(db)).toEqual([]);
    expect(await db.selectFrom('relation').select('id').execute()).toEqual([]);
    return problems;
  };
  const problemsAfter = (file: string, change: (text: string) => string) =>
    problemsWith((folder) => {
      const before = readFileSync(path.join(folder, file), 'utf8');
      const after = change(before);
      expect(after).not.toBe(before);
      writeFileSync(path.join(folder, file), after);
    });
  const replaced = (file: string, text: string | RegExp, other: string) =>
    problemsAfter(file, (content) => content.replace(text, other));

  test('a wrong number of rows', async () => {
    const withoutLastLine = (text: string) => text.trimEnd().split('\r\n').slice(0, -1).join('\r\n');
    expect(await problemsAfter('journal-lines.csv', withoutLastLine)).toEqual([
      expect.stringMatching(/^journal-lines\.csv:\d+ : expected \d+ rows, as archive\.json says, got \d+$/),
    ]);
  });

  test('wrong cells of a document and of its lines', async () => {
    expect(await replaced('orders.csv', ',2.5,', ',2.5x,')).toEqual([
      'orders.csv:2 OrderDiscountPc: expected a decimal number with at most 8 decimals, got "2.5x"',
    ]);
    // The order has two lines. The second one has three lines of the file.
    expect(await replaced('orders.csv', '\r\n1,,', '\r\n1,final_quote,')).toEqual([
      'orders.csv:3 GeneralStatus: expected what the first row has, "order", or nothing, got "final_quote"',
    ]);
    expect(await replaced('orders.csv', ',2,true,', ',3,true,')).toEqual([
      'orders.csv:3 LineNumber: expected 2, as the lines of a document are counted, got "3"',
    ]);
    expect(await replaced('invoices.csv', ',30.00,', ',30.01,')).toEqual([
      'invoices.csv:2 TotalInclTax: expected 27.21, what AmountInclTax of the lines adds up to, got 27.20',
    ]);
    expect(await replaced('administration.csv', ',NL,', ',FR,')).toEqual([
      'administration.csv:2 Countrycode: expected NL or BE, got "FR"',
    ]);
  });

  test('references to rows that do not exist', async () => {
    expect(await replaced('invoices.csv', 'Brood,0200,', 'Brood,0201,')).toEqual([
      'invoices.csv:5 CurrentProductNumber: expected one of products.csv, got 0201',
    ]);
    expect(await problemsAfter('invoice-addresses.csv', (text) => text.replaceAll('20260007', '20260000'))).toEqual(
      [2, 3].map((line) => `invoice-addresses.csv:${line} InvoiceNumber: expected one of invoices.csv, got 20260000`),
    );
    expect(await replaced('attachments.csv', '000001.pdf', '../orders.csv')).toEqual([
      `attachments.csv:2 File: expected the name of a file in ${ATTACHMENTS}, got "../orders.csv"`,
    ]);
  });

  test('wrong contacts and custom fields', async () => {
    expect(await replaced('relations.csv', /,false,Anna,/, ',,Anna,')).toEqual([
      'relations.csv:2 Contact_DefaultContact: expected true or false, got ""',
    ]);
    expect(await problemsAfter('relations.csv', (text) => text.replaceAll('Contact2_Sex', 'Contact2_Gender'))).toEqual([
      'relations.csv:1 Contact2_Sex: is required: the file has no such column',
      'relations.csv:1 Contact2_Gender: is not known here',
    ]);
    const withTwoHeadings = (text: string) =>
      text
        .trimEnd()
        .split('\r\n')
        .map((line, index) => `${line},${index === 0 ? 'Custom: Potmaat,Custom: Potmaat (Integer)' : ','}\r\n`)
        .join('');
    expect(await problemsAfter('products.csv', withTwoHeadings)).toEqual([
      'products.csv:1 Custom: Potmaat (Integer): expected this field once',
    ]);
  });

  test('wrong headings and wrong numbers of cells', async () => {
    expect(await replaced('cost-centers.csv', 'Name', 'Naam')).toEqual([
      'cost-centers.csv:1 Name: is required: the file has no such column',
      'cost-centers.csv:1 Naam: is not known here',
    ]);
    expect(await replaced('cost-centers.csv', 'Winkel', 'Winkel,x')).toEqual([
      'cost-centers.csv:2 : expected 1 cells, as the heading has, got 2',
    ]);
  });

  test('bytes and quotes that cannot be read', async () => {
    const notUtf8 = Buffer.from([0x4e, 0x0a, 0xe9, 0x0a]);
    expect(await problemsWith((folder) => writeFileSync(path.join(folder, 'orders.csv'), notUtf8))).toEqual([
      expect.stringContaining('expected UTF-8; byte 3 is not'),
    ]);
    expect(await problemsAfter('administration.csv', (text) => `${text}"open`)).toEqual([
      expect.stringMatching(/^administration\.csv:3 : expected a " that ends the quoted cell/),
    ]);
  });

  test('rows that the database refuses', async () => {
    expect(await problemsAfter('accounts.csv', (text) => `${text}${text.split('\r\n')[1]}\r\n`)).toEqual([
      expect.stringContaining('accounts.csv, lines 2 to'),
    ]);
  });
});
