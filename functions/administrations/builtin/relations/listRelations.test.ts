import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../../../testing/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const query = (parameters: Record<string, string | number>): string =>
  `/rest/listrelations?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`;

/** The names a request answers, in their order. */
const names = async (
  administration: TestAdministration,
  parameters: Record<string, string | number>,
): Promise<string[]> => {
  const { status, json, text } = await administration.get(query(parameters));
  if (status !== 200) throw new Error(text);
  return json.map((relation: { Name: string }) => relation.Name);
};

it('listrelations returns a relation with its contacts, bank accounts and custom fields, as the interface’s examples do', async () => {
  const administration = await app.addAdministration();
  await administration.addCustomField({
    owner: 'relation',
    label: 'Sinds',
    type: 'Date',
    typeOfRelation: 'Customer',
  });
  await administration.addCustomField({
    owner: 'relation',
    label: 'Korting',
    type: 'Decimal',
    typeOfRelation: 'Other',
  });
  await administration.addRelation({
    guid: 9_007_199_254_740_993n,
    name: 'Bakkerij "Jansen"\n& Zn.',
    email: 'Info@Jansen.NL',
    vatNumber: 'NL001234567B01',
    customerNumber: 42,
    createdOn: 1_600_000_000,
    changedOn: 1_700_000_001,
    contacts: [
      { last_name: 'Jansen', first_name: 'Anna', preposition: 'van', sex: 'Vrouw', email: 'a@jansen.nl', phone: '06' },
      { last_name: 'Smit', sex: 'Man' },
    ],
    bankAccounts: [{ iban: 'NL91ABNA0417164300', bic: 'ABNANL2A', name: 'Jansen' }],
    customFields: { Sinds: '2024-02-29', Korting: '12.5' },
    row: {
      phone: '010-1234567',
      city: 'Rotterdam',
      street: 'Coolsingel',
      postal_code: '3011 AD',
      unit: '1',
      unit_appendix: 'a',
      group_name: 'Horeca',
      registration_number: '01234567',
    },
  });
  const { json, text } = await administration.get('/rest/listrelations');
  // A float would end in ...992.
  expect(text).toContain('"RelationGUID":9007199254740993,');
  const empty = { DateTimeValue: null, DecimalValue: null, BooleanValue: null, StringValue: null, IntValue: null };
  expect(json).toEqual([
    {
      RelationGUID: expect.any(Number),
      Name: 'Bakkerij "Jansen"\n& Zn.',
      PrivateOrBusiness: 'BusinessRelation',
      Email: 'Info@Jansen.NL',
      Phone: '010-1234567',
      Address_City: 'Rotterdam',
      Address_Street: 'Coolsingel',
      Address_PostalCode: '3011 AD',
      Address_Unit: '1',
      Address_UnitAppendix: 'a',
      Address_CountryCode: 'NL',
      GroupName: 'Horeca',
      IsCustomer: true,
      IsSupplier: false,
      IsOther: false,
      CustomerNumber: 42,
      SupplierNumber: null,
      RegistrationNumber: '01234567',
      TaxIdentificationNumber: 'NL001234567B01',
      CreatedOn: 1_600_000_000,
      ChangedOn: 1_700_000_001,
      Relation_Contact: [
        {
          Email: 'a@jansen.nl',
          Phone: '06',
          Sex: 'Vrouw',
          LastName: 'Jansen',
          FamilyName: 'Jansen',
          FirstName: 'Anna',
          Preposition: 'van',
          ContactNotes: '',
          DefaultContact: true,
        },
        {
          Email: '',
          Phone: '',
          Sex: 'Man',
          LastName: 'Smit',
          FamilyName: 'Smit',
          FirstName: '',
          Preposition: '',
          ContactNotes: '',
          DefaultContact: false,
        },
      ],
      Relation_CustomField: [
        {
          ...empty,
          Label: 'Korting',
          DataType: 'Decimal',
          FieldType: 'Decimal',
          DecimalValue: '12.5',
          TypeOfRelation: 'Other',
        },
        {
          ...empty,
          Label: 'Sinds',
          DataType: 'DateTime',
          FieldType: 'Date',
          DateTimeValue: '29-02-2024',
          TypeOfRelation: 'Customer',
        },
      ],
      Relation_BankAccount: [
        {
          IBAN: 'NL91ABNA0417164300',
          SkipIBANCheck: false,
          UseForExcasso: true,
          BIC: 'ABNANL2A',
          Place: '',
          Name: 'Jansen',
        },
      ],
    },
  ]);
});

it('listrelations returns the details of each relation with that relation', async () => {
  const administration = await app.addAdministration();
  for (const name of ['A', 'B', 'C']) {
    await administration.addRelation({ name, contacts: name === 'B' ? [] : [{ last_name: `van ${name}` }] });
  }
  const relations = await administration.client.listrelations({ SortDir: 'ASC' });
  expect(relations.map(({ Name, Relation_Contact }) => [Name, ...Relation_Contact.map((one) => one.LastName)])).toEqual(
    [['A', 'van A'], ['B'], ['C', 'van C']],
  );
});

describe('a filter', () => {
  let filled: TestAdministration;
  const all = { SortDir: 'ASC' };
  let jansenGuid: bigint;

  beforeAll(async () => {
    filled = await app.addAdministration();
    const { guid } = await filled.addRelation({
      name: 'Jansen',
      email: 'info@jansen.nl',
      vatNumber: 'NL001234567B01',
      customerNumber: 7,
      createdOn: 1_000,
      changedOn: 5_000,
    });
    jansenGuid = guid;
    await filled.addRelation({
      name: 'Café Élan',
      email: 'Élan@café.be',
      vatNumber: 'BE 0123.456.789',
      supplierNumber: 7,
      createdOn: 2_000,
      changedOn: 2_000,
    });
    await filled.addRelation({
      name: 'Weiß',
      vatNumber: 'DE123456788',
      customerNumber: 8,
      supplierNumber: 9,
      createdOn: 3_000,
      changedOn: 3_000,
    });
    await filled.addRelation({
      name: 'Piet',
      business: false,
      email: 'info@jansen.nl',
      vatNumber: 'NL001234567B01',
      createdOn: 4_000,
      changedOn: 6_000,
    });
    // Another administration's relations are never among the responses.
    await app.addRelation({ name: 'Jansen', email: 'info@jansen.nl', vatNumber: 'NL001234567B01', customerNumber: 7 });
  });

  it.each<[Record<string, string | number>, string[]]>([
    [{}, ['Jansen', 'Café Élan', 'Weiß', 'Piet']],
    [{ RelationType: 'All' }, ['Jansen', 'Café Élan', 'Weiß', 'Piet']],
    [{ RelationType: 'Customer' }, ['Jansen', 'Weiß']],
    [{ RelationType: 'supplier' }, ['Café Élan', 'Weiß']],
    [{ RelationNumber: 7 }, ['Jansen', 'Café Élan']],
    [{ RelationNumber: 7, RelationType: 'Customer' }, ['Jansen']],
    [{ RelationNumber: '007' }, ['Jansen', 'Café Élan']],
    [{ RelationNumber: 'seven' }, []],
    [{ RelationNumber: '99999999999999999999999' }, []],
    [{ RelationName: 'jansen' }, ['Jansen']],
    [{ RelationName: ' JANSEN ' }, ['Jansen']],
    [{ RelationName: 'Jans' }, []],
    [{ RelationName: 'CAFÉ ÉLAN' }, ['Café Élan']],
    [{ RelationName: 'café élan' }, ['Café Élan']],
    [{ RelationName: 'Cafe\u0301 E\u0301lan' }, ['Café Élan']],
    [{ RelationName: 'Cafe Elan' }, []],
    [{ RelationName: 'weiß' }, ['Weiß']],
    [{ RelationName: 'WEIẞ' }, ['Weiß']],
    [{ RelationName: "' or 1=1 --" }, []],
    [{ RelationName: '%' }, []],
    [{ RelationEmail: 'INFO@JANSEN.NL' }, ['Jansen', 'Piet']],
    [{ RelationEmail: 'élan@CAFÉ.be' }, ['Café Élan']],
    [{ RelationVAT: '001234567' }, ['Jansen']],
    [{ RelationVAT: 'NL001234567B01' }, ['Jansen']],
    [{ RelationVAT: 'nl 001.234.567 b01' }, ['Jansen']],
    [{ RelationVAT: '001234567B99' }, ['Jansen']],
    [{ RelationVAT: '0123456789' }, ['Café Élan']],
    [{ RelationVAT: 'BE0123456789' }, ['Café Élan']],
    [{ RelationVAT: '12345678' }, []],
    [{ RelationVAT: 'NL' }, []],
    [{ RelationVAT: '-' }, []],
    // Spaces match no relation: Weiß has no e-mail address.
    [{ RelationEmail: ' ' }, []],
    [{ RelationName: '\t' }, []],
    [{ RelationNumber: ' ' }, []],
    [{ RelationName: 'Jansen', RelationEmail: ' ', SearchOperand: 'OR' }, ['Jansen']],
    [{ RelationName: 'Jansen', RelationEmail: ' ' }, []],
    [{ ChangedSince: 5_000 }, ['Jansen', 'Piet']],
    [{ ChangedSince: 5_001 }, ['Piet']],
    [{ CreatedSince: 3_000 }, ['Weiß', 'Piet']],
    [{ CreatedSince: 3_001 }, ['Piet']],
    [{ ChangedSince: 5_000, CreatedSince: 2_000 }, ['Piet']],
    // A number and a name, all or any of them.
    [{ RelationNumber: 7, RelationName: 'Weiß' }, []],
    [{ RelationNumber: 7, RelationName: 'Jansen', SearchOperand: 'AND' }, ['Jansen']],
    [{ RelationNumber: 7, RelationName: 'Weiß', SearchOperand: 'OR' }, ['Jansen', 'Café Élan', 'Weiß']],
    [
      { RelationVAT: '0123456789', RelationEmail: 'info@jansen.nl', SearchOperand: 'or' },
      ['Jansen', 'Café Élan', 'Piet'],
    ],
    [{ RelationEmail: 'info@jansen.nl', RelationVAT: '001234567' }, ['Jansen']],
    // The other conditions hold for either operand.
    [{ RelationNumber: 7, RelationName: 'Weiß', SearchOperand: 'OR', RelationType: 'Customer' }, ['Jansen', 'Weiß']],
    [{ RelationNumber: 7, RelationName: 'Weiß', SearchOperand: 'OR', CreatedSince: 2_000 }, ['Café Élan', 'Weiß']],
    [{ SearchOperand: 'OR' }, ['Jansen', 'Café Élan', 'Weiß', 'Piet']],
    [{ RelationName: '', RelationEmail: '' }, ['Jansen', 'Café Élan', 'Weiß', 'Piet']],
    // Parameters in any case.
    [{ relationname: 'Jansen' }, ['Jansen']],
  ])('%j returns %j', async (parameters, expected) => {
    expect(await names(filled, { ...all, ...parameters })).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['RO123456', ['123456', 'RO123456', 'ro 12 34 56']],
    ['RO12', ['12', 'RO12']],
    ['RO1234567890', ['1234567890', 'RO1234567890']],
    [
      'CHE-123.456.789 MWST',
      ['123456789', 'CHE123456789', 'CHE-123.456.789', 'CHE-123.456.789 TVA', '123.456.789 MWST'],
    ],
    ['CHE 123 456 789 TVA', ['123456789', 'CHE-123.456.789 IVA']],
    ['NO 123 456 789 MVA', ['123456789', 'NO123456789', '123456789MVA']],
    ['FRSE123456789', ['SE123456789', 'FRSE123456789', 'fr se 123 456 789']],
    ['FR12345678901', ['12345678901', 'FR12345678901']],
    ['SE123456789001', ['123456789001', 'SE123456789001']],
    ['SE123456789', ['SE123456789', '123456789']],
    ['NL001234567B01', ['001234567', '001234567B02', 'NL001234567B01']],
    ['ESB12345678', ['B12345678', 'ESB12345678']],
    // Many write the code of the country for Greece.
    ['EL094259216', ['094259216', 'EL094259216', 'GR 094 259 216']],
    ['GR 094259216', ['094259216', 'EL094259216', 'GR094259216']],
    ['FRGR123456789', ['GR123456789', 'FRGR123456789']],
    // Some write "VAT" first, in their language.
    ['BTW NL0020.65.538.B68', ['002065538', 'NL002065538B68', 'btw: 002065538']],
    ['TVA FRAB123456789', ['AB123456789', 'FRAB123456789']],
    ['002065538', ['BTW NL002065538B68']],
    // Older Belgian numbers have nine digits, without the zero.
    ['BE 403.170.701', ['0403170701', '403170701', 'BE0403170701', 'BE403170701']],
    ['TVA BE 0403.170.701', ['0403170701', '403170701', 'BE0403170701', 'BE403170701']],
    ['403.170.701', ['0403170701', 'BE403170701']],
  ])('by RelationVAT finds %s, with or without its country code and additions', async (vatNumber, asked) => {
    const other = await app.addAdministration();
    await other.addRelation({ name: 'Found', vatNumber });
    await other.addRelation({ name: 'Other', vatNumber: 'ATU98765432' });
    for (const RelationVAT of asked)
      expect([RelationVAT, await names(other, { RelationVAT })]).toEqual([RelationVAT, ['Found']]);
    expect(await names(other, { RelationVAT: '98765' })).toEqual([]);
  });

  it('by a RelationVAT of nine digits of another country finds no Belgian number', async () => {
    const other = await app.addAdministration();
    await other.addRelation({ name: 'Belgian', vatNumber: 'BE 0812.345.678' });
    expect(await names(other, { RelationVAT: 'NL812345678B01' })).toEqual([]);
    expect(await names(other, { RelationVAT: 'DE812345678' })).toEqual([]);
    expect(await names(other, { RelationVAT: 'BE812345678' })).toEqual(['Belgian']);
  });

  it('by RelationGUID returns that one relation, or none', async () => {
    expect(await names(filled, { RelationGUID: String(jansenGuid) })).toEqual(['Jansen']);
    expect(await names(filled, { RelationGUID: 1 })).toEqual([]);
    expect(await names(filled, { RelationGUID: String(2n ** 63n - 1n) })).toEqual([]);
    const { guid } = await app.addRelation({ guid: 999_999n });
    expect(await names(filled, { RelationGUID: String(guid) })).toEqual([]);
  });

  it.each([
    ['RelationGUID', 'abc'],
    ['RelationGUID', String(2n ** 63n)],
    ['RelationType', 'Friend'],
    ['SearchOperand', 'XOR'],
    ['ChangedSince', 'yesterday'],
    ['CreatedSince', '1.5'],
    ['Sorting', 'Age'],
    ['Limit', '-1'],
    ['Offset', '-1'],
  ])('by %s with the value %s is refused', async (name, value) => {
    const { status, json } = await filled.get(query({ [name]: value }));
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: name, message: expect.stringContaining('expected') }]);
  });
});

describe('sorting', () => {
  let filled: TestAdministration;

  beforeAll(async () => {
    filled = await app.addAdministration();
    await filled.addRelation({ guid: 30n, name: 'beta', customerNumber: 2, createdOn: 100, changedOn: 900 });
    await filled.addRelation({ guid: 10n, name: 'Alfa', customerNumber: 10, createdOn: 300, changedOn: 800 });
    await filled.addRelation({ guid: 20n, name: 'Émile', supplierNumber: 4, createdOn: 200, changedOn: 800 });
    await filled.addRelation({ guid: 40n, name: 'Gamma', customerNumber: 0, supplierNumber: 3, createdOn: 200 });
  });

  it.each<[Record<string, string | number>, string[]]>([
    [{}, ['Gamma', 'beta', 'Émile', 'Alfa']],
    [{ SortDir: 'ASC' }, ['Alfa', 'Émile', 'beta', 'Gamma']],
    [{ SortDir: 'asc' }, ['Alfa', 'Émile', 'beta', 'Gamma']],
    [{ SortDir: 'sideways' }, ['Gamma', 'beta', 'Émile', 'Alfa']],
    [{ Sorting: 'RelationGUID', SortDir: 'DESC' }, ['Gamma', 'beta', 'Émile', 'Alfa']],
    [{ Sorting: 'RelationName', SortDir: 'ASC' }, ['Alfa', 'beta', 'Gamma', 'Émile']],
    [{ Sorting: 'relationname' }, ['Émile', 'Gamma', 'beta', 'Alfa']],
    // Equal ones by RelationGUID, in the same direction.
    [{ Sorting: 'createdDate', SortDir: 'ASC' }, ['beta', 'Émile', 'Gamma', 'Alfa']],
    [{ Sorting: 'CreatedDate', SortDir: 'DESC' }, ['Alfa', 'Gamma', 'Émile', 'beta']],
    [{ Sorting: 'ChangedDate', SortDir: 'ASC' }, ['Gamma', 'Alfa', 'Émile', 'beta']],
    [{ Sorting: 'ChangedDate' }, ['beta', 'Émile', 'Alfa', 'Gamma']],
  ])('%j returns %j', async (parameters, expected) => {
    expect(await names(filled, parameters)).toEqual(expected);
  });

  it.each([
    ['CustomerNumber', 'ASC', ['beta', 'Alfa']],
    ['CustomerNumber', 'DESC', ['Alfa', 'beta']],
    ['SupplierNumber', 'ASC', ['Gamma', 'Émile']],
    ['SupplierNumber', 'DESC', ['Émile', 'Gamma']],
  ])('by %s %s returns relations without a number first', async (Sorting, SortDir, numbered) => {
    const sorted = await names(filled, { Sorting, SortDir });
    expect(sorted.slice(2)).toEqual(numbered);
    expect(sorted).toHaveLength(4);
    expect(await names(filled, { Sorting, SortDir })).toEqual(sorted);
  });
});

describe('paging', () => {
  let filled: TestAdministration;
  const total = 205;

  beforeAll(async () => {
    filled = await app.addAdministration();
    // Many equal values: only the second part of the order distinguishes the pages.
    for (let index = 0; index < total; index++) {
      await filled.addRelation({ name: `R${index % 3}`, createdOn: index % 4 });
    }
  });

  it('returns at most 200 relations, for any limit', async () => {
    expect(await names(filled, {})).toHaveLength(200);
    for (const Limit of [201, 1000, '9999999999', '1e30']) expect(await names(filled, { Limit })).toHaveLength(200);
    expect(await names(filled, { Limit: 200, Offset: 200 })).toHaveLength(5);
    expect(await names(filled, { Limit: 3 })).toHaveLength(3);
    expect(await names(filled, { Offset: total })).toEqual([]);
  });

  it.each(['RelationGUID', 'CreatedDate', 'ChangedDate', 'RelationName', 'CustomerNumber', 'SupplierNumber'])(
    'by %s gives every relation exactly once',
    async (Sorting) => {
      const guids: string[] = [];
      for (let Offset = 0; ; Offset += 40) {
        const page = await filled.client.listrelations({ Sorting, Limit: 40, Offset });
        if (page.length === 0) break;
        guids.push(...page.map(({ RelationGUID }) => RelationGUID!));
      }
      expect(guids).toHaveLength(total);
      expect(new Set(guids).size).toBe(total);
    },
  );
});
