import { BooksChanged } from '../../../shared/client/vatClient.ts';
import { abs, cents, centsText, sum } from '../../../shared/money.ts';
import type { OpenItem, OpenItemPage } from '../../../shared/resources/generalLedger/openItem.ts';
import { daysBetween, writeDate } from '../../../shared/wire/calendarDate.ts';
import { listTable, type PulledList } from './list.ts';

export const OPEN_ITEMS = 'openItems';

/** Rows that are written together. */
const WRITTEN_ROWS = 5000;

/** Stands in place of a relation and a document where an amount has none. */
export const NONE = '–';

/** A row: an open item with the name of its account, or what an account has beside its items. */
type Row = OpenItem & { accountName: string; daysOverdue: number | null };

type Control = OpenItemPage['controls'][number];

const isSameBalances = (one: readonly Control[], other: readonly Control[]): boolean =>
  one.length === other.length &&
  one.every(({ account, balance }, place) => account === other[place]!.account && balance === other[place]!.balance);

/** What each account has beside its items: lines without a relation, and opening balances. */
function unnamedRows(controls: readonly Control[], items: readonly Row[]): Row[] {
  return controls.flatMap(({ account, name, balance }) => {
    const named = sum(items.filter((item) => item.account === account).map(({ open }) => cents(open)));
    const rest = cents(balance) - named;
    if (rest === 0n) return [];
    const amount = centsText(abs(rest));
    return {
      relationGUID: NONE,
      relationName: NONE,
      customerNumber: null,
      supplierNumber: null,
      account,
      accountName: name,
      document: NONE,
      date: '',
      dueDate: null,
      salesInvoice: null,
      daysOverdue: null,
      debit: rest > 0n ? amount : '0',
      credit: rest < 0n ? amount : '0',
      open: centsText(rest),
    };
  });
}

/**
 * What is open of each document of customers and suppliers at the end of a day, by name and date: what they owe is
 * positive. The total equals the balances of their accounts, so what those have beside the documents is in rows too.
 */
export const openItems: PulledList = {
  view: 'openItems',
  endpoint: '/ledger/openitems',
  filters: { At: { kind: 'day' }, RelationGUID: { kind: 'number' } },
  table: listTable<Row>()(
    OPEN_ITEMS,
    'openItems',
    {
      RelationName: ['text', 32, ({ relationName }) => relationName],
      Number: ['text', 12, ({ customerNumber, supplierNumber }) => String(customerNumber ?? supplierNumber ?? '')],
      Account: ['text', 11, ({ account }) => account],
      AccountName: ['text', 20, ({ accountName }) => accountName],
      Document: ['text', 16, ({ document }) => document],
      Date: ['date', 12, ({ date }) => date],
      DueDate: ['date', 12, ({ dueDate }) => dueDate],
      DaysOverdue: ['integer', 13, ({ daysOverdue }) => daysOverdue],
      Debit: ['amount', 14, ({ debit }) => debit],
      Credit: ['amount', 14, ({ credit }) => credit],
      Open: ['amount', 15, ({ open }) => open],
      RelationGUID: ['text', 14, ({ relationGUID }) => relationGUID],
      InvoiceNumber: ['text', 14, ({ salesInvoice }) => salesInvoice],
    },
    {
      keys: ['RelationGUID', 'Account', 'Document'],
      overviewOf: (messages, { At }) => ({
        title: messages.openItems.sheet,
        lines: [At === undefined ? messages.ledger.today : writeDate(At), messages.ledger.openSign],
        totals: { label: { key: 'RelationName', text: messages.ledger.total }, columns: ['Debit', 'Credit', 'Open'] },
      }),
    },
  ),
  further: {},
  async *pages({ ledger, onRead }, { At, RelationGUID }, today, signal) {
    const rows: Row[] = [];
    let controls: readonly Control[] | undefined;
    for await (const page of ledger.openItems({ at: At ?? today, relation: RelationGUID }, signal)) {
      // Each page is of its own moment. What changed in between would count as what the accounts have beside the items.
      const hasChanged = controls !== undefined && !isSameBalances(controls, page.controls);
      if (hasChanged && RelationGUID === undefined) throw new BooksChanged();
      controls = page.controls;
      const names = new Map(controls.map(({ account, name }) => [account, name]));
      for (const item of page.items) {
        const late = item.dueDate === null ? 0 : daysBetween(item.dueDate, page.at);
        rows.push({ ...item, accountName: names.get(item.account) ?? '', daysOverdue: late > 0 ? late : null });
      }
      onRead?.(rows.length);
    }
    // Stable, so that the items of a relation stay in the order of their dates.
    rows.sort((one, other) => (one.relationName ?? '').localeCompare(other.relationName ?? '', 'nl'));
    // Those of one relation say nothing about the rest of an account.
    const unnamed = RelationGUID === undefined ? unnamedRows(controls ?? [], rows) : [];
    for (let start = 0; start < rows.length; start += WRITTEN_ROWS) {
      yield rows.slice(start, start + WRITTEN_ROWS) as never[];
    }
    yield unnamed as never[];
  },
};
