import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { ambiguousTexts, pagesOf, relation, sheetsOf, workbookOf } from '../../../testing/exports/workbooks.ts';
import { folderOfTest } from '../../../testing/temporaryFolder.ts';
import { relationsWorkbook } from './relationsWorkbook.ts';

/* The cells of a workbook of relations. */

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
  // In summer and in winter.
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

describe('the sheets of a workbook', () => {
  it('contain each list of a relation, with numbers, dates and booleans in cells of their type', async () => {
    const sheets = await sheetsOf(await workbookOf([everything]));
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
});

describe('a text in a workbook', () => {
  it('is read back unchanged, whatever it contains', async () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...ambiguousTexts)), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (names) => {
        const rows = await readSheet(await workbookOf(names.map((Name) => relation({ Name, Email: Name }))), {
          trim: false,
        });
        expect(rows.slice(1).map((cells) => cells[1] ?? '')).toEqual(names);
        expect(rows.slice(1).map((cells) => cells[7] ?? '')).toEqual(names);
      }),
    );
  });

  it('is read back unchanged when it looks like an escape or contains half a character', async () => {
    const names = ['_x0041_', '_x005F_x0041_', '__x0041_x0042_', '_x0041\u0001', '\u0000\ufffe\ud800', '\udc00x'];
    const rows = await readSheet(await workbookOf(names.map((Name) => relation({ Name }))), { trim: false });
    expect(rows.slice(1).map((cells) => cells[1])).toEqual(names);
  });

  it('is never a formula', async () => {
    const parts = unzipSync(
      await workbookOf(ambiguousTexts.map((Name) => relation({ Name, Phone: Name, GroupName: Name }))),
    );
    const sheets = Object.entries(parts).filter(([name]) => name.startsWith('xl/worksheets/'));
    expect(sheets).toHaveLength(4);
    // The first row has the headings, which are shared texts of ours.
    for (const [, xml] of sheets)
      expect(strFromU8(xml).replace(/<row r="1">.*?<\/row>/, '')).not.toMatch(/<f[ >/]| t="(?!inlineStr"|b")/);
  });

  it('is cut between characters when it is too long for a cell, and counted', async () => {
    let cut = 0;
    const fits = 'a'.repeat(32_767);
    const [even, odd] = ['😀'.repeat(20_000), `x${'😀'.repeat(20_000)}`];
    const file = await workbookOf(
      [fits, `${fits}b`, even, odd].map((Name) => relation({ Name })),
      { onCut: () => cut++ },
    );
    const names = (await sheetsOf(file)).Relations!.map(({ Name }) => Name);
    expect(names).toEqual([fits, `${'a'.repeat(32_766)}…`, `${'😀'.repeat(16_383)}…`, `x${'😀'.repeat(16_382)}…`]);
    expect(cut).toBe(3);
  });
});

describe('a moment in a workbook', () => {
  it('is shown in the time zone of the options', async () => {
    const sheets = await sheetsOf(await workbookOf([everything], { zone: 'America/New_York' }));
    expect(sheets.Relations![0]!['Changed on']).toEqual(new Date('2025-12-31T19:00:00Z'));
  });

  it('is correct on the days when summer time begins and ends', async () => {
    // Summer time begins and ends at one o'clock UTC.
    const moments = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z'];
    const relations = moments.map((text) => relation({ ChangedOn: Date.parse(text) / 1000 }));
    expect((await sheetsOf(await workbookOf(relations))).Relations!.map((row) => row['Changed on'])).toEqual([
      new Date('2026-03-29T01:59:59Z'),
      new Date('2026-03-29T03:00:00Z'),
      new Date('2026-10-25T02:59:59Z'),
      new Date('2026-10-25T02:00:00Z'),
    ]);
  });

  it('is a text when no cell can contain it', async () => {
    const seconds = ['-2208992400', '253402300800', '8640000000000', '9223372036854775807'];
    const sheets = await sheetsOf(await workbookOf(seconds.map((ChangedOn) => relation({ ChangedOn }))));
    expect(sheets.Relations!.map((row) => row['Changed on'])).toEqual(seconds);
  });
});

it.runIf(libreOffice.isThere)(
  libreOffice.title('LibreOffice shows the texts, dates and booleans of a workbook as such'),
  async () => {
    const named = ambiguousTexts.map((Name, index) => relation({ RelationGUID: String(index), Name }));
    const folder = folderOfTest();
    const file = path.join(folder, 'relations.xlsx');
    await writeFile(file, relationsWorkbook(pagesOf([everything, ...named])));
    const sheets = await openInLibreOffice(file);
    expect(Object.keys(sheets).toSorted()).toEqual(['Bank accounts', 'Contacts', 'Custom fields', 'Relations']);
    const [headings, first, ...rows] = sheets.Relations!;
    const cell = (heading: string) => first![headings!.indexOf(heading)];
    expect(cell('Relation ID')).toBe('9007199254740993123');
    expect(cell('Postal code')).toBe('0900');
    expect(cell('Customer')).toBe('#TRUE');
    expect(cell('Created on')).toBe('#02-07-2026 16:00');
    // LibreOffice removes the carriage return.
    expect(rows.map(([, name]) => name)).toEqual(ambiguousTexts.map((name) => name.replace('\r', '')));
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
