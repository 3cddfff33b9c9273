import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWrite } from '../../../../shared/readRequest.ts';
import { parseJson } from '../../../../shared/wire/json.ts';
import { testProductWrites } from '../../../../testing/builtin/productWrites.ts';
import { deeper } from '../../../../testing/deep.ts';
import type { WriteOutcome } from '../../administration.ts';
import { checkAdministration } from '../check/check.ts';

/* Entries that an accountant makes, as rows of a push. The time is 21 September 2026. */

const writes = testProductWrites();

type Fields = Readonly<Record<string, unknown>>;
const debit = (LedgerAccountNumber: string, Debit: string, more: Fields = {}) => ({
  LedgerAccountNumber,
  Debit,
  ...more,
});
const credit = (LedgerAccountNumber: string, Credit: string, more: Fields = {}) => ({
  LedgerAccountNumber,
  Credit,
  ...more,
});
const written = (lines: readonly object[], more: Fields = {}, key: string = randomUUID()) => ({
  key,
  name: 'addjournalentry' as const,
  request: readWrite('addjournalentry', { JournalEntry_Line: lines, ...more }).request,
});
const book = async (...args: Parameters<typeof written>): Promise<WriteOutcome> =>
  (await writes.write([written(...args)]))[0]!;
const shown = (outcome: WriteOutcome) => {
  if (outcome.kind !== 'applied') throw new Error(`Expected an applied write, got: ${outcome.problem.message}`);
  return parseJson(outcome.shown) as Record<string, unknown>;
};
const errorsOf = (outcome: WriteOutcome) =>
  outcome.kind === 'refused' ? outcome.problem.errors.map(({ path, message }) => `${path} ${message}`) : [outcome.kind];
const ledger = async (query: string) => (await writes.shop.get(`/ledger/${query}`)).json;
const linesOf = async (query = '') => (await ledger(`entries?${query}`)).lines;

it('The entry of an invoice comes with what it taxes at 0 %, which no line of it has', async () => {
  await writes.shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate: '21-09-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 121, TaxCode: '21% - Hoog' },
      { SubTotalInclTax: 50, TaxCode: '0% - Export buiten de EU' },
    ],
  });
  const lines: Fields[] = await linesOf();
  const entry = lines.find(({ journal }) => journal === 'sales')!.entry;
  const { taxedWithoutLine } = await ledger(`entries?entry=${entry}`);
  expect(taxedWithoutLine).toMatchObject([
    { taxCode: '0% - Export buiten de EU', amount: -50, taxBase: -50, taxAmount: 0 },
  ]);
  expect((await ledger('entries?')).taxedWithoutLine).toEqual([]);
});

describe('a journal entry', () => {
  it('has on a line of what is taxed the tax beside it, with the sign of the line', async () => {
    const taxed = { TaxCode: '0% - Export buiten de EU', TaxBase: '50', TaxAmount: '0' };
    const high = { TaxCode: '21% - Inkoop hoog', TaxBase: '100', TaxAmount: '21' };
    const outcome = await book([debit('8000', '50', taxed), credit('4000', '121', high), debit('1000', '71')]);
    const { number } = shown(outcome);
    const lines = (await linesOf()).filter(({ entryNumber }: Fields) => entryNumber === number);
    expect(lines).toMatchObject([
      { account: '8000', debit: 50, taxBase: 50, taxAmount: 0 },
      { account: '4000', credit: 121, taxBase: -100, taxAmount: -21 },
      { account: '1000', taxCode: '' },
    ]);
    expect(() => written([debit('1000', '5', { TaxAmount: '1' }), credit('1300', '5')])).toThrow(
      'JournalEntry_Line[0].TaxCode: expected TaxCode and TaxBase together',
    );
  });

  it('stands in the ledger with every field, and has the next number', async () => {
    const outcome = await book(
      [
        debit('4000', '100', { Description: 'Huur', CostCenter: 'Winkel', LineDocument: 'F-17' }),
        debit('1520', '21.00', { TaxCode: '21% - Hoog', TaxBase: '100' }),
        credit('1600', '121', { SupplierNumber: 3 }),
      ],
      { EntryDate: '31-08-2026', EntryDescription: 'Correctie huur' },
    );
    expect(shown(outcome)).toMatchObject({ number: '1', date: '31-08-2026', totalInclTax: null });
    const common = { journal: 'memorial', entryNumber: '1', date: '2026-08-31' };
    expect(await linesOf()).toMatchObject([
      {
        ...common,
        account: '4000',
        debit: 100,
        credit: 0,
        description: 'Huur',
        costCenter: 'Winkel',
        document: 'F-17',
      },
      { ...common, account: '1520', debit: 21, taxCode: '21% - Hoog', taxBase: 100, taxAmount: 21 },
      { ...common, account: '1600', credit: 121, relationName: 'Molen De Hoop', description: 'Correctie huur' },
    ]);
    expect(shown(await book([debit('1000', '5'), credit('1300', '5', { CustomerNumber: 7 })]))).toMatchObject({
      number: '2',
      date: '21-09-2026',
    });
    const { balances } = await ledger('balances?from=2026&to=2026');
    expect(balances.map(({ number, closing }: Fields) => [number, closing])).toEqual([
      ['1000', 5],
      ['1300', -5],
      ['1520', 21],
      ['1600', -121],
      ['4000', 100],
    ]);
    const { open } = await ledger('figures?open=2026');
    expect(open[0].relations.map(({ name, amount }: Fields) => [name, amount])).toContainEqual(['Molen De Hoop', -121]);
    expect(await Array.fromAsync(checkAdministration(writes.app.db, writes.shop.administrationId))).toEqual([]);
  });

  it('has a tax base on the side of its line, and the journal and number that its sender gave', async () => {
    const lines = [
      debit('1000', '121'),
      credit('8000', '100'),
      credit('1500', '21', { TaxCode: '21% - Hoog', TaxBase: 100 }),
    ];
    const outcome = await book(lines, { Journal: 'Bank', EntryNumber: ' 2026-38 ' });
    expect(shown(outcome)).toMatchObject({ number: '2026-38' });
    expect(await linesOf('account=1500')).toMatchObject([
      { journal: 'bank', entryNumber: '2026-38', credit: 21, taxBase: -100, taxAmount: -21 },
    ]);
  });

  it('is booked once, however often it is sent', async () => {
    const one = written([debit('4000', '1'), credit('1000', '1')]);
    const first = await writes.write([one, one]);
    expect(await writes.write([one])).toEqual([first[0]]);
    expect(await linesOf()).toHaveLength(2);
  });

  it('is refused for each field that the administration does not have, and nothing is booked', async () => {
    const outcome = await book([
      debit('4001', '10', { TaxCode: '3% - Laag', TaxBase: '1', CustomerNumber: 99 }),
      credit('1000', '10', { SupplierNumber: 7 }),
    ]);
    expect(errorsOf(outcome)).toEqual([
      'JournalEntry_Line[0].LedgerAccountNumber expected a ledger account of this administration, got "4001"',
      'JournalEntry_Line[0].TaxCode expected a tax code of this administration, got "3% - Laag"',
      'JournalEntry_Line[0].CustomerNumber expected the number of a customer of this administration, got 99',
      'JournalEntry_Line[1].SupplierNumber expected the number of a supplier of this administration, got 7',
    ]);
    expect(await linesOf()).toEqual([]);
    expect(shown(await book([debit('4000', '1'), credit('1000', '1')]))).toMatchObject({ number: '1' });
  });

  it('is refused in a closed period', async () => {
    const { app, shop } = writes;
    await app.db
      .updateTable('administration')
      .where('id', '=', shop.administrationId)
      .set({ closed_until: '2026-06-30' })
      .execute();
    const lines = [debit('4000', '1'), credit('1000', '1')];
    expect(errorsOf(await book(lines, { EntryDate: '30-06-2026' }))).toEqual([
      'EntryDate expected a date after 2026-06-30, until when the books are closed, got 2026-06-30',
    ]);
    expect(shown(await book(lines, { EntryDate: '01-07-2026' }))).toMatchObject({ date: '01-07-2026' });
  });

  it.each<[string, readonly object[], string]>([
    [
      'with less credit',
      [debit('4000', '10'), credit('1000', '9.99')],
      'JournalEntry_Line expected as much debit as credit: 0.01 credit is missing',
    ],
    [
      'with less debit',
      [debit('4000', '1'), credit('1000', '3')],
      'JournalEntry_Line expected as much debit as credit: 2.00 debit is missing',
    ],
    [
      'with both sides on a line',
      [{ ...debit('4000', '10'), Credit: '10' }],
      'JournalEntry_Line[0].Debit expected an amount above 0 as either Debit or Credit',
    ],
    [
      'with a line of zero',
      [debit('4000', '0'), debit('4000', '1'), credit('1000', '1')],
      'JournalEntry_Line[0].Debit expected an amount above 0 as either Debit or Credit',
    ],
    [
      'with a negative amount',
      [debit('4000', '-1'), credit('1000', '1')],
      'JournalEntry_Line[0].Debit expected at least 0, got -1',
    ],
    [
      'without an account',
      [{ Debit: 1 }, credit('1000', '1')],
      'JournalEntry_Line[0].LedgerAccountNumber is required: text',
    ],
    [
      'with a tax code alone',
      [debit('4000', '1', { TaxCode: '21% - Hoog' }), credit('1000', '1')],
      'JournalEntry_Line[0].TaxBase expected TaxCode and TaxBase together on a line of tax',
    ],
    [
      'with two relations on a line',
      [debit('1300', '1', { CustomerNumber: 7, SupplierNumber: 3 }), credit('1000', '1')],
      'JournalEntry_Line[0].SupplierNumber expected either this or CustomerNumber, not both',
    ],
    ['without lines', [], 'JournalEntry_Line expected at least one line'],
    [
      'with too many lines',
      Array.from({ length: 76 }, () => debit('4000', '1')),
      'JournalEntry_Line expected at most 75 lines',
    ],
  ])('%s is refused before it is sent', (_, lines, message) => {
    let problem: { errors: readonly { path: string; message: string }[] } | undefined;
    try {
      written(lines);
    } catch (error) {
      problem = error as typeof problem;
    }
    expect(problem?.errors.map(({ path, message }) => `${path} ${message}`)).toEqual([message]);
  });

  it('of seventy-five lines is booked', async () => {
    const lines = [...Array.from({ length: 74 }, () => debit('4000', '0.01')), credit('1000', '0.74')];
    expect(shown(await book(lines))).toMatchObject({ number: '1' });
    const { balances } = await ledger('balances?to=2026');
    expect(balances).toMatchObject([
      { number: '1000', credit: 0.74 },
      { number: '4000', debit: 0.74 },
    ]);
  });

  it('of any lines changes each account by exactly its debit less its credit', async () => {
    const accounts = ['1000', '1300', '1600', '4000', '8000'] as const;
    const cents = fc.bigInt(1n, 100_000_000_000n);
    const line = fc.record({ account: fc.constantFrom(...accounts), cents, isDebit: fc.boolean() });
    const decimal = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
    const expected = new Map<string, bigint>();
    const add = (account: string, amount: bigint) => expected.set(account, (expected.get(account) ?? 0n) + amount);
    const anyEntry = fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (some) => {
      const total = some.reduce((sum, { cents, isDebit }) => sum + (isDebit ? cents : -cents), 0n);
      const lines = some.map(({ account, cents, isDebit }) =>
        isDebit ? debit(account, decimal(cents)) : credit(account, decimal(cents)),
      );
      const rest = total > 0n ? [credit('1000', decimal(total))] : total < 0n ? [debit('1000', decimal(-total))] : [];
      expect((await book([...lines, ...rest])).kind).toBe('applied');
      for (const { account, cents, isDebit } of some) add(account, isDebit ? cents : -cents);
      add('1000', -total);
    });
    await fc.assert(anyEntry, { numRuns: deeper(10, 100), endOnFailure: true });
    const { text } = await writes.shop.get('/ledger/balances?to=2026');
    // As text, since the sums have more digits than a float.
    const found = [...text.matchAll(/"number":"(\d+)".*?"closing":(-?\d+)\.(\d\d)/g)];
    expect(found.map(([, account, whole, rest]) => [account, BigInt(`${whole}${rest}`)])).toEqual(
      [...expected].filter(([account]) => found.some(([, one]) => one === account)).sort(),
    );
    expect(await Array.fromAsync(checkAdministration(writes.app.db, writes.shop.administrationId))).toEqual([]);
  });
});
