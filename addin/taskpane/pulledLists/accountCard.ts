import { cents, centsText } from '../../../shared/money.ts';
import { selectedAccounts } from '../../../shared/resources/generalLedger/accountSelection.ts';
import type { AccountBalance } from '../../../shared/resources/generalLedger/ledgerBalance.ts';
import { type EntryLine, journalKinds } from '../../../shared/resources/generalLedger/ledgerEntry.ts';
import { ledgerPeriodOf, ledgerPeriodWords } from './ledgerPeriod.ts';
import { listTable, type PulledList } from './list.ts';

export const ACCOUNT_CARD = 'accountCard';

/** A line with its place among the pulled lines of its entry, and the balance of its account after it. */
type CardLine = EntryLine & { place: number; balance: string; isOpening?: true };

/** Counts the lines of each entry, and adds to the balance of each account. @param openings of the accounts */
function cardLines(openings: ReadonlyMap<string, bigint>) {
  const balances = new Map(openings);
  let entry: string | null = null;
  let place = 0;
  return (line: EntryLine): CardLine => {
    place = line.entry === entry ? place + 1 : 1;
    entry = line.entry;
    const balance = (balances.get(line.account) ?? 0n) + cents(line.debit) - cents(line.credit);
    balances.set(line.account, balance);
    return { ...line, place, balance: centsText(balance) };
  };
}

/** A row with the opening of an account that has no lines. */
const openingRow = ({ number, name, opening }: AccountBalance, date: string): CardLine => ({
  entry: `–${number}`,
  isOpening: true,
  journal: 'memorial',
  entryNumber: '',
  date,
  account: number,
  accountName: name,
  description: '',
  debit: '0',
  credit: '0',
  relationGUID: null,
  relationName: '',
  document: '',
  costCenter: '',
  taxCode: '',
  taxBase: '0',
  taxAmount: '0',
  place: 0,
  balance: centsText(cents(opening)),
});

/**
 * The lines of the journal on some accounts, of a relation or of a document, in the order of their dates. The balance
 * begins with the account's opening, unless only some of its lines are asked for. An account with an opening and without
 * lines is a row too.
 */
export const accountCard: PulledList = {
  view: 'accountCard',
  endpoint: '/ledger/entries',
  filters: {
    Accounts: { kind: 'text' },
    Period: { kind: 'period' },
    RelationGUID: { kind: 'number' },
    Document: { kind: 'text' },
  },
  table: listTable<CardLine>()(
    ACCOUNT_CARD,
    'accountCard',
    {
      Date: ['date', 12, ({ date }) => date],
      Journal: ['code', [...journalKinds, 'opening'], ({ journal, isOpening }) => (isOpening ? 'opening' : journal)],
      EntryNumber: ['text', 13, ({ entryNumber }) => entryNumber],
      Account: ['text', 12, ({ account }) => account],
      AccountName: ['text', 28, ({ accountName }) => accountName],
      Description: ['text', 36, ({ description }) => description],
      Debit: ['amount', 14, ({ debit }) => debit],
      Credit: ['amount', 14, ({ credit }) => credit],
      Balance: ['amount', 15, ({ balance }) => balance],
      InvoiceNumber: ['text', 15, ({ document }) => document],
      RelationName: ['text', 28, ({ relationName }) => relationName],
      CostCenter: ['text', 12, ({ costCenter }) => costCenter],
      TaxCode: ['text', 18, ({ taxCode }) => taxCode],
      TaxBase: ['amount', 14, ({ taxBase }) => taxBase],
      TaxAmount: ['amount', 13, ({ taxAmount }) => taxAmount],
      Entry: ['text', 10, ({ entry }) => entry],
      Line: ['integer', 7, ({ place }) => place],
    },
    {
      keys: ['Entry', 'Line'],
      overviewOf: (messages, question) => ({
        title: [messages.accountCard.sheet, question.Accounts].filter(Boolean).join(' '),
        lines: [ledgerPeriodWords(question, messages), messages.ledger.sign],
        totals: { label: { key: 'Description', text: messages.ledger.total }, columns: ['Debit', 'Credit'] },
      }),
    },
  ),
  further: {},
  async *pages({ ledger }, question, today, signal) {
    const { Accounts = '', RelationGUID, Document } = question;
    // The days of the fiscal year too, when no period is asked for.
    const { from, to, balances } = await ledger.balances(ledgerPeriodOf(question, today), signal);
    const isWhole = RelationGUID === undefined && Document === undefined;
    const openings = isWhole ? balances.map(({ number, opening }) => [number, cents(opening)] as const) : [];
    const rowOf = cardLines(new Map(openings));
    const accounts = Accounts.split(/[\s,;|]+/).filter((account) => account !== '');
    const selection = { accounts, relation: RelationGUID, document: Document, from, to };
    const withLines = new Set<string>();
    for await (const lines of ledger.entries(selection, signal)) {
      for (const { account } of lines) withLines.add(account);
      yield lines.map(rowOf) as never[];
    }
    if (!isWhole) return;
    const numbers = balances.map(({ number }) => number);
    const asked = new Set(accounts.length === 0 ? numbers : selectedAccounts(accounts, numbers));
    yield balances
      .filter(({ number, opening }) => asked.has(number) && !withLines.has(number) && cents(opening) !== 0n)
      .map((account) => openingRow(account, from)) as never[];
  },
};
