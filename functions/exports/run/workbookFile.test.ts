import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it, vi } from 'vitest';
import type { Relation } from '../../../shared/resources/relation.ts';
import type { Language } from '../../../shared/wire/language.ts';
import { deeper } from '../../../testing/deep.ts';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { workbookProblems } from '../../../testing/exports/workbookProblems.ts';
import { ambiguousTexts, pagesOf, relation, sheetsOf, workbookOf } from '../../../testing/exports/workbooks.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { relationsWorkbook } from './relationsWorkbook.ts';

/* The file of a workbook: its sheets, its size, and how it is written. */

const folder = temporaryFolder();

const baker = relation({ Name: 'Bakkerij Jansen', Relation_Contact: [{ LastName: 'Dam' }, { LastName: 'Old' }] });

/** Whether an open file is in a folder, or was before it was unlinked. */
function isIn(folder: string, descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith(folder);
  } catch {
    return false;
  }
}

describe('the file of a workbook', () => {
  it('has a further sheet when one is full', async () => {
    const contacts = (count: number) => Array.from({ length: count }, (_, index) => ({ LastName: String(index) }));
    const relations = [relation({ Relation_Contact: contacts(12) }), relation({ Relation_Contact: contacts(6) })];
    const sheets = await sheetsOf(await workbookOf(relations, { maxRows: 10 }));
    expect(Object.entries(sheets).map(([name, rows]) => [name, rows.length])).toEqual([
      ['Relations', 2],
      ['Contacts', 9],
      ['Contacts 2', 9],
      ['Bank accounts', 0],
      ['Custom fields', 0],
    ]);
    const numbers = [...sheets.Contacts!, ...sheets['Contacts 2']!].map((row) => row['Last name']);
    expect(numbers).toEqual(relations.flatMap((one) => one.Relation_Contact.map(({ LastName }) => LastName)));
  });

  it('is in another language with the end of that language, with the same rows', async () => {
    const ends = new Map<Language, Uint8Array>();
    const relations = [relation({ Name: 'Bakker', Relation_Contact: [{ LastName: 'Dam' }, { LastName: 'Old' }] })];
    const file = await workbookOf(relations, { maxRows: 2, onEnd: (language, end) => ends.set(language, end) });
    const untranslated = file.length - ends.get('en')!.length;
    expect(file.subarray(untranslated)).toEqual(Buffer.from(ends.get('en')!));
    const sheetsIn = (language: Language) =>
      sheetsOf(Buffer.concat([file.subarray(0, untranslated), ends.get(language)!]));
    const [english, dutch, french] = await Promise.all((['en', 'nl', 'fr'] as const).map(sheetsIn));
    const names = ['Relaties', 'Contactpersonen', 'Contactpersonen 2', 'Bankrekeningen', 'Vrije velden'];
    expect(Object.keys(dutch!)).toEqual(names);
    expect(dutch!['Contactpersonen 2']).toMatchObject([{ 'Relatie-ID': '1', Naam: 'Bakker', Achternaam: 'Old' }]);
    expect(french!['Contacts 2']).toMatchObject([{ 'ID de la relation': '1', Nom: 'Bakker', 'Nom de famille': 'Old' }]);
    const values = (sheets: typeof english) => Object.values(sheets!).map((rows) => rows.map(Object.values));
    expect(values(dutch)).toEqual(values(english));
    expect(values(french)).toEqual(values(english));
  });

  it('has frozen bold headings, a filter on each sheet and a width for each column', async () => {
    const file = await workbookOf([baker, baker]);
    expect(workbookProblems(file)).toEqual([]);
    const parts = unzipSync(file);
    const xml = (name: string) => strFromU8(parts[name]!);
    const contacts = xml('xl/worksheets/sheet2.xml');
    expect(contacts).toContain(
      '<pane xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight" state="frozen"/>',
    );
    expect(contacts).toContain('<autoFilter ref="A1:J5"/>');
    expect(contacts.match(/<col min="\d+" max="\d+" width="\d+"/g)).toHaveLength(10);
    expect(contacts.match(/<c r="[A-Z]1" s="4"/g)).toHaveLength(10);
    expect(xml('xl/workbook.xml')).toContain(`hidden="1">'Contacts'!$A$1:$J$5<`);
  });

  it('has the same bytes for the same relations', async () => {
    expect(await workbookOf([baker])).toEqual(await workbookOf([baker]));
  });

  it('fails with the failure of reading, and closes the source', async () => {
    let open = 0;
    const stop = new AbortController();
    const endless = async function* () {
      open++;
      try {
        for (let page = 0; ; page++) {
          yield Array.from({ length: 100 }, () => baker);
          if (page === 20) stop.abort(new Error('enough'));
        }
      } finally {
        open--;
      }
    };
    await expect(buffer(relationsWorkbook(endless(), { signal: stop.signal }))).rejects.toThrow('enough');
    const broken = async function* () {
      yield [baker];
      throw new Error('the disk is gone');
    };
    await expect(buffer(relationsWorkbook(broken()))).rejects.toThrow('the disk is gone');
    expect(open).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'is written with unlinked temporary files, which are closed however it ends',
    async () => {
      const temporary = mkdtempSync(path.join(folder, 'temporary-'));
      vi.stubEnv('TMPDIR', temporary);
      const opened = () => readdirSync('/proc/self/fd').filter((fd) => isIn(temporary, `/proc/self/fd/${fd}`)).length;
      let found: { open: number; names: string[] } | undefined;
      const read = async function* () {
        for (let page = 0; page < 20; page++) {
          yield Array.from({ length: 100 }, () => baker);
          found = { open: opened(), names: readdirSync(temporary) };
        }
      };
      try {
        for await (const _ of relationsWorkbook(read())) break;
        expect(found).toEqual({ open: 4, names: [] });
        expect(opened()).toBe(0);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

const MANY = deeper(30_000, 200_000);
const guid = (index: number) => String(9_007_199_254_740_993n + BigInt(index));
const nameOf = (index: number) => `${ambiguousTexts[index % 5]} ${index}`;

/** MANY relations, each with a bank account. */
const many: Iterable<Relation> = {
  *[Symbol.iterator]() {
    const one = relation({ Relation_BankAccount: [{ IBAN: 'NL91ABNA0417164300' }] });
    for (let index = 0; index < MANY; index++) {
      yield {
        ...one,
        RelationGUID: guid(index),
        Name: nameOf(index),
        Address_PostalCode: String(index).padStart(6, '0'),
      };
    }
  },
};

describe(`a workbook of ${MANY} relations`, () => {
  it('has every row', async () => {
    const file = await workbookOf(many);
    // The library reads smaller parts after a slow one, and each part takes room on the stack: a slow machine has too little.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(0);
    const rows = await readSheet(file, 'Relations', { trim: false }).finally(() => clock.mockRestore());
    expect(rows.length).toBe(MANY + 1);
    const column = rows[0]!.indexOf('Postal code');
    const differing = rows
      .slice(1)
      .filter(
        (cells, index) =>
          cells[0] !== guid(index) || cells[1] !== nameOf(index) || cells[column] !== String(index).padStart(6, '0'),
      );
    expect(differing).toEqual([]);
  });

  it.runIf(libreOffice.isThere)(libreOffice.title('has every row in LibreOffice'), async () => {
    const file = path.join(folder, 'relations.xlsx');
    await writeFile(file, relationsWorkbook(pagesOf(many)));
    const sheets = await openInLibreOffice(file);
    expect(sheets.Relations!.length).toBe(MANY + 1);
    expect(sheets['Bank accounts']!.length).toBe(MANY + 1);
    expect(sheets.Relations!.slice(1).every(([id, name], index) => id === guid(index) && name === nameOf(index))).toBe(
      true,
    );
  });
});
