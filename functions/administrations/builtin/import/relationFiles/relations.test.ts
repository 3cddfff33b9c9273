import { describe, expect, test } from 'vitest';
import { importInto, problemsOf } from '../../../../../testing/builtin/imports.ts';

describe('an import of relations', () => {
  const relations = `
    RelationGUID        | Name       | PrivateOrBusiness | CustomerNumber | SupplierNumber | IsOther | Email     | TaxIdentificationNumber | Contact_LastName | Contact_Sex | Contact2_LastName | Contact2_DefaultContact | BankAccount_IBAN      | BankAccount2_IBAN | Custom: Limiet (Decimal) | Custom: Sinds (Date, Supplier) | Custom: Opmerking
    9007199254740993    | Één B.V.   |                   | 12             |                |         | a@x.nl    | NL001234567B01          | Jansen           | Vrouw       | de Vries          | true                    | nl91 abna 0417 1643 00 | NL00X             | 1250.50                  |                                | a (b)
                        | Tuin & Zn. | BusinessRelation  |                | 40             |         |           |                         |                  |             |                   |                         |                       |                   |                          | 2019-05-01                     |
                        | Piet       | PrivateRelation   |                |                |         |           |                         |                  |             |                   |                         |                       |                   |                          |                                |`;

  test('stores contacts, bank accounts and custom fields', async () => {
    const { db, load } = await importInto();
    expect(problemsOf(await load('relations', relations))).toEqual([]);
    const rows = await db.selectFrom('relation').orderBy('id').selectAll().execute();
    expect(rows).toMatchObject([
      {
        guid: 9_007_199_254_740_993n,
        name: 'Één B.V.',
        name_folded: 'één b.v.',
        is_business: 1n,
        is_customer: 1n,
        is_supplier: 0n,
        is_other: 0n,
        customer_number: 12n,
        supplier_number: null,
        vat_compared: '001234567',
        country_code: 'NL',
        created_on: 1_760_000_000n,
      },
      { guid: 9_007_199_254_740_994n, is_supplier: 1n, supplier_number: 40n, customer_number: null },
      { guid: 9_007_199_254_740_995n, is_business: 0n, is_other: 1n, customer_number: null },
    ]);
    const contacts = await db.selectFrom('relation_contact').orderBy('position').selectAll().execute();
    expect(contacts).toMatchObject([
      { relation_id: rows[0]!.id, last_name: 'Jansen', sex: 'Vrouw', is_default: 0n },
      { relation_id: rows[0]!.id, last_name: 'de Vries', sex: '', is_default: 1n },
    ]);
    const accounts = await db.selectFrom('relation_bank_account').orderBy('position').selectAll().execute();
    expect(accounts).toMatchObject([
      { iban: 'NL91ABNA0417164300', skip_iban_check: 0n },
      { iban: 'NL00X', skip_iban_check: 1n },
    ]);
    const fields = await db
      .selectFrom('relation_custom_field')
      .innerJoin('custom_field', 'custom_field.id', 'custom_field_id')
      .orderBy('label')
      .select(['label', 'field_type', 'type_of_relation', 'value'])
      .execute();
    expect(fields).toEqual([
      { label: 'Limiet', field_type: 'Decimal', type_of_relation: 'Customer', value: '1250.5' },
      { label: 'Opmerking', field_type: 'TextSmall', type_of_relation: 'Customer', value: 'a (b)' },
      { label: 'Sinds', field_type: 'Date', type_of_relation: 'Supplier', value: '2019-05-01' },
    ]);
  });

  test('changes existing relations in the columns of the file only', async () => {
    const { db, load } = await importInto();
    await load('relations', relations);
    const again = await load(
      'relations',
      `
      CustomerNumber | Name     | Email | Contact_LastName | Custom: Opmerking
      12             | Eén B.V. |       | Pietersen        |`,
    );
    expect(again).toMatchObject({ problems: [], counts: { added: 0, changed: 1, unchanged: 0 } });
    const row = await db
      .selectFrom('relation')
      .where('customer_number', '=', 12n)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      name: 'Eén B.V.',
      email: '',
      vat_number: 'NL001234567B01',
      guid: 9_007_199_254_740_993n,
    });
    const contacts = await db.selectFrom('relation_contact').select(['last_name', 'is_default']).execute();
    expect(contacts).toEqual([{ last_name: 'Pietersen', is_default: 1n }]);
    expect(await db.selectFrom('relation_bank_account').select('iban').execute()).toHaveLength(2);
    const fields = await db
      .selectFrom('relation_custom_field')
      .innerJoin('custom_field', 'custom_field.id', 'custom_field_id')
      .select('label')
      .execute();
    expect(fields.map(({ label }) => label).sort()).toEqual(['Limiet', 'Sinds']);
  });

  test('changes nothing when the same file is imported again', async () => {
    const { load } = await importInto();
    await load('relations', relations.split('\n').slice(0, 4).join('\n'));
    expect((await load('relations', relations.split('\n').slice(0, 4).join('\n'))).counts).toEqual({
      added: 0,
      changed: 0,
      unchanged: 2,
    });
  });
});

describe('an import of wrong relations', () => {
  test('warns of texts that are no e-mail addresses, of the first ten by name, and stores them', async () => {
    const { db, load } = await importInto();
    const { problems, warnings } = await load(
      'relations',
      `
      Name | Email         | Contact_Email | Contact2_Email | Custom: Uses Email
      A    | a@example.nl  | a@müller.nl   |                | ja
      B    | geen          | b@example.nl  | b@example      |
      ${Array.from({ length: 10 }, (_, index) => `C${index} | a;b@x.nl | | | `).join('\n')}`,
    );
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      `Expected e-mail addresses such as jan@example.com: rows.csv:3 Email "geen", rows.csv:3 Contact2_Email "b@example", ${Array.from({ length: 8 }, (_, index) => `rows.csv:${4 + index} Email "a;b@x.nl"`).join(', ')} and 2 more`,
    ]);
    expect(await db.selectFrom('relation').where('email', '=', 'geen').select('name').execute()).toEqual([
      { name: 'B' },
    ]);
  });

  test('refuses numbers that are repeated, taken, or contradict the row', async () => {
    const { load } = await importInto();
    await load('relations', 'CustomerNumber | SupplierNumber | Name\n1 | | Aa\n | 7 | Bb');
    const result = await load(
      'relations',
      `
      CustomerNumber | SupplierNumber | IsCustomer | Name | Contact_Sex | Custom: Tel (Integer)
      1              | 7              |            | Cc   |             |
      5              |                |            | Dd   | M           | 1.5
      5              |                |            | Ee   |             |
      6              |                | false      | Ff   |             | 2
      x              |                |            | Gg   |             |`,
    );
    expect(problemsOf(result)).toEqual([
      '2 SupplierNumber: expected a number no other relation has; Bb has 7',
      '3 Contact_Sex: expected Man or Vrouw, got "M"',
      '3 Custom: Tel (Integer): expected a whole number, got "1.5"',
      '4 CustomerNumber: expected customer number 5 once, but it stands on line 3 as well',
      '5 IsCustomer: expected true, as the row has a CustomerNumber',
      '6 CustomerNumber: expected a whole number, got "x"',
    ]);
  });

  test('gives those without a number one that no row of the file has', async () => {
    const { db, load } = await importInto();
    const headings = 'Name | IsCustomer | RelationGUID | CustomerNumber';
    const rows = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `R${from + index} | true | | ${from + index}`);
    expect(
      problemsOf(await load('relations', [headings, 'Aa | true | |', ...rows(1, 3), 'Bb | | 5 |'].join('\n'))),
    ).toEqual([]);
    const stored = await db.selectFrom('relation').orderBy('id').select(['name', 'guid', 'customer_number']).execute();
    expect(stored.map(({ customer_number }) => customer_number)).toEqual([4n, 1n, 2n, 3n, null]);
    expect(stored.map(({ guid }) => guid)).toEqual([6n, 7n, 8n, 9n, 5n]);
    // The rows of a long file are read in parts.
    const long = [headings, ...rows(11, 249), 'Cc | true | |', ...rows(5, 1), ...rows(261, 249), ...rows(510, 2)];
    expect(problemsOf(await load('relations', long.join('\n')))).toEqual([
      '502 CustomerNumber: expected customer number 510 once, but line 251, which has none, was given it: put the rows without numbers last',
    ]);
  });

  test('refuses numbers so high that none would be left', async () => {
    const { load } = await importInto();
    const result = await load(
      'relations',
      `
      RelationGUID        | Name | CustomerNumber | SupplierNumber
      9223372036854775807 | Aa   |                |
      1000000000000000000 | Bb   |                |
                          | Cc   | 2147483647     |
                          | Dd   |                | 2147000001`,
    );
    expect(problemsOf(result)).toEqual([
      '2 RelationGUID: expected a number of at most 18 digits, got 9223372036854775807',
      '3 RelationGUID: expected a number of at most 18 digits, got 1000000000000000000',
      '4 CustomerNumber: expected at most 2147000000, got 2147483647',
      '5 SupplierNumber: expected at most 2147000000, got 2147000001',
    ]);
    const highest = 'RelationGUID | Name | CustomerNumber\n999999999999999999 | Aa | 2147000000';
    expect(problemsOf(await load('relations', highest))).toEqual([]);
    expect(problemsOf(await load('relations', 'Name | IsCustomer\nBb | true'))).toEqual([]);
  });

  test('reports a custom field with two headings', async () => {
    const { load } = await importInto();
    const again = (label: string) =>
      `Custom: ${label} (TextSmall): expected a custom field once, but "Custom: ${label}" is the same one`;
    for (const _ of ['a new field', 'one there is']) {
      const relations = await load('relations', 'Name | Custom: A | Custom: A (TextSmall)\nAa | x | y');
      expect(problemsOf(relations)).toEqual([`1 ${again('A')}`]);
      const products = await load(
        'products',
        'ArticleNumber | Name | Custom: A | Custom: A (TextSmall)\n1 | Aa | x | y',
      );
      expect(problemsOf(products)).toEqual([`1 ${again('A')}`]);
      expect(problemsOf(await load('relations', 'Name | Custom: A (TextSmall)\nAa | x'))).toEqual([]);
      expect(problemsOf(await load('products', 'ArticleNumber | Name | Custom: A (TextSmall)\n1 | Aa | x'))).toEqual(
        [],
      );
    }
  });
});
