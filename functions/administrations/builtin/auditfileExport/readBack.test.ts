import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditfileVersions } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { entry, set, validFile, wholeBooks } from '../../../../testing/auditfiles/writtenBooks.ts';
import { auditfileImporter, removeChart } from '../../../../testing/builtin/auditfiles.ts';
import { importInto } from '../../../../testing/builtin/imports.ts';
import { ledgerBooks } from '../../../../testing/builtin/ledgerBooks.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { deeper } from '../../../../testing/deep.ts';
import { fixturesOf } from '../../../../testing/fixtures/fixtures.ts';
import { storeAllResponses } from '../responses/storeAllResponses.ts';
import type { Database } from '../sql/database.ts';

const load = auditfileImporter();

describe('what is written, and read where it was made,', () => {
  test('is booked already, and changes nothing', async () => {
    const { db, id } = await wholeBooks();
    const { text: file } = await validFile(db, id, 2026, '3.2');
    const rows = async () => (await db.selectFrom('journal_line').select('id').execute()).length;
    const before = await rows();
    const { problems, result } = await load(file, { db, administrationId: id });
    expect(problems).toEqual([]);
    expect(result).toMatchObject({ opening: 'unchanged', entries: { added: 0, removed: 0, matched: 6 } });
    expect(await rows()).toBe(before);
  });

  test.each(auditfileVersions)('leaves relations what version %s has no place for', async (version) => {
    const { db, id } = await wholeBooks();
    const { id: relation } = await fixturesOf(db, id).addRelation({
      ...{ guid: 2000n, name: 'Jansen', customerNumber: 41, email: 'a@example.com', row: { phone: '0182' } },
      contacts: [{ first_name: 'Jan', last_name: 'Jansen', email: 'jan@example.com' }],
      bankAccounts: [{ iban: 'NL91ABNA0417164300', bic: 'ABNANL2A', name: 'Jansen', place: 'Gouda' }],
    });
    const stored = async () => [
      await db.selectFrom('relation').where('id', '=', relation).select(['name', 'email', 'phone']).execute(),
      ...(await Promise.all(
        (['relation_contact', 'relation_bank_account'] as const).map((table) =>
          db.selectFrom(table).where('relation_id', '=', relation).selectAll().execute(),
        ),
      )),
    ];
    const before = await stored();
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1]);
    const { text: file } = await validFile(db, id, 2026, version);
    expect((await load(file, { db, administrationId: id })).problems).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  test.each(auditfileVersions)('changes nothing that version %s has less of', async (version) => {
    const { db, id } = await wholeBooks();
    const administration = { administration_id: id };
    await db.updateTable('ledger_account').set({ debet_or_credit: 'credit' }).where('number', '=', '1000').execute();
    await db.updateTable('ledger_account').set({ debet_or_credit: 'debet' }).where('number', '=', '8000').execute();
    const code = { ...administration, code: '0% - Sport', name: 'Sport', percentage: 0n, tax_type: 'Sales' as const };
    await db
      .insertInto('tax_code')
      .values({ ...code, tax_exempt: 1n, vat_category: 'E' })
      .execute();
    const long = (start: string) => `${start} ${'x'.repeat(1000)}`;
    await fixturesOf(db, id).addRelation({
      ...{ guid: 2000n, name: long('Stichting'), customerNumber: 51, business: false, vatNumber: long('NL') },
      row: {
        ...{ street: long('Kade'), unit: long('1'), unit_appendix: long('a'), city: long('Den'), phone: long('06') },
        ...{ postal_code: long('1234'), registration_number: long('34'), language: 'nl' },
      },
    });
    const tables = ['administration', 'relation', 'ledger_account', 'tax_code', 'vat_rule'] as const;
    const stored = async () =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async (table) => [table, await db.selectFrom(table).orderBy('id').selectAll().execute()] as const),
        ),
      );
    await storeAllResponses(db, id);
    const before = await stored();
    const { text: file } = await validFile(db, id, 2026, version);
    expect((await load(file, { db, administrationId: id })).problems).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  test('leaves relations of any numbers and roles as they are, and they have the same elsewhere', async () => {
    const number = fc.constantFrom(undefined, null, 1, 2, 3);
    const filedAs = fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom('1', '2', '7', '007', 'C1', 'DEB-7') },
    );
    const kinds = fc.uniqueArray(fc.record({ customerNumber: number, supplierNumber: number, filedAs }), {
      maxLength: 6,
      comparator: (a: Numbers, b: Numbers) => isSameNumber(a, b, 'customer') || isSameNumber(a, b, 'supplier'),
    });
    const { db: common, id: administrationId } = await ledgerBooks({
      ...{ startMonth: 1, openings: [], entries: [entry('2025-05-01')] },
    });
    await set(common, administrationId);
    await fixturesOf(common, administrationId).addCustomField({
      ...{ owner: 'relation', label: 'Auditfile ID', type: 'TextSmall' },
    });
    const books = fc.record({ relations: kinds, version: fc.constantFrom(...auditfileVersions) });
    await fc.assert(
      fc.asyncProperty(books, async ({ relations, version }) => {
        const db = common;
        await db.deleteFrom('relation').execute();
        const fixtures = fixturesOf(db, administrationId);
        for (const [index, { filedAs, ...numbers }] of relations.entries()) {
          const customFields: Record<string, string> = filedAs === '' ? {} : { 'Auditfile ID': filedAs };
          await fixtures.addRelation({ name: `R${index}`, ...numbers, customFields });
        }
        const columns = [
          ...(['name', 'customer_number', 'supplier_number'] as const),
          ...(['is_customer', 'is_supplier', 'is_other'] as const),
        ];
        const stored = (of: Database) => of.selectFrom('relation').orderBy('name').select(columns).execute();
        const before = await stored(db);
        const { text: file } = await validFile(db, administrationId, 2025, version);
        const { problems, result } = await load(file, { db, administrationId });
        expect(problems).toEqual([]);
        expect(await stored(db)).toEqual(before);
        expect(result.relations).toEqual({ added: 0, changed: 0, unchanged: before.length });
        const elsewhere = await importInto();
        await removeChart(elsewhere.db, elsewhere.administrationId);
        expect((await load(file, elsewhere)).problems).toEqual([]);
        // An identification of an earlier file is kept in place of a number, and may look like that of another relation.
        if (relations.some(({ filedAs }) => filedAs !== '')) return;
        const numbered = before.filter((_, index) => !Object.values(relations[index]!).includes(null));
        expect(await stored(elsewhere.db)).toEqual(expect.arrayContaining(numbered));
      }),
      { numRuns: databaseKind() === 'sqlite' ? deeper(10, 40) : deeper(3, 10) },
    );
  });

  test('is refused when an invoice has other amounts: no document is booked twice', async () => {
    const { db, id } = await wholeBooks();
    const { text: file } = await validFile(db, id, 2026, '3.2');
    const changed = file.replace('<trDt>2026-01-15', '<trDt>2026-01-16');
    const { problems } = await load(changed, { db, administrationId: id });
    expect(problems).toEqual([
      expect.stringMatching(
        /^books\.xaf:\d+ transaction: document 1 of sales is booked here on another day or with other amounts, and cannot be booked twice$/,
      ),
    ]);
    const taken = await load(changed, { db, administrationId: id }, { takeWithWarnings: true });
    expect(taken.problems).toEqual([]);
    expect(taken.result.warnings).toEqual([expect.stringContaining('document 1 of sales is booked here')]);
    expect(taken.result.entries).toMatchObject({ added: 0, matched: 6 });
  });
});

type Numbers = Readonly<Record<'customerNumber' | 'supplierNumber', number | null | undefined>>;

const isSameNumber = (a: Numbers, b: Numbers, role: 'customer' | 'supplier'): boolean =>
  Number.isInteger(a[`${role}Number`]) && a[`${role}Number`] === b[`${role}Number`];
