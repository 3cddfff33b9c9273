import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { writeAuditfile } from '../../functions/administrations/builtin/auditfileExport/writeAuditfile.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import type { NewRow } from '../../functions/administrations/builtin/sql/schema.ts';
import { type AuditfileVersion, auditfileVersions } from '../../shared/resources/generalLedger/auditfileYear.ts';
import { importIntoShop } from '../builtin/imports.ts';
import { addBooks, type LedgerBooks } from '../builtin/ledgerBooks.ts';
import { realFile } from '../builtin/realData.ts';
import { fixturesOf } from '../fixtures/fixtures.ts';
import { brokenRules } from './checkerRules.ts';
import { readSchema, schemaProblems } from './schema.ts';
import { xmlTree } from './xmlTree.ts';

const schemas = Object.fromEntries(
  auditfileVersions.map((version) => {
    const xsd = realFile(`xaf/XmlAuditfileFinancieel${version}.xsd`);
    return [version, xsd.isThere ? readSchema(readFileSync(xsd.file, 'utf8')) : undefined];
  }),
);

export const administrationOf = (db: Database, id: bigint) =>
  db.selectFrom('administration').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

/** Gives an administration its VAT number and other columns. */
export const set = (db: Database, id: bigint, values: Partial<NewRow<'administration'>> = {}) =>
  db
    .updateTable('administration')
    .set({ vat_number: 'NL812345678B01', ...values })
    .where('id', '=', id)
    .execute();

/** Writes a year of an administration. */
export async function written(db: Database, id: bigint, year: number, version: AuditfileVersion = '4.0') {
  const pieces: string[] = [];
  const options = { year: String(year), version, today: '2027-01-31' };
  const contents = await writeAuditfile(db, await administrationOf(db, id), options, async (text) => {
    pieces.push(text);
  });
  return { contents, text: pieces.join('') };
}

/** Writes a year of an administration, and expects a file that its schema and the checker accept. */
export async function validFile(db: Database, id: bigint, year: number, version: AuditfileVersion = '4.0') {
  const { contents, text } = await written(db, id, year, version);
  const file = xmlTree(text);
  const schema = schemas[version];
  expect(schema === undefined ? [] : schemaProblems(schema, file)).toEqual([]);
  expect(brokenRules(file)).toEqual([]);
  return { contents, text, file };
}

/** The texts of some elements of a record; of those that it lacks, "". */
export const NASTY = 'A&B <c> "d" \'e\' ]]> \u0007 é 😀';
export const CLEAN = 'A&B <c> "d" \'e\' ]]> \ufffd é 😀';

/** Books with invoices, entries in every journal, relations of every kind, tax and an opening. */
export async function wholeBooks() {
  const { db, administrationId: id, load } = await importIntoShop();
  await set(db, id, { name: NASTY, company_number: '34565433', street: 'Kade', unit: '1', city: 'Amsterdam' });
  const fixtures = fixturesOf(db, id);
  const both = await fixtures.addRelation({ name: NASTY, customerNumber: 31, supplierNumber: 32 });
  await load(
    'invoices',
    `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode | Description
     1 | 15-01-2026 | 7 | BOOKKEEPING | 1210.00 | 21% - Hoog | Taart
     2 | 31-12-2026 | 9 | BOOKKEEPING | -121.00 | 21% - Hoog | Retour`,
  );
  await load(
    'purchase-invoices',
    `PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxCode
     70 | 28-02-2026 | 3 | 121 | 21% - Inkoop hoog`,
  );
  await addBooks(db, id, {
    startMonth: 1,
    openings: [{ start: '2026-01-01', end: '2026-12-31', amounts: { '1000': 12_345n, '0500': -12_345n } }],
    entries: [
      {
        journal: 'bank',
        entry_number: 'B1',
        date: '2026-02-28',
        description: NASTY,
        lines: [
          { ledger_account_number: '1000', amount: 121_000n, description: 'Statement 1', document: '1' },
          {
            ledger_account_number: '1300',
            amount: -121_000n,
            relation_id: both.id,
            document: '1',
            cost_center: 'Shop',
          },
        ],
      },
      {
        journal: 'cash',
        date: '2026-12-31',
        description: 'x'.repeat(3000),
        lines: [
          { ledger_account_number: '1000', amount: 9_007_199_254_740_993n, document: 'd'.repeat(300) },
          { ledger_account_number: '8000', amount: -9_007_199_254_740_992n },
          { ledger_account_number: '4000', amount: -1n },
        ],
      },
      {
        date: '2026-03-31',
        description: 'VAT',
        lines: [
          { ledger_account_number: '1000', amount: -2_100n },
          {
            ...{ ledger_account_number: '1500', amount: 2_100n },
            ...{ tax_code: '21% - Hoog', tax_base: 10_000n, tax_amount: 2_100n },
          },
        ],
      },
      { date: '2025-12-31', lines: [] },
      {
        date: '2027-01-01',
        lines: [
          { ledger_account_number: '1000', amount: 1n },
          { ledger_account_number: '8000', amount: -1n },
        ],
      },
    ],
  });
  return { db, id };
}

/** An entry of two lines on the usual accounts. */
export const entry = (date: string, amount = 100n, more: Partial<LedgerBooks['entries'][number]> = {}) => ({
  date,
  lines: [
    { ledger_account_number: '1000', amount },
    { ledger_account_number: '8000', amount: -amount },
  ],
  ...more,
});
