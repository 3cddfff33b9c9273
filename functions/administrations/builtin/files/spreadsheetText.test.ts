import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../../testing/database.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { exportAdministration } from '../archive/exportAdministration.ts';
import { importAdministration } from '../archive/importAdministration.ts';
import { plainMapping } from '../import/bind.ts';
import { importRows } from '../import/importRows.ts';
import { relations } from '../import/relationFiles/relations.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import { newRow } from '../sql/rows.ts';
import { csvLine } from './csvLine.ts';
import { readCsv } from './readCsv.ts';
import { asPlainCell, forSpreadsheet, fromCell } from './spreadsheetText.ts';

const folder = temporaryFolder();

/** Texts that often begin like formulas or with apostrophes. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '1', '.', 'a', ' ', '"', ';', '＝') }),
  fc.string({ unit: 'binary' }),
);
/** The examples of OWASP's page on CSV injection. */
const evaluated = /^[=+\-@\t\r\n]/;

describe('a text that a spreadsheet would evaluate', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+31 20 555', "'+31 20 555"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['\t=1', "'\t=1"],
    ["'=1", "''=1"],
    ['-12.50', '-12.50'],
    ['-12,50', '-12,50'],
    ["'s-Gravenhage", "'s-Gravenhage"],
    ['€ 5,- a piece', '€ 5,- a piece'],
    ['a;=1+1;b', "a;'=1+1;b"],
    ['=1;"@A1', "'=1;\"'@A1"],
    ["a;'=1", "a;''=1"],
    ['two:\n- one\r\n- other', "two:\n'- one\r\n'- other"],
    ['', ''],
  ])('%j is written as %j', (text, cell) => {
    expect(forSpreadsheet(text)).toBe(cell);
    expect(fromCell(cell)).toBe(text);
  });

  test('never begins a cell, and every text is read back from both forms', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fromCell(forSpreadsheet(text))).toBe(text);
        expect(fromCell(asPlainCell(text))).toBe(text);
        expect(evaluated.test(forSpreadsheet(text)) && Number.isNaN(Number(text))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  // Dutch, Belgian and French Excel divide a line at each semicolon, and take a " for one only where a cell begins.
  test('never begins a cell where a semicolon divides them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [, ...pieces] = csvLine(['1', forSpreadsheet(text), 'x']).split(/[;\r\n]/);
        expect(pieces.filter((piece) => evaluated.test(piece.replace(/^"+/, '')))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test('an administration with any texts is exported in both forms, and imported with the same values', async () => {
  const { db } = await emptyDatabase();
  const make = (name: string) =>
    createAdministration(db, { name, country: 'NL', fiscalYears: [], now: 1n, empty: true });
  const id = await make('Teksten');
  const usable = anyText.filter((text) => !text.includes('\0') && text.isWellFormed());
  const texts = fc.sample(usable, { numRuns: 300, seed: 42 });
  for (const [index, text] of texts.entries()) {
    await db
      .insertInto('relation')
      .values(newRow('relation', { administration_id: id, guid: BigInt(index + 1), name: `R${index}`, city: text }))
      .execute();
  }
  const citiesOf = async (administrationId: bigint) =>
    (
      await db
        .selectFrom('relation')
        .where('administration_id', '=', administrationId)
        .orderBy('guid')
        .select('city')
        .execute()
    ).map(({ city }) => city);
  expect(await citiesOf(id)).toEqual(texts);
  for (const forSpreadsheets of [false, true]) {
    const out = path.join(folder, String(forSpreadsheets));
    await exportAdministration(db, id, out, { forSpreadsheets });
    const cells = (parse(readFileSync(path.join(out, 'relations.csv')), { bom: true }) as string[][]).flat();
    const risky = cells.filter((cell) => evaluated.test(cell) && Number.isNaN(Number(cell)));
    expect(risky.length > 0).toBe(!forSpreadsheets);
    const { administrationId, problems } = await importAdministration(db, out, { name: `Terug ${forSpreadsheets}` });
    expect(problems).toEqual([]);
    expect(await citiesOf(administrationId)).toEqual(texts);
    // An import of one file trims texts, in both forms.
    const other = await make(`Los ${forSpreadsheets}`);
    const source = await readCsv(path.join(out, 'relations.csv'));
    const target = { administrationId: other, now: 1n, mapping: plainMapping };
    expect((await importRows(db, relations, source, target)).problems).toEqual([]);
    expect(await citiesOf(other)).toEqual(texts.map((text) => text.replace(/\r\n?/g, '\n').trim()));
  }
  await db.destroy();
});
