import { expect, it } from 'vitest';
import { type Corruption, openBooks } from '../../../../testing/fixtures/books.ts';
import { newRow } from '../sql/rows.ts';

const { app, check, ours, entryOf, invoice, idsOf, bookedOn } = openBooks();

const corruptions: Corruption[] = [
  [
    'a line of the journal that was changed',
    async (db) =>
      db
        .updateTable('journal_line')
        .where('journal_entry_id', '=', await entryOf(db, 1n))
        .where('ledger_account_number', '=', '8000')
        .set({ credit: 1n })
        .execute(),
    /^The journal entry of 1 Bakkerij Jansen has .* debit and .* credit\.$/,
  ],
  [
    'a line of the journal with two sides',
    async (db) =>
      db
        .updateTable('journal_line')
        .where('journal_entry_id', '=', await entryOf(db, 1n))
        .where('ledger_account_number', '=', '1300')
        .set((eb) => ({ debit: eb('debit', '+', 5n), credit: 5n }))
        .execute(),
    /^A line of the journal entry of 1 Bakkerij Jansen has not one side above zero\.$/,
  ],
  [
    'an entry on an account that does not exist',
    async (db) =>
      db
        .updateTable('journal_line')
        .where('journal_entry_id', '=', await entryOf(db, 1n))
        .where('ledger_account_number', '=', '8000')
        .set({ ledger_account_number: '8099x' })
        .execute(),
    /ledger account 8099x, which does not exist/,
  ],
  [
    'an entry that is missing',
    async (db) => {
      const id = await entryOf(db, 1n);
      await db.deleteFrom('journal_line').where('journal_entry_id', '=', id).execute();
      await db.deleteFrom('journal_entry').where('id', '=', id).execute();
    },
    /^Sales invoice 1 is final, and is not in the journal\.$/,
  ],
  [
    'an entry of a draft',
    () => invoice(1n).set({ is_draft: 1n }).execute(),
    /^Sales invoice 1 is a draft, and is in the journal\.$/,
  ],
  [
    'an amount in the journal that is not the invoice’s',
    async (db) => {
      const id = await entryOf(db, 3n);
      const lines = db.updateTable('journal_line').where('journal_entry_id', '=', id);
      await lines.where('ledger_account_number', '=', '1300').set({ debit: 2000n }).execute();
      await lines.where('ledger_account_number', '=', '8000').set({ credit: 1826n }).execute();
    },
    /^Sales invoice 3: the journal has 20 debit on account 1300, its lines make 10 debit\.$/,
  ],
  [
    'a purchase without its entry',
    (db) =>
      db
        .updateTable('journal_entry')
        .where('administration_id', '=', ours())
        .where('purchase_invoice_id', 'is not', null)
        .set({ purchase_invoice_id: null })
        .execute(),
    /^Purchase invoice 1 is not in the journal\.$/,
  ],
  [
    'revenue that was booked as tax',
    async (db) => {
      await bookedOn(db, '8000').set({ credit: 726n }).execute();
      await bookedOn(db, '1500').set({ credit: 274n }).execute();
    },
    /^Sales invoice 3: the journal has 2\.74 credit on account 1500 for tax code 21% - Hoog, its lines make 1\.74 credit\.$/,
  ],
  [
    'tax that was booked under another code',
    (db) => bookedOn(db, '1500').set({ tax_code: 'X' }).execute(),
    /^Sales invoice 3: the journal has 1\.74 credit on account 1500 for tax code X, its lines make 0 debit\.$/,
  ],
  [
    'revenue that was booked on another account than the line has',
    (db) => bookedOn(db, '8000').set({ ledger_account_number: '8010' }).execute(),
    /^Sales invoice 3: the journal has 8\.26 credit on account 8010, its lines make 0 debit\.$/,
  ],
  [
    'a line that has another account than it was booked on',
    (db) =>
      db
        .updateTable('purchase_invoice_line')
        .where('purchase_invoice_id', 'in', idsOf('purchase_invoice'))
        .set({ ledger_account_number: '4100' })
        .execute(),
    /^Purchase invoice 1: the journal has 0 debit on account 4100, its lines make 8\.26 debit\.$/,
  ],
  [
    'an account of a draft that does not exist',
    (db) =>
      db
        .updateTable('sales_invoice_line')
        .where('sales_invoice_id', 'in', idsOf('sales_invoice', 2n))
        .where('product_number', '=', '0100')
        .set({ ledger_account_number: 'nope' })
        .execute(),
    /^Sales invoices have lines on ledger account nope, which does not exist\.$/,
  ],
  [
    'balanced lines in the journal that no document has',
    async (db) => {
      const entry = { administration_id: ours(), journal_entry_id: await entryOf(db, 3n), date: '2026-01-01' };
      const line = newRow('journal_line', entry);
      await db
        .insertInto('journal_line')
        .values([
          { ...line, ledger_account_number: '8000', debit: 500n },
          { ...line, ledger_account_number: '8000', credit: 500n },
        ])
        .execute();
    },
    /^Sales invoice 3: the journal has 5 debit and 13\.26 credit on account 8000, its lines make 8\.26 credit\.$/,
  ],
  [
    'a sale that was booked on another day',
    async (db) =>
      db
        .updateTable('journal_entry')
        .where('id', '=', await entryOf(db, 1n))
        .set({ date: '2001-01-01' })
        .execute(),
    /^Sales invoice 1 is of \d{4}-\d\d-\d\d, and in the journal on 2001-01-01\.$/,
  ],
  [
    'a purchase that was booked on another day',
    (db) =>
      db
        .updateTable('journal_entry')
        .where('purchase_invoice_id', 'in', idsOf('purchase_invoice'))
        .set({ date: '2001-01-01' })
        .execute(),
    /^Purchase invoice 1 is of \d{4}-\d\d-\d\d, and in the journal on 2001-01-01\.$/,
  ],
  [
    'an entry of no document',
    (db) =>
      db
        .insertInto('journal_entry')
        .values({
          administration_id: ours(),
          journal: 'sales',
          date: '2026-01-01',
          description: 'Memo',
          created_on: 0n,
        })
        .execute(),
    /^The journal entry of Memo is not of one document, in the journal of its kind\.$/,
  ],
  [
    'a sale in the journal of purchases',
    async (db) =>
      db
        .updateTable('journal_entry')
        .where('id', '=', await entryOf(db, 1n))
        .set({ journal: 'purchases' })
        .execute(),
    /^The journal entry of 1 Bakkerij Jansen is not of one document, in the journal of its kind\.$/,
  ],
];

it.each(corruptions)('the check names %s', async (_, damage, sentence) => {
  await damage(app().db);
  expect(await check()).toContainEqual(expect.stringMatching(sentence));
});
