import { expect, test } from 'vitest';
import { importInto, problemsOf } from '../../../../testing/builtin/imports.ts';
import type { resources } from './resources.ts';

/** A file of a Dutch program for each resource, and the columns of its headings. */
const dutchFiles = {
  accounts: `
    Grootboekrekening | Omschrijving | Boekjaar | Soort               | D/C
    0199              | Grond        | 2026     | Balans              | D
    9910              | Omzet        | 2026     | W&V                 | C
    9911              | Kosten       | 2026     | Winst en verlies    | Debet
    9912              | Rente        | 2026     | Verlies- en winst   | Credit`,
  'tax-codes': `
    Naam | BTW-percentage | Soort   | BTW-code | Vrijgesteld
    Hoog | 21%            | Verkoop | 1        | nee
    Hoog | 21             | Inkoop  | 2        | N`,
  'vat-rules': `
    Soort   | BTW-code   | Document | BaseBoxes | OwedBoxes
    Verkoop | 21% - Hoog | any      | 1c        | 1c`,
  'cost-centers': `
    Kostenplaats
    Winkel`,
  'order-statuses': `
    Status
    Wacht`,
  'product-categories': `
    Artikelgroep
    Bollen`,
  relations: `
    Naam   | Postcode | Plaats | Land | E-mailadres | Rekeningnummer     | BTW-nummer     | Klantnummer | Achternaam | IsCustomer
    Jansen | 1234 AB  | Gouda  | NL   | a@b.nl      | NL91ABNA0417164300 | NL001234567B01 | 10          | Dijk       | ja`,
  products: `
    Artikelcode | Omschrijving | Verkoopprijs | BTW | Voorraad | Vervallen
    00415       | Tulp rood    | 2.95         | 21  | 12       | nee`,
  projects: `
    Projectnummer | Projectnaam | Omschrijving
    501           | Tuin        | Aanleg`,
  'material-bookings': `
    Project | Artikelnummer | Aantal | Boekdatum  | Magazijn
    501     | 00415         | 2      | 31-03-2026 | Hoofd`,
  orders: `
    Bestelnummer | Besteldatum | Klantnummer | Artikelnummer | Aantal | Stuksprijs | BTW | Kenmerk
    5001         | 01-03-2026  | 10          | 00415         | 1      | 2.95       | 21  | Voorjaar`,
  invoices: `
    Factuurnummer | Factuurdatum | Vervaldatum | Klantnummer | Artikelnummer | Aantal | Stuksprijs | Omschrijving | Betaald
    2026001       | 15-03-2026   | 14-04-2026  | 10          | 00415         | 2      | 2.95       | Tulpen       | Ja`,
  'purchase-invoices': `
    Factuurnummer | Factuurdatum | Crediteur | Bedrag incl. BTW | BTW % | Grootboekrekening | Betaald
    77            | 15-03-2026   | Kweker    | 121.00           | 21    | 7000              | nee`,
} as const satisfies Record<keyof typeof resources, string>;

test('every resource recognises Dutch headings and words', async () => {
  const { load, db } = await importInto();
  await load('relations', 'Name | SupplierNumber\nKweker | 5');
  for (const [resource, text] of Object.entries(dutchFiles)) {
    const rows = text.trim().split('\n').length - 1;
    const result = await load(resource as keyof typeof resources, text);
    const unknown = result.warnings.filter((warning) => warning.includes('not known'));
    expect({ resource, problems: problemsOf(result), unknown, ...result.counts }).toEqual({
      resource,
      problems: [],
      unknown: [],
      added: rows,
      changed: 0,
      unchanged: 0,
    });
  }
  const accounts = await db
    .selectFrom('ledger_account')
    .where('number', 'in', ['0199', '9910', '9911', '9912'])
    .where('name', 'in', ['Grond', 'Omzet', 'Kosten', 'Rente'])
    .orderBy('number')
    .select(['name', 'ledger_type', 'debet_or_credit'])
    .execute();
  expect(accounts).toEqual([
    { name: 'Grond', ledger_type: 'BalanceSheet', debet_or_credit: 'debet' },
    { name: 'Omzet', ledger_type: 'IncomeStatement', debet_or_credit: 'credit' },
    { name: 'Kosten', ledger_type: 'IncomeStatement', debet_or_credit: 'debet' },
    { name: 'Rente', ledger_type: 'IncomeStatement', debet_or_credit: 'credit' },
  ]);
  const relation = await db.selectFrom('relation').where('name', '=', 'Jansen').selectAll().executeTakeFirstOrThrow();
  expect(relation).toMatchObject({ postal_code: '1234 AB', city: 'Gouda', email: 'a@b.nl', is_customer: 1n });
  const account = await db.selectFrom('relation_bank_account').select('iban').execute();
  expect(account).toEqual([{ iban: 'NL91ABNA0417164300' }]);
  const product = await db.selectFrom('product').selectAll().executeTakeFirstOrThrow();
  expect(product).toMatchObject({ name: 'Tulp rood', price: 295_000_000n, archived: 0n });
  expect(await db.selectFrom('project').select(['name', 'description']).execute()).toEqual([
    { name: 'Tuin', description: 'Aanleg' },
  ]);
});

test('a country is known by its code, and by its name in Dutch or English', async () => {
  const { load, db } = await importInto();
  const names = ['NL', 'Nederland', 'BELGIË', 'duitsland', 'Verenigd Koninkrijk', 'United States', 'Belgie'];
  const result = await load('relations', ['Naam | Land', ...names.map((name) => `${name} | ${name}`)].join('\n'));
  expect(problemsOf(result)).toEqual([]);
  const relations = await db.selectFrom('relation').orderBy('id').select('country_code').execute();
  expect(relations.map((relation) => relation.country_code)).toEqual(['NL', 'NL', 'BE', 'DE', 'GB', 'US', 'BE']);
  expect(problemsOf(await load('relations', 'Naam | Land\nx | Luilekkerland'))).toEqual([
    '2 Address_CountryCode: expected a country code of two letters, got "Luilekkerland"',
  ]);
});

test('an import reports which headings it recognised', async () => {
  const { load } = await importInto();
  const { warnings } = await load('cost-centers', 'KOSTENPLAATS | Kleur\nWinkel | rood');
  expect(warnings).toEqual([
    'These columns were recognised: KOSTENPLAATS as Name',
    'These columns are unknown and were not imported: Kleur',
  ]);
});

test('a Dutch heading never replaces a column name or a mapped heading', async () => {
  const { load, db } = await importInto();
  const result = await load('products', 'ArticleNumber | Naam | Name | Omschrijving | Kort\n1 | a | b | c | d', {
    columns: new Map([['Description', 'Kort']]),
  });
  expect(problemsOf(result)).toEqual([]);
  expect(result.warnings).toEqual(['These columns are unknown and were not imported: Naam, Omschrijving']);
  expect(await db.selectFrom('product').select(['name', 'description']).execute()).toEqual([
    { name: 'b', description: 'd' },
  ]);
});

test('unknown headings get one piece of advice: which columns they may be', async () => {
  const { load } = await importInto();
  const result = await load('accounts', 'Rekeningnmr | Naam kort | Jr | Vlag\n0100 | Grond | 2026 | x');
  expect(problemsOf(result)).toEqual([
    '1 expected the columns Number, Name, FiscalYear, LedgerType, and DebetOrCredit, which the file does not have. ' +
      'Its headings "Rekeningnmr", "Naam kort", "Jr", and "Vlag" are not known here. ' +
      'Say which are meant: --columns "Number=Rekeningnmr,Name=Naam kort,FiscalYear=Jr,LedgerType=...,DebetOrCredit=...", ' +
      'or give every row one value: --set "LedgerType=..."',
  ]);
});

test('a list of accounts as Dutch programs write it lacks the year only', async () => {
  const { load } = await importInto();
  const result = await load('accounts', 'Nummer | Omschrijving | Balans of W&V | D/C\n4999 | Kosten | W&V | D');
  expect(problemsOf(result)).toEqual([
    '1 expected the column FiscalYear, which the file does not have. ' +
      'Add it, or give every row one value: --set "FiscalYear=..."',
  ]);
});

test('headings cannot be given to a column that does not exist', async () => {
  const { load } = await importInto();
  const options = { columns: new Map([['Nmae', 'Omschrijving']]) };
  const result = await load('products', 'ArticleNumber | Name | Omschrijving\n1 | a | b', options);
  expect(problemsOf(result)).toEqual(['1 Nmae: is "Omschrijving" in the file, but there is no such column']);
});

test('replaced words and constants are checked before any row', async () => {
  const { load } = await importInto();
  const result = await load('accounts', 'Number | Name | Kind | DebetOrCredit\n0100 | Grond | Bal | D', {
    columns: new Map([['LedgerType', 'Kind']]),
    values: new Map([['LedgerType', new Map([['Bal', 'Balance']])]]),
    constants: new Map([['FiscalYear', '26']]),
  });
  expect(problemsOf(result)).toEqual([
    '1 FiscalYear: is set to one value: expected at least 1900, got 26',
    '1 LedgerType: the replacement of "Bal": expected BalanceSheet or IncomeStatement, got "Balance"',
  ]);
});
