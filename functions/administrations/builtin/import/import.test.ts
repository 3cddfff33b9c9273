import { describe, expect, test } from 'vitest';
import { importInto, NOW, told } from '../../../../testing/builtin/imports.ts';
import { checkAdministration } from '../check/check.ts';
import { nextNumber } from '../documents/numbering.ts';
import { importRows } from './importRows.ts';
import { resources } from './resources.ts';

const words = (pairs: Record<string, string>) => new Map(Object.entries(pairs));

describe('an import of ledger accounts', () => {
  test('keeps numbers as text, leading zeros and all', async () => {
    const { db, load } = await importInto();
    const result = await load(
      'accounts',
      `
      Number | Name         | FiscalYear | LedgerType      | DebetOrCredit
      00010  | =1+1         | 2027       | BalanceSheet    | debet
      0010   | Goodwill     | 2027       | balancesheet    | Credit
      8000   | Omzet "hoog" | 2027       | IncomeStatement | credit`,
    );
    expect(result).toMatchObject({ problems: [], counts: { added: 3, changed: 0, unchanged: 0 } });
    const rows = await db
      .selectFrom('ledger_account')
      .where('fiscal_year', '=', 2027n)
      .orderBy('number')
      .select(['number', 'name', 'ledger_type', 'debet_or_credit'])
      .execute();
    expect(rows).toEqual([
      { number: '00010', name: '=1+1', ledger_type: 'BalanceSheet', debet_or_credit: 'debet' },
      { number: '0010', name: 'Goodwill', ledger_type: 'BalanceSheet', debet_or_credit: 'credit' },
      { number: '8000', name: 'Omzet "hoog"', ledger_type: 'IncomeStatement', debet_or_credit: 'credit' },
    ]);
  });

  test('changes accounts that exist in that year, and says how many', async () => {
    const { db, load } = await importInto();
    const table = (name: string) => `
      Number | Name     | FiscalYear | LedgerType   | DebetOrCredit
      1000   | Kas      | 2026       | BalanceSheet | debet
      1010   | ${name}  | 2026       | BalanceSheet | debet
      1010   | ${name}  | 2025       | BalanceSheet | debet`;
    expect((await load('accounts', table('Kas Utrecht'))).counts).toEqual({ added: 1, changed: 1, unchanged: 1 });
    expect((await load('accounts', table('Kas Utrecht'))).counts).toEqual({ added: 0, changed: 0, unchanged: 3 });
    const names = await db
      .selectFrom('ledger_account')
      .where('number', '=', '1010')
      .select(['fiscal_year', 'name'])
      .execute();
    expect(names).toHaveLength(2);
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(['Kas Utrecht']));
  });

  test('with anything wrong stores nothing, and tells all that is wrong', async () => {
    const { db, load } = await importInto();
    const before = await db
      .selectFrom('ledger_account')
      .select((eb) => eb.fn.countAll().as('n'))
      .execute();
    const result = await load(
      'accounts',
      `
      Number | Name | FiscalYear | LedgerType   | DebetOrCredit | Countrycode
      9000   | Goed | 2026       | BalanceSheet | debet         | NL
             | Kas  | 2026       | BalanceSheet | debet         |
      9001   |      | 26         | Beide        | X             |
      9000   | Weer | 2026       | BalanceSheet | debet         | BE
      9002   | Kort | 2026`,
    );
    expect(told(result)).toEqual([
      '3 Number: is required, got an empty cell',
      '4 Name: is required, got an empty cell',
      '4 FiscalYear: expected at least 1900, got 26',
      '4 LedgerType: expected BalanceSheet or IncomeStatement, got "Beide"',
      '4 DebetOrCredit: expected debet or credit, got "X"',
      '5 Countrycode: expected NL, as the administration, got BE',
      '5 Number: expected account 9000 of 2026 once, but it stands on line 2 as well',
      '6 expected 6 cells, as the heading has, got 3',
    ]);
    expect(result.problems.every(({ file }) => file === 'given.csv')).toBe(true);
    expect(
      await db
        .selectFrom('ledger_account')
        .select((eb) => eb.fn.countAll().as('n'))
        .execute(),
    ).toEqual(before);
  });

  test('takes foreign headings and words, one value for every row, and some rows only', async () => {
    const { db, load } = await importInto();
    const result = await load(
      'accounts',
      `
      Rekening | Omschrijving | Soort  | D/C | Niveau | Notitie
      01       | Groep        | Balans | D   | 1      | x
      0101     | Grond        | Balans | D   | 4      | x
      4101     | Huur         | W&V    | D   | 5      | x`,
      {
        columns: words({ Number: 'Rekening', Name: 'Omschrijving', LedgerType: 'Soort', DebetOrCredit: 'D/C' }),
        constants: words({ FiscalYear: '2030' }),
        values: new Map([
          ['LedgerType', words({ Balans: 'BalanceSheet', 'W&V': 'IncomeStatement' })],
          ['DebetOrCredit', words({ D: 'debet', C: 'credit' })],
        ]),
        only: new Map([['Niveau', new Set(['4', '5'])]]),
      },
    );
    expect(result).toMatchObject({ problems: [], leftOut: 1, counts: { added: 2 } });
    expect(result.warnings).toEqual(['These columns are not known here and were not imported: Notitie']);
    const rows = await db.selectFrom('ledger_account').where('fiscal_year', '=', 2030n).select('number').execute();
    expect(rows.map(({ number }) => number).sort()).toEqual(['0101', '4101']);
  });

  test('with headings that cannot be meant is refused before its rows are', async () => {
    const { load } = await importInto();
    const result = await load('accounts', 'Number | Name | Name | FiscalYear\n1 | x | y | 2026', {
      columns: words({ LedgerType: 'Soort' }),
      constants: words({ FiscalYear: '2026', Colour: 'red' }),
      values: new Map([['Kind', words({ a: 'b' })]]),
      only: new Map([['Niveau', new Set(['4'])]]),
    });
    expect(told(result)).toEqual([
      '1 LedgerType: expected a column with the heading "Soort"',
      '1 Niveau: expected a column with this heading',
      '1 Name: expected this column once',
      '1 FiscalYear: is set to one value, but the file has this column',
      '1 Colour: is set to one value, but there is no such column',
      '1 Kind: has words to be replaced, but there is no such column',
      '1 expected the columns LedgerType and DebetOrCredit, which the file does not have. Add them, or give every row one value: --set "LedgerType=..."',
    ]);
  });
});

test('a file with very many problems is not read to its end, and the last of them says so', async () => {
  const { db, administrationId } = await importInto();
  let read = 0;
  const rows = (async function* () {
    for (; read < 30_000; read++) yield { line: read + 2, cells: ['Winkel', 'too many'] };
  })();
  const result = await importRows(
    db,
    resources['cost-centers'],
    { file: 'given.csv', headings: ['Name'], headingLine: 1, rows },
    { administrationId, now: NOW },
  );
  expect(read).toBeLessThan(11_000);
  expect(told(result).slice(9999)).toEqual([
    '10001 expected 1 cells, as the heading has, got 2',
    '10001 the rest of the file was not read: it has 10000 problems up to here',
  ]);
});

describe('an import of tax codes', () => {
  test('makes the code of percentage and name, and knows the two sides apart', async () => {
    const { db, administrationId, load } = await importInto();
    const table = `
      TaxPc | Name       | TaxType  | TaxExempt | TaxCode
      21.0  | Bijzonder  | Sales    |           |
      21    | Bijzonder  | Purchase | false     |
      0     | Bijzonder  | Sales    | True      | VRIJ`;
    expect(await load('tax-codes', table)).toMatchObject({ problems: [], counts: { added: 3 } });
    expect(await load('tax-codes', table)).toMatchObject({ problems: [], counts: { added: 0, unchanged: 3 } });
    const rows = await db
      .selectFrom('tax_code')
      .where('administration_id', '=', administrationId)
      .where('name', '=', 'Bijzonder')
      .orderBy('id')
      .select(['code', 'tax_type', 'percentage', 'tax_exempt'])
      .execute();
    expect(rows).toEqual([
      { code: '21% - Bijzonder', tax_type: 'Sales', percentage: 2_100_000_000n, tax_exempt: 0n },
      { code: '21% - Bijzonder', tax_type: 'Purchase', percentage: 2_100_000_000n, tax_exempt: 0n },
      { code: 'VRIJ', tax_type: 'Sales', percentage: 0n, tax_exempt: 1n },
    ]);
  });

  test('refuses a percentage over a hundred, an exempt code with tax and a code that stands there twice', async () => {
    const { load } = await importInto();
    const result = await load(
      'tax-codes',
      `
      TaxPc | Name | TaxType | TaxExempt
      121   | A    | Sales   |
      9     | B    | Sales   | 1
      9     | B    | Sales   | 0`,
    );
    expect(told(result)).toEqual([
      '2 TaxPc: expected at most 100, got 121',
      '3 TaxPc: expected 0, as the code is exempt, got 9',
      '4 TaxCode: expected the Sales tax code "9% - B" once, but it stands on line 3 as well',
    ]);
  });
});

describe('an import of relations', () => {
  const relations = `
    RelationGUID        | Name       | PrivateOrBusiness | CustomerNumber | SupplierNumber | IsOther | Email     | TaxIdentificationNumber | Contact_LastName | Contact_Sex | Contact2_LastName | Contact2_DefaultContact | BankAccount_IBAN      | BankAccount2_IBAN | Custom: Limiet (Decimal) | Custom: Sinds (Date, Supplier) | Custom: Opmerking
    9007199254740993    | Één B.V.   |                   | 12             |                |         | a@x.nl    | NL001234567B01          | Jansen           | Vrouw       | de Vries          | true                    | nl91 abna 0417 1643 00 | NL00X             | 1250.50                  |                                | a (b)
                        | Tuin & Zn. | BusinessRelation  |                | 40             |         |           |                         |                  |             |                   |                         |                       |                   |                          | 2019-05-01                     |
                        | Piet       | PrivateRelation   |                |                |         |           |                         |                  |             |                   |                         |                       |                   |                          |                                |`;

  test('stores them with contacts, bank accounts and custom fields', async () => {
    const { db, load } = await importInto();
    expect(told(await load('relations', relations))).toEqual([]);
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

  test('changes those that exist, in the columns the file has, and leaves the others alone', async () => {
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

  test('of the same file again changes nothing', async () => {
    const { load } = await importInto();
    await load('relations', relations.split('\n').slice(0, 4).join('\n'));
    expect((await load('relations', relations.split('\n').slice(0, 4).join('\n'))).counts).toEqual({
      added: 0,
      changed: 0,
      unchanged: 2,
    });
  });

  test('refuses numbers that stand there twice, are another’s, or contradict the row', async () => {
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
    expect(told(result)).toEqual([
      '2 SupplierNumber: expected a number no other relation has; Bb has 7',
      '3 Contact_Sex: expected Man or Vrouw, got "M"',
      '3 Custom: Tel (Integer): expected a whole number, got "1.5"',
      '4 CustomerNumber: expected customer number 5 once, but it stands on line 3 as well',
      '5 IsCustomer: expected true, as the row has a CustomerNumber',
      '6 CustomerNumber: expected a whole number, got "x"',
    ]);
  });

  test('leaves numbers for the relations that follow', async () => {
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
    expect(told(result)).toEqual([
      '2 RelationGUID: expected a number of at most 18 digits, got 9223372036854775807',
      '3 RelationGUID: expected a number of at most 18 digits, got 1000000000000000000',
      '4 CustomerNumber: expected at most 2147000000, got 2147483647',
      '5 SupplierNumber: expected at most 2147000000, got 2147000001',
    ]);
    const highest = 'RelationGUID | Name | CustomerNumber\n999999999999999999 | Aa | 2147000000';
    expect(told(await load('relations', highest))).toEqual([]);
    expect(told(await load('relations', 'Name | IsCustomer\nBb | true'))).toEqual([]);
  });

  test('reports a custom field that has two headings', async () => {
    const { load } = await importInto();
    const again = (label: string) =>
      `Custom: ${label} (TextSmall): expected a custom field once, but "Custom: ${label}" is the same one`;
    for (const _ of ['a new field', 'one there is']) {
      const relations = await load('relations', 'Name | Custom: A | Custom: A (TextSmall)\nAa | x | y');
      expect(told(relations)).toEqual([`1 ${again('A')}`]);
      const products = await load(
        'products',
        'ArticleNumber | Name | Custom: A | Custom: A (TextSmall)\n1 | Aa | x | y',
      );
      expect(told(products)).toEqual([`1 ${again('A')}`]);
      expect(told(await load('relations', 'Name | Custom: A (TextSmall)\nAa | x'))).toEqual([]);
      expect(told(await load('products', 'ArticleNumber | Name | Custom: A (TextSmall)\n1 | Aa | x'))).toEqual([]);
    }
  });
});

describe('an import of products', () => {
  test('makes categories, finds tax codes and puts stock in one mutation', async () => {
    const { db, load } = await importInto();
    const result = await load(
      'products',
      `
      ArticleNumber | Name    | EAN           | Category | StockQty | PurchasePrice | Price  | VATPercentage | TaxCodePurchase   | Archived | Custom: Kleur (List)
      007           | Roos    | 4006381333931 | Bloemen  | 12,5     | 0,40          | 1.234,50 | 9           | 9% - Inkoop laag  | nee      | rood
      1-2           | Tulp    |               | bloemen  |          |               | 0,35   |               |                   |          |`,
      { decimalComma: true, values: new Map([['Archived', words({ nee: 'false', ja: 'true' })]]) },
    );
    expect(told(result)).toEqual([]);
    const rows = await db
      .selectFrom('product')
      .leftJoin('tax_code as sales', 'sales.id', 'sales_tax_code_id')
      .leftJoin('tax_code as purchase', 'purchase.id', 'purchase_tax_code_id')
      .leftJoin('product_category', 'product_category.id', 'category_id')
      .orderBy('product.id')
      .select([
        'article_number',
        'ean',
        'stock',
        'price',
        'product_category.name as category',
        'sales.code as sales',
        'purchase.code as purchase',
      ])
      .execute();
    expect(rows).toEqual([
      {
        article_number: '007',
        ean: '4006381333931',
        stock: 1_250_000_000n,
        price: 123_450_000_000n,
        category: 'Bloemen',
        sales: '9% - Laag',
        purchase: '9% - Inkoop laag',
      },
      {
        article_number: '1-2',
        ean: '',
        stock: 0n,
        price: 35_000_000n,
        category: 'Bloemen',
        sales: null,
        purchase: null,
      },
    ]);
    const mutations = await db.selectFrom('stock_mutation').select(['quantity', 'cause', 'purchase_price']).execute();
    expect(mutations).toEqual([{ quantity: 1_250_000_000n, cause: 'import', purchase_price: 40_000_000n }]);
  });

  test('again sets the stock by the difference, and leaves what the file lacks', async () => {
    const { db, load } = await importInto();
    await load('products', 'ArticleNumber | Name | StockQty | Price\nA | Roos | 10 | 2\nB | Tulp | 5 | 1');
    const again = await load('products', 'ArticleNumber | Name | StockQty\nA | Roos | 4\nB | Tulp |');
    expect(again.counts).toEqual({ added: 0, changed: 1, unchanged: 1 });
    const rows = await db
      .selectFrom('product')
      .innerJoin('stock_mutation', 'product_id', 'product.id')
      .orderBy('stock_mutation.id')
      .select(['article_number', 'stock', 'price', 'quantity'])
      .execute();
    expect(rows).toEqual([
      { article_number: 'A', stock: 400_000_000n, price: 200_000_000n, quantity: 1_000_000_000n },
      { article_number: 'B', stock: 500_000_000n, price: 100_000_000n, quantity: 500_000_000n },
      { article_number: 'A', stock: 400_000_000n, price: 200_000_000n, quantity: -600_000_000n },
    ]);
  });

  test('refuses what is not exact, not there or not one', async () => {
    const { load } = await importInto();
    await load('products', 'ArticleNumber | Name | EAN\nOLD | Oud | 111');
    const result = await load(
      'products',
      `
      ArticleNumber | Name | EAN | Price       | TaxCode           | VATPercentage | Description
      A             | x    | 111 | 1,50        |                   |               |
      A             | y    |     | 1.123456789012345 | 21% - Inkoop hoog |               |
      B             | z    | 222 | 1           | 21% - Hoog        | 9             |
      C             | z    | 222 | 1           |                   | 19            | ${'x'.repeat(401)}`,
    );
    expect(told(result)).toEqual([
      '2 Price: expected a decimal number such as 12.50, got "1,50"',
      '2 EAN: expected an EAN no other product has; article OLD has 111',
      '3 ArticleNumber: expected article number A once, but it stands on line 2 as well',
      '3 TaxCode: expected a Sales tax code of this administration, got "21% - Inkoop hoog", which is a Purchase code',
      '4 VATPercentage: expected the percentage of "21% - Hoog", got 9',
      '5 Description: expected at most 400 characters, got 401',
      '5 EAN: expected EAN 222 once, but it stands on line 4 as well',
      '5 VATPercentage: expected the percentage of a Sales tax code, got 19',
    ]);
  });

  test('with decimal commas refuses points that part no thousands', async () => {
    const { load } = await importInto();
    const result = await load('products', 'ArticleNumber | Name | Price\nA | x | 1.50', { decimalComma: true });
    expect(told(result)).toEqual(['2 Price: expected a decimal number such as 1.234,50, got "1.50"']);
  });
});

describe('an import of invoices', () => {
  const books = async (country: 'NL' | 'BE' = 'NL') => {
    const into = await importInto(country);
    const relations = await into.load(
      'relations',
      `
      CustomerNumber | SupplierNumber | Name   | Email    | Address_Street | Address_CountryCode | Contact_LastName | Contact_Preposition
      1              |                | Bakker | B@x.nl   | Dorpsstraat    | NL                  | Bakker           | de
      2              |                | Peeters |         |                | BE                  |                  |
                     | 9              | Kweker | k@x.nl   |                | NL                  |                  |`,
    );
    const [normal, reduced] = country === 'NL' ? ['21', '9'] : ['21', '6'];
    const products = await into.load(
      'products',
      `
      ArticleNumber | Name | EAN | Price | VATPercentage | StockQty
      R1            | Roos | 99  | 1     | ${normal}     | 50
      R2            | Tulp |     | 1     | ${reduced}    |
      R3            | Gras |     | 1     |               |`,
    );
    expect([...told(relations), ...told(products)]).toEqual([]);
    return into;
  };

  test('stores them with totals by tax code, and leaves the stock as it is', async () => {
    const { db, administrationId, load } = await books();
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceDate         | InvoiceDueDays | CustomerName | InvoiceReference | ProductNumber | Quantity | UnitPriceExclTax | SubTotalInclTax | TaxCode | DiscountPc | IsTextLine | Description | LedgerAccountNumber | InvoiceOutstandingAmount
      7001          | 31-12-2026          | 30             | BAKKER       | Ref 1            | R1            | 5        | 0.50             |                 |         |            |            |             | 8010                | 1.10
      7001          |                     |                |              |                  |               |          |                  |                 |         |            | true       | = tekst     |                     |
      7001          |                     |                |              | Ref 1            | R1            | 2        |                  | 43.06           |         |            |            | Speciaal    |                     |
      7002          | 2026-12-31T10:00:00 |                | bakker       |                  | R2            | -4       | 10               |                 | 0% - Binnenland nultarief | 25  |            |             |                     |`,
    );
    expect(told(result)).toEqual([]);
    expect(result.counts).toEqual({ added: 2, changed: 0, unchanged: 0 });
    const invoices = await db.selectFrom('sales_invoice').orderBy('number').selectAll().execute();
    // 5 x 0.50 = 2.50 and 21% = 0.53 (0.525 rounded up); 43.06 with tax is 35.59 + 7.47.
    expect(invoices).toMatchObject([
      {
        number: 7001n,
        module: 'INVOICING',
        date: '2026-12-31',
        due_date: '2027-01-30',
        reference: 'Ref 1',
        customer_number: 1n,
        customer_name: 'Bakker',
        total_excl: 3809n,
        total_tax: 800n,
        total_incl: 4609n,
        outstanding: 110n,
        ogm: '',
      },
      { number: 7002n, due_date: null, total_excl: -3000n, total_tax: 0n, total_incl: -3000n, outstanding: -3000n },
    ]);
    const lines = await db
      .selectFrom('sales_invoice_line')
      .where('sales_invoice_id', '=', invoices[0]!.id)
      .orderBy('position')
      .selectAll()
      .execute();
    expect(lines).toMatchObject([
      {
        product_number: 'R1',
        product_ean: '99',
        description: 'Roos',
        ledger_account_number: '8010',
        tax_code: '21% - Hoog',
      },
      { is_text: 1n, description: '= tekst', product_id: null, subtotal_incl: 0n },
      { description: 'Speciaal', ledger_account_number: '8000', subtotal_incl: 4306n, subtotal_excl: 3559n },
    ]);
    const addresses = await db
      .selectFrom('sales_invoice_address')
      .where('sales_invoice_id', '=', invoices[0]!.id)
      .select(['address_type', 'street'])
      .execute();
    expect(addresses).toEqual([
      { address_type: 'BillingAddress', street: 'Dorpsstraat' },
      { address_type: 'ShippingAddress', street: 'Dorpsstraat' },
    ]);
    const contacts = await db.selectFrom('sales_invoice_contact').selectAll().execute();
    expect(contacts).toMatchObject([{ last_name: 'de Bakker' }, { last_name: 'de Bakker' }]);
    const stock = await db.selectFrom('product').where('article_number', '=', 'R1').select('stock').execute();
    expect(stock).toEqual([{ stock: 5_000_000_000n }]);
    const counter = await db.selectFrom('counter').where('name', '=', 'sales_invoice').select('value').execute();
    expect(counter).toEqual([{ value: 7002n }]);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
  });

  test('takes invoices of the bookkeeping module, drafts, paid ones, and Belgian remittance', async () => {
    const { db, load } = await books('BE');
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceType | AddAsDraft | InvoiceDate | CustomerNumber | CustomerEmail | SubTotalInclTax | TaxPc | ProductEAN | Quantity | OGM_Belgium         | Paid
      1             | BOOKKEEPING |            | 01-02-2026  | 2              |               | 121             | 21    |            |          |                     | true
      108068171     | invoicing   | true       | 01-02-2026  | 2              |               | 121             | -1    | 99         | 1        |                     |
      3             |             |            | 01-02-2026  | 2              |               | 121             |       | 99         | 1        | +++000/0000/09797+++ |
      4             |             |            | 01-02-2026  |                | b@X.nl        | 121             |       | 99         | 1        |                     |`,
    );
    expect(told(result)).toEqual([]);
    const rows = await db
      .selectFrom('sales_invoice')
      .orderBy('id')
      .select(['module', 'is_draft', 'total_excl', 'outstanding', 'ogm', 'customer_number'])
      .execute();
    expect(rows).toEqual([
      { module: 'BOOKKEEPING', is_draft: 0n, total_excl: 10_000n, outstanding: 0n, ogm: '', customer_number: 2n },
      {
        module: 'INVOICING',
        is_draft: 1n,
        total_excl: 10_000n,
        outstanding: 12_100n,
        ogm: '+++010/8068/17183+++',
        customer_number: 2n,
      },
      {
        module: 'INVOICING',
        is_draft: 0n,
        total_excl: 10_000n,
        outstanding: 12_100n,
        ogm: '+++000/0000/09797+++',
        customer_number: 2n,
      },
      { module: 'INVOICING', is_draft: 0n, total_excl: 10_000n, outstanding: 12_100n, ogm: '', customer_number: 1n },
    ]);
  });

  test('tells everything that is wrong with any of them, by line and column', async () => {
    const { db, load } = await books();
    await load(
      'invoices',
      'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax\n5 | 01-01-2026 | 1 | R1 | 1 | 1',
    );
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceType | InvoiceDate | CustomerNumber | CustomerName | ProductNumber | Quantity | UnitPriceExclTax | TaxCode           | LedgerAccountNumber | OGM_Belgium          | ProjectNumber | DiscountPc | DiscountAmountInclTax | Paid | InvoiceOutstandingAmount
      C12           |             | 01-01-2026  | 77             |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      | 12.345
      5             |             | 30-02-2026  | 1              |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      |
      6             |             |             |                |              | NO            |          |                  |                   | 123                 |                      |               |            |                       |      |
      6             |             | 02-01-2026  |                |              |               | 1        | 1                |                   |                     |                      |               |            |                       |      |
      7             |             | 01-01-2026  |                | Kweker       | R3            | 1        | 1                |                   |                     |                      |               |            |                       |      |
      8             |             | 01-01-2026  | 1              |              | R1            | 1        | 1                | 21% - Inkoop hoog |                     | +++010/8068/17184+++ | 4             | 5          | 1                     | true | 3.000000000000004
      9             | BOOKKEEPING | 01-01-2026  | 1              |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      |
      10            |             | 01-01-2026  | 1              |              | R1            | 2        | 10               | 21% - Hoog        |                     |                      |               |            | 24.21                 |      |
      11            |             | 01-01-2026  | 1              |              | R1            | 2        | 10               | 21% - Hoog        |                     |                      |               |            | -1                    |      |
      6             |             | 01-01-2026  | 1              |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      |`,
    );
    expect(told(result).sort()).toEqual(
      [
        '2 InvoiceNumber: expected a whole number, got "C12"',
        '2 InvoiceOutstandingAmount: expected at most 2 decimals, got "12.345"',
        '2 CustomerNumber: expected the number of a customer, got 77',
        '3 InvoiceNumber: expected a number no other invoice has, got 5',
        '3 InvoiceDate: expected a date as dd-MM-yyyy or yyyy-MM-dd, got "30-02-2026"',
        '4 InvoiceDate: is required in the first row of an invoice',
        '4 CustomerNumber: is required, or CustomerName or CustomerEmail, to find the customer',
        '4 ProductNumber: expected the article number of a product, got NO',
        '4 Quantity: is required on a line that is not a text line',
        '4 UnitPriceExclTax: is required, or SubTotalInclTax, on a line that is not a text line',
        '4 LedgerAccountNumber: expected the number of a ledger account, got 123',
        '5 InvoiceDate: expected what the invoice’s first row has, "", or nothing, got "02-01-2026"',
        '5 ProductNumber: is required, or ProductEAN, on a line that is not a text line',
        '6 CustomerName: expected a customer, got Kweker',
        '6 TaxPc: is required, or TaxCode: article R3 has no tax',
        '7 TaxCode: expected a Sales tax code of this administration, got "21% - Inkoop hoog", which is a Purchase code',
        '7 OGM_Belgium: expected twelve digits whose last two are right, got "+++010/8068/17184+++"',
        '7 ProjectNumber: expected the number of a project, got 4',
        '7 DiscountAmountInclTax: expected either this or DiscountPc, not both',
        '7 Paid: expected either this or InvoiceOutstandingAmount, not both',
        '8 ProductNumber: expected nothing: lines of the bookkeeping module have no products',
        '8 TaxPc: is required, or TaxCode',
        '9 DiscountAmountInclTax: expected no more than the line, 24.2 with tax, got 24.21',
        '10 DiscountAmountInclTax: expected at least 0 on a line that is not negative, got -1',
        '11 InvoiceNumber: expected the rows of invoice 6 to follow each other; it began on line 4',
      ].sort(),
    );
    expect(await db.selectFrom('sales_invoice').select('number').execute()).toEqual([{ number: 5n }]);
  });

  test('takes an invoice of 75 lines and refuses one of 76, naming where it is too long', async () => {
    const { db, load } = await books();
    const row = (number: number) => `${number} | 01-01-2026 | 1 | R1 | 1 | 1`;
    const heading = 'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax';
    const long = await load('invoices', [heading, ...Array(3).fill(row(1)), ...Array(76).fill(row(2))].join('\n'));
    expect(told(long)).toEqual(['80 expected at most 75 lines; invoice 2 has 76, on lines 5 to 80']);
    expect(told(await load('invoices', [heading, ...Array(75).fill(row(2))].join('\n')))).toEqual([]);
    expect(await db.selectFrom('sales_invoice').select('total_excl').execute()).toEqual([{ total_excl: 7500n }]);
  });

  test('leaves numbers for the invoices that follow', async () => {
    const { db, administrationId, load } = await books();
    const table = (number: bigint) =>
      `InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax\n${number} | 15-03-2026 | 1 | R1 | 1 | 10`;
    expect(told(await load('invoices', table(9_223_372_036_854_775_807n)))).toEqual([
      '2 InvoiceNumber: expected a number of at most 18 digits, got 9223372036854775807',
    ]);
    expect(told(await load('invoices', table(999_999_999_999_999_999n)))).toEqual([]);
    expect(await nextNumber(db, administrationId, 'sales_invoice')).toBe(1_000_000_000_000_000_000n);
  });

  test('finds projects by numbers of up to 18 digits, and takes 0 for none', async () => {
    const { db, load } = await books();
    expect(told(await load('projects', 'Number | Name\n2147483648 | Hof\n999999999999999999 | Plein'))).toEqual([]);
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceDate | CustomerNumber | ProjectNumber      | ProductNumber | Quantity | UnitPriceExclTax
      1             | 15-03-2026  | 1              | 2147483648         | R1            | 1        | 10
      2             | 15-03-2026  | 1              | 999999999999999999 | R1            | 1        | 10
      3             | 15-03-2026  | 1              | 0                  | R1            | 1        | 10`,
    );
    expect(told(result)).toEqual([]);
    const found = await db
      .selectFrom('sales_invoice')
      .leftJoin('project', 'project.id', 'project_id')
      .orderBy('sales_invoice.number')
      .select('project.name')
      .execute();
    expect(found.map(({ name }) => name)).toEqual(['Hof', 'Plein', null]);
  });

  test('of many more rows than are stored at a time keeps every invoice whole', async () => {
    const { db, load } = await books();
    const heading = 'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax';
    const rows = Array.from(
      { length: 1470 },
      (_, index) => `${Math.floor(index / 7) + 1} | 01-01-2026 | 1 | R1 | 1 | 1`,
    );
    expect(told(await load('invoices', [heading, ...rows].join('\n')))).toEqual([]);
    const totals = await db.selectFrom('sales_invoice').select('total_excl').distinct().execute();
    expect(totals).toEqual([{ total_excl: 700n }]);
  });
});
