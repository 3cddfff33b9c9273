import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import readWorkbook, { readSheet } from 'read-excel-file/node';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type Relation, relation as relationSchema } from '../../../shared/resources/relation.ts';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { type RelationsWorkbookOptions, relationsWorkbook } from './relationsWorkbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-workbook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const relation = (fields: object): Relation => relationSchema.parse({ RelationGUID: '1', ...fields });

async function* pagesOf(relations: Iterable<Relation>, size = 100): AsyncGenerator<Relation[]> {
  let page: Relation[] = [];
  for (const one of relations) {
    if (page.push(one) < size) continue;
    yield page;
    page = [];
  }
  yield page;
}

const made = async (relations: Iterable<Relation>, options: RelationsWorkbookOptions = {}): Promise<Buffer> =>
  buffer(relationsWorkbook(pagesOf(relations), options));

/** Every sheet of a workbook, row by row by its headings, as a library reads it that did not write it. */
async function sheetsOf(file: Buffer): Promise<Record<string, Record<string, unknown>[]>> {
  const sheets = await readWorkbook(file, { trim: false });
  return Object.fromEntries(
    sheets.map(({ sheet, data: [headings = [], ...rows] }) => [
      sheet,
      rows.map((cells) =>
        Object.fromEntries(headings.map((heading, column) => [String(heading), rounded(cells[column])])),
      ),
    ]),
  );
}

/** Whether an open file is, or was, in a folder. One that closes meanwhile is in none. */
function isIn(folder: string, descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith(folder);
  } catch {
    return false;
  }
}

/** A serial number holds most moments a little too short. */
const rounded = (cell: unknown): unknown =>
  cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell;

/** Texts that programs take for something else. */
const awkward = [
  '0100',
  '1-2',
  '1e5',
  '+31 6 12345678',
  "=cmd|' /C calc'!A0",
  '=1+1',
  '@SUM(A1)',
  "'t Hoekje",
  ' spaces around ',
  'two\nlines',
  'carriage\r\nreturn',
  'a\ttab',
  '<b>&amp;</b> ]]>',
  '_x0041_',
  '_x005F_x0041_',
  'bell \u0007',
  'Zoë 👩‍👩‍👧 ﷽',
  'TRUE',
  '#N/A',
];

const everything = relation({
  RelationGUID: '9007199254740993123',
  Name: 'Bakkerij Jansen',
  PrivateOrBusiness: 'BusinessRelation',
  Email: 'info@example.com',
  Phone: '0031612345678',
  Address_City: 'Gent',
  Address_Street: 'Korenmarkt',
  Address_PostalCode: '0900',
  Address_Unit: '1',
  Address_UnitAppendix: 'a',
  Address_CountryCode: 'BE',
  GroupName: 'Horeca',
  IsCustomer: true,
  IsSupplier: false,
  CustomerNumber: 12,
  SupplierNumber: 0,
  RegistrationNumber: '0123456749',
  TaxIdentificationNumber: '0123456749',
  // Summer time and winter time in Amsterdam.
  CreatedOn: 1_783_000_800,
  ChangedOn: 1_767_225_600,
  Relation_Contact: [
    {
      FirstName: 'Jo',
      Preposition: 'van',
      LastName: 'Dam',
      Sex: 'Man',
      Email: 'jo@example.com',
      DefaultContact: 'true',
    },
    { FirstName: 'Ans', FamilyName: 'Old', Phone: '012', ContactNotes: 'two\nlines', DefaultContact: false },
  ],
  Relation_BankAccount: [
    {
      IBAN: 'NL91ABNA0417164300',
      BIC: 'ABNANL2A',
      Name: 'Jansen',
      Place: 'Gent',
      UseForExcasso: true,
      SkipIBANCheck: false,
    },
  ],
  Relation_CustomField: [
    {
      Label: 'Since',
      DataType: 'DateTime',
      FieldType: 'Date',
      DateTimeValue: '29-02-2024',
      TypeOfRelation: 'Customer',
    },
    { Label: 'Born', DataType: 'DateTime', FieldType: 'Date', DateTimeValue: '31-12-1899' },
    { Label: 'Limit', DataType: 'Decimal', FieldType: 'Decimal', DecimalValue: '1250.50000000' },
    { Label: 'Share', DataType: 'Decimal', FieldType: 'Decimal', DecimalValue: '0.1234567890123456' },
    { Label: 'Desks', DataType: 'Integer', FieldType: 'Integer', IntValue: 3 },
    { Label: 'Partner', DataType: 'Boolean', FieldType: 'Checkbox', BooleanValue: true },
    { Label: 'Code', DataType: 'String', FieldType: 'TextSmall', StringValue: '0042' },
    { Label: 'Empty', DataType: 'String', FieldType: 'TextLarge', StringValue: null },
  ],
});

describe('a workbook of relations', () => {
  it('has a sheet for each of the lists, every value in its own kind of cell', async () => {
    const sheets = await sheetsOf(await made([everything]));
    const key = { 'Relation ID': '9007199254740993123', Name: 'Bakkerij Jansen' };
    expect(sheets.Relations).toEqual([
      {
        ...key,
        'Customer number': '12',
        'Supplier number': null,
        'Business or private': 'BusinessRelation',
        'VAT number': '0123456749',
        'Registration number': '0123456749',
        'E-mail': 'info@example.com',
        Phone: '0031612345678',
        Street: 'Korenmarkt',
        'House number': '1',
        Addition: 'a',
        'Postal code': '0900',
        City: 'Gent',
        Country: 'BE',
        Group: 'Horeca',
        Customer: true,
        Supplier: false,
        Other: null,
        'Created on': new Date('2026-07-02T16:00:00Z'),
        'Changed on': new Date('2026-01-01T01:00:00Z'),
      },
    ]);
    expect(sheets.Contacts).toEqual([
      {
        ...key,
        'First name': 'Jo',
        Preposition: 'van',
        'Last name': 'Dam',
        'E-mail': 'jo@example.com',
        Phone: null,
        Sex: 'Man',
        'Default contact': true,
        Notes: null,
      },
      {
        ...key,
        'First name': 'Ans',
        Preposition: null,
        'Last name': 'Old',
        'E-mail': null,
        Phone: '012',
        Sex: null,
        'Default contact': false,
        Notes: 'two\nlines',
      },
    ]);
    expect(sheets['Bank accounts']).toEqual([
      {
        ...key,
        IBAN: 'NL91ABNA0417164300',
        BIC: 'ABNANL2A',
        'Account holder': 'Jansen',
        Place: 'Gent',
        'Used for payments': true,
        'IBAN not checked': false,
      },
    ]);
    expect(sheets['Custom fields']!.map(({ Field, Value }) => [Field, Value])).toEqual([
      ['Since', new Date('2024-02-29T00:00:00Z')],
      ['Born', '1899-12-31'],
      ['Limit', 1250.5],
      ['Share', '0.1234567890123456'],
      ['Desks', 3],
      ['Partner', true],
      ['Code', '0042'],
      ['Empty', null],
    ]);
  });

  it('gives back any text as it was', async () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...awkward)), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (names) => {
        const rows = await readSheet(await made(names.map((Name) => relation({ Name, Email: Name }))), { trim: false });
        expect(rows.slice(1).map((cells) => cells[1] ?? '')).toEqual(names);
        expect(rows.slice(1).map((cells) => cells[7] ?? '')).toEqual(names);
      }),
    );
  });

  it('gives back texts that read like an escape, and half characters', async () => {
    const names = ['_x0041_', '_x005F_x0041_', '__x0041_x0042_', '_x0041\u0001', '\u0000\ufffe\ud800', '\udc00x'];
    const rows = await readSheet(await made(names.map((Name) => relation({ Name }))), { trim: false });
    expect(rows.slice(1).map((cells) => cells[1])).toEqual(names);
  });

  it('holds no formula, whatever a text looks like', async () => {
    const parts = unzipSync(await made(awkward.map((Name) => relation({ Name, Phone: Name, GroupName: Name }))));
    const sheets = Object.entries(parts).filter(([name]) => name.startsWith('xl/worksheets/'));
    expect(sheets).toHaveLength(4);
    for (const [, xml] of sheets) expect(strFromU8(xml)).not.toMatch(/<f[ >/]| t="(?!inlineStr"|b")/);
  });

  it('cuts a text that is too long for a cell, between characters, and tells how many', async () => {
    let cut = 0;
    const fits = 'a'.repeat(32_767);
    const [even, odd] = ['😀'.repeat(20_000), `x${'😀'.repeat(20_000)}`];
    const file = await made(
      [fits, `${fits}b`, even, odd].map((Name) => relation({ Name })),
      { onCut: () => cut++ },
    );
    const names = (await sheetsOf(file)).Relations!.map(({ Name }) => Name);
    expect(names).toEqual([fits, `${'a'.repeat(32_766)}…`, `${'😀'.repeat(16_383)}…`, `x${'😀'.repeat(16_382)}…`]);
    expect(cut).toBe(3);
  });

  it('goes on on a further sheet where one is full', async () => {
    const contacts = (count: number) => Array.from({ length: count }, (_, index) => ({ LastName: String(index) }));
    const relations = [relation({ Relation_Contact: contacts(12) }), relation({ Relation_Contact: contacts(6) })];
    const sheets = await sheetsOf(await made(relations, { mostRows: 10 }));
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

  it('keeps its bold headings in sight, with a filter on each and a width for each column', async () => {
    const parts = unzipSync(await made([everything, everything]));
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

  it('is the same bytes for the same relations', async () => {
    expect(await made([everything])).toEqual(await made([everything]));
  });

  it('has moments on the clock of the place it is told', async () => {
    const sheets = await sheetsOf(await made([everything], { zone: 'America/New_York' }));
    expect(sheets.Relations![0]!['Changed on']).toEqual(new Date('2025-12-31T19:00:00Z'));
  });

  it('has moments on the clock of the hour, on days when it changes too', async () => {
    // Summer time begins and ends at one o'clock UTC.
    const moments = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z'];
    const relations = moments.map((text) => relation({ ChangedOn: Date.parse(text) / 1000 }));
    expect((await sheetsOf(await made(relations))).Relations!.map((row) => row['Changed on'])).toEqual([
      new Date('2026-03-29T01:59:59Z'),
      new Date('2026-03-29T03:00:00Z'),
      new Date('2026-10-25T02:59:59Z'),
      new Date('2026-10-25T02:00:00Z'),
    ]);
  });

  it('keeps a moment that no cell can hold as text', async () => {
    const seconds = ['-2208992400', '253402300800', '8640000000000', '9223372036854775807'];
    const sheets = await sheetsOf(await made(seconds.map((ChangedOn) => relation({ ChangedOn }))));
    expect(sheets.Relations!.map((row) => row['Changed on'])).toEqual(seconds);
  });

  it('has every one of 200,000 relations', async () => {
    const rows = await readSheet(await made(many), 'Relations', { trim: false });
    expect(rows.length).toBe(MANY + 1);
    const column = rows[0]!.indexOf('Postal code');
    const differing = rows
      .slice(1)
      .filter(
        (cells, index) =>
          cells[0] !== guid(index) || cells[1] !== nameOf(index) || cells[column] !== String(index).padStart(6, '0'),
      );
    expect(differing).toEqual([]);
  }, 300_000);

  it('ends with what stopped the reading, and closes what was being read', async () => {
    let open = 0;
    const stop = new AbortController();
    const endless = async function* () {
      open++;
      try {
        for (let page = 0; ; page++) {
          yield Array.from({ length: 100 }, () => everything);
          if (page === 20) stop.abort(new Error('enough'));
        }
      } finally {
        open--;
      }
    };
    await expect(buffer(relationsWorkbook(endless(), { signal: stop.signal }))).rejects.toThrow('enough');
    const broken = async function* () {
      yield [everything];
      throw new Error('the disk is gone');
    };
    await expect(buffer(relationsWorkbook(broken()))).rejects.toThrow('the disk is gone');
    expect(open).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'puts rows away in files without a name, which are gone however it ends',
    async () => {
      const temporary = mkdtempSync(path.join(folder, 'temporary-'));
      vi.stubEnv('TMPDIR', temporary);
      const opened = () => readdirSync('/proc/self/fd').filter((fd) => isIn(temporary, `/proc/self/fd/${fd}`)).length;
      let found: { held: number; names: string[] } | undefined;
      const read = async function* () {
        for (let page = 0; page < 20; page++) {
          yield Array.from({ length: 100 }, () => everything);
          found = { held: opened(), names: readdirSync(temporary) };
        }
      };
      try {
        for await (const _ of relationsWorkbook(read())) break;
        expect(found).toEqual({ held: 4, names: [] });
        expect(opened()).toBe(0);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

const MANY = 200_000;
const guid = (index: number) => String(9_007_199_254_740_993n + BigInt(index));
const nameOf = (index: number) => `${awkward[index % 5]} ${index}`;

/** So many relations, each with a bank account. */
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

describe('a workbook of relations in LibreOffice', () => {
  const opened = async (relations: Iterable<Relation>) => {
    const file = path.join(folder, 'relations.xlsx');
    await writeFile(file, relationsWorkbook(pagesOf(relations)));
    return openInLibreOffice(file);
  };

  it.runIf(libreOffice.isThere)(
    libreOffice.title('shows text as text, and dates and truth values as such'),
    async () => {
      const named = awkward.map((Name, index) => relation({ RelationGUID: String(index), Name }));
      const sheets = await opened([everything, ...named]);
      expect(Object.keys(sheets).toSorted()).toEqual(['Bank accounts', 'Contacts', 'Custom fields', 'Relations']);
      const [headings, first, ...rows] = sheets.Relations!;
      const cell = (heading: string) => first![headings!.indexOf(heading)];
      expect(cell('Relation ID')).toBe('9007199254740993123');
      expect(cell('Postal code')).toBe('0900');
      expect(cell('Customer')).toBe('#TRUE');
      expect(cell('Created on')).toBe('#02-07-2026 16:00');
      // A return is no part of a line's end there.
      expect(rows.map(([, name]) => name)).toEqual(awkward.map((name) => name.replace('\r', '')));
      expect(sheets['Custom fields']!.slice(1).map(([, , , value]) => value)).toEqual([
        '#29-02-2024',
        '1899-12-31',
        '#1250.5',
        '0.1234567890123456',
        '#3',
        '#TRUE',
        '0042',
        '',
      ]);
    },
  );

  it.runIf(libreOffice.isThere)(
    libreOffice.title('has every row of 200,000 relations'),
    async () => {
      const sheets = await opened(many);
      expect(sheets.Relations!.length).toBe(MANY + 1);
      expect(sheets['Bank accounts']!.length).toBe(MANY + 1);
      expect(
        sheets.Relations!.slice(1).every(([id, name], index) => id === guid(index) && name === nameOf(index)),
      ).toBe(true);
    },
    600_000,
  );
});
