import { cents, centsText } from '../../../shared/money.ts';
import type { EntryLine } from '../../../shared/resources/generalLedger/ledgerEntry.ts';
import { ledgerPeriodOf, ledgerPeriodWords } from './ledgerPeriod.ts';
import { listTable, type PulledList } from './list.ts';

export const ACCOUNT_CARD = 'accountCard';

/** A line with its place among the pulled lines of its entry, and the balance of its account after it. */
type CardLine = EntryLine & { place: number; balance: string };

/** Counts the lines of each entry, and adds to the balance of each account. @param openings of the accounts */
function cardLines(openings: ReadonlyMap<string, bigint>): (line: EntryLine) => CardLine {
  const balances = new Map(openings);
  let entry: string | null = null;
  let place = 0;
  return (line) => {
    place = line.entry === entry ? place + 1 : 1;
    entry = line.entry;
    const balance = (balances.get(line.account) ?? 0n) + cents(line.debit) - cents(line.credit);
    balances.set(line.account, balance);
    return { ...line, place, balance: centsText(balance) };
  };
}

/**
 * The lines of the journal on some accounts, of a relation or of a document, in the order of their dates. The balance
 * begins with the account's opening, unless only some of its lines are asked for.
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
      Journal: ['code', 12, ({ journal }) => journal],
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
    for await (const lines of ledger.entries(selection, signal)) yield lines.map(rowOf) as never[];
  },
};
