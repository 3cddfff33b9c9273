import { describe, expect, test } from 'vitest';
import { auditfile, auditfileImporter, lineOf } from '../../../../../testing/builtin/auditfiles.ts';
import { importInto } from '../../../../../testing/builtin/imports.ts';
import { fixturesOf } from '../../../../../testing/fixtures/fixtures.ts';

const load = auditfileImporter();

describe('customers and suppliers of an auditfile', () => {
  const party = (id: string, type: string, more = '') =>
    `\n<customerSupplier><custSupID>${id}</custSupID><custSupName>Naam ${id}</custSupName>${more}${type === '' ? '' : `<custSupTp>${type}</custSupTp>`}</customerSupplier>`;

  test('are numbered by an identification that is a number, and found again by any other', async () => {
    const parties = [
      party('ABC', 'C'),
      party('1', 'C'),
      party('007', 'S'),
      party('12', 'B'),
      party('13', 'O'),
      party('14', ''),
      party('12345678901234567', 'S'),
    ].join('');
    const into = await importInto();
    const { db, problems } = await load(auditfile({ parties }), into);
    expect(problems).toEqual([]);
    const relations = async () =>
      (await db.selectFrom('relation').orderBy('name').selectAll().execute()).map((row) => [
        row.name,
        row.customer_number,
        row.supplier_number,
        row.is_other,
      ]);
    const expected = [
      ['Naam 007', null, 7n, 0n],
      ['Naam 1', 1n, null, 0n],
      ['Naam 12', 12n, 12n, 0n],
      ['Naam 12345678901234567', null, 15n, 0n],
      ['Naam 13', null, null, 1n],
      ['Naam 14', 14n, 14n, 0n],
      ['Naam ABC', 15n, null, 0n],
    ];
    expect(await relations()).toEqual(expected);
    const ids = await db.selectFrom('relation_custom_field').orderBy('value').select('value').execute();
    expect(ids.map(({ value }) => value)).toEqual(['12345678901234567', '13', 'ABC']);
    const { result } = await load(auditfile({ parties }), into);
    expect(result.relations).toEqual({ added: 0, changed: 0, unchanged: 7 });
    expect(await relations()).toEqual(expected);
  });

  test('store an identification that is too high a number, or a number that another has too', async () => {
    const parties = ['20160000001', '201600000012345', '2147483647', '007', '7', '00012', '0012', '2147000000', '0034'];
    const into = await importInto();
    const content = auditfile({ parties: parties.map((id) => party(id, 'C')).join('') });
    const { db, problems } = await load(content, into);
    expect(problems).toEqual([]);
    const ids = await db.selectFrom('relation_custom_field').orderBy('value').select('value').execute();
    expect(ids.map(({ value }) => value)).toEqual([
      '00012',
      '0012',
      '007',
      '20160000001',
      '201600000012345',
      '2147483647',
    ]);
    const numbered = await db
      .selectFrom('relation')
      .where('name', 'in', ['Naam 7', 'Naam 2147000000', 'Naam 0034'])
      .orderBy('customer_number')
      .select(['name', 'customer_number'])
      .execute();
    expect(numbered).toEqual([
      { name: 'Naam 7', customer_number: 7n },
      { name: 'Naam 0034', customer_number: 34n },
      { name: 'Naam 2147000000', customer_number: 2_147_000_000n },
    ]);
    const { result } = await load(content, into);
    expect(result.relations).toEqual({ added: 0, changed: 0, unchanged: parties.length });
  });

  test('keep what they are here beside what the file says that they are, and their numbers', async () => {
    const into = await importInto();
    const fixtures = fixturesOf(into.db, into.administrationId);
    await fixtures.addRelation({ name: 'supplier since', customerNumber: 5, supplierNumber: 6 });
    await fixtures.addRelation({ name: 'no longer', customerNumber: 7 });
    await fixtures.addCustomField({ owner: 'relation', label: 'Auditfile ID', type: 'TextSmall' });
    await fixtures.addRelation({ name: 'other since', customerNumber: 8, customFields: { 'Auditfile ID': '9' } });
    const { problems } = await load(auditfile({ parties: party('5', 'C') + party('7', 'B') + party('9', 'O') }), into);
    expect(problems).toEqual([]);
    const relations = await into.db
      .selectFrom('relation')
      .orderBy('name')
      .select(['name', 'customer_number', 'supplier_number', 'is_customer', 'is_supplier', 'is_other'])
      .execute();
    expect(relations.map((relation) => Object.values(relation))).toEqual([
      ['Naam 5', 5n, 6n, 1n, 1n, 0n],
      ['Naam 7', 7n, 7n, 1n, 1n, 0n],
      ['Naam 9', 8n, null, 1n, 0n, 0n],
    ]);
  });

  test('have the first address that is not empty, and all their bank accounts', async () => {
    const more = `<streetAddress><country>BE</country></streetAddress>
<postalAddress><streetname>Kade</streetname><number>3</number><numberExtension>a</numberExtension><city>Gent</city><country>BE</country></postalAddress>
${['NL91ABNA0417164300', '', 'BE68539007547034'].map((iban) => `<bankAccount><bankAccNr>${iban}</bankAccNr></bankAccount>`).join('')}
<customerSupplierHistory><customerSupplier><custSupID>5</custSupID><custSupName>Vroeger</custSupName></customerSupplier></customerSupplierHistory>`;
    const { db, problems } = await load(auditfile({ parties: party('5', 'C', more) }));
    expect(problems).toEqual([]);
    const rows = await db.selectFrom('relation').selectAll().execute();
    expect(rows).toMatchObject([
      { name: 'Naam 5', street: 'Kade', unit: '3', unit_appendix: 'a', city: 'Gent', country_code: 'BE' },
    ]);
    const banks = await db.selectFrom('relation_bank_account').orderBy('position').select('iban').execute();
    expect(banks.map(({ iban }) => iban)).toEqual(['NL91ABNA0417164300', 'BE68539007547034']);
  });

  test('keep what is stored of a contact and a bank account that the file has, and get what is new', async () => {
    const into = await importInto();
    await fixturesOf(into.db, into.administrationId).addRelation({
      ...{ name: 'Vroeger', customerNumber: 5, row: { phone: '0182' } },
      contacts: [{ first_name: 'Jan', last_name: 'Smit', email: 'jan@example.com' }],
      bankAccounts: [{ iban: 'NL91ABNA0417164300', name: 'Jan Smit' }],
    });
    const banks = ['BE68539007547034', 'NL91ABNA0417164300'].map(
      (iban) => `<bankAccount><bankAccNr>${iban}</bankAccNr><bankIdCd>BIC${iban.slice(0, 2)}</bankIdCd></bankAccount>`,
    );
    const read = async (contact: string) => {
      const more = `<contact>${contact}</contact><eMail>post@example.com</eMail>${banks.join('')}`;
      expect((await load(auditfile({ parties: party('5', 'C', more) }), into)).problems).toEqual([]);
      const { db } = into;
      return [
        await db.selectFrom('relation').select(['name', 'email', 'phone']).execute(),
        await db.selectFrom('relation_contact').select(['first_name', 'last_name', 'email']).execute(),
        await db.selectFrom('relation_bank_account').orderBy('position').select(['iban', 'bic', 'name']).execute(),
      ];
    };
    const relation = [{ name: 'Naam 5', email: 'post@example.com', phone: '0182' }];
    const accounts = [
      { iban: 'BE68539007547034', bic: 'BICBE', name: '' },
      { iban: 'NL91ABNA0417164300', bic: 'BICNL', name: 'Jan Smit' },
    ];
    expect(await read('Jan Smit')).toEqual([
      relation,
      [{ first_name: 'Jan', last_name: 'Smit', email: 'jan@example.com' }],
      accounts,
    ]);
    expect(await read('Piet Vos')).toEqual([
      relation,
      [{ first_name: '', last_name: 'Piet Vos', email: '' }],
      accounts,
    ]);
  });

  test('are imported with a warning when an e-mail address is none', async () => {
    const parties = party('1', 'C', '<eMail>geen</eMail>') + party('2', 'C', '<eMail>jan@example.com</eMail>');
    const { result, problems } = await load(auditfile({ parties }), await importInto());
    expect(problems).toEqual([]);
    expect(result.warnings).toEqual([
      expect.stringMatching(/^Expected e-mail addresses such as jan@example.com: line \d+ eMail "geen"$/),
    ]);
  });

  test('are refused by line when they are repeated or have an unknown country', async () => {
    const parties = `${party('1', 'C')}${party('1', 'S')}${party('1', 'C', '<streetAddress><country>Luilekkerland</country></streetAddress>')}`;
    const content = auditfile({ parties });
    const { problems, db } = await load(content);
    const first = lineOf(content, '<custSupID>');
    expect(problems).toEqual([
      expect.stringContaining(`books.xaf:${first + 2} country: `),
      `books.xaf:${first + 2} custSupID: expected customer number 1 once, but it stands on line ${first} as well`,
    ]);
    expect(await db.selectFrom('relation').selectAll().execute()).toEqual([]);
  });
});
