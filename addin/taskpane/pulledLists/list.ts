import type { Client, RequestInput } from '../../../shared/client/client.ts';
import type { LedgerClient } from '../../../shared/client/ledgerClient.ts';
import type { VatClient } from '../../../shared/client/vatClient.ts';
import { type ListName, type RowOf, wholeList } from '../../../shared/client/wholeList.ts';
import { type CalendarDate, dateIn, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Overview } from '../../excel/tables/overview.ts';
import type { Column, TableSpec } from '../../excel/tables/table.ts';
import type { Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { columnsOf, type Fields } from '../sheetColumns/columns.ts';
import { datesOf, isPeriodName } from './period.ts';

/** The time zone of Dutch and Belgian administrations. */
export const TIME_ZONE = 'Europe/Amsterdam';

/** What a sheet asks for: the filters that the user filled in, by their names, as the sheet stores them. */
export type Question = Source['query'];

/** A code of the interface that has a word in every language. */
export type Code = keyof Messages['codes'];

/**
 * How the user fills in a filter. `day` is a date, `since` one that is sent as the moment at which it
 * begins; `period` becomes the name of a period, or the dates `DateFrom` and `DateTill`; `vatPeriod` is a year, a quarter
 * or a month, as 2026, 2026-Q3 or 2026-07; `comparison` is a code, or the dates `ComparedFrom` and `ComparedTill`.
 */
export type Filter =
  | { kind: 'text' | 'number' | 'year' | 'since' | 'day' | 'period' | 'vatPeriod' }
  | { kind: 'choice' | 'comparison'; choices: readonly Code[] }
  | { kind: 'flag'; keeps: (row: never) => boolean };

/** A filter of the interface has the name of its parameter; any other is a period, or filters what was received. */
type FilterFor<Name extends ListName, Key> = Key extends keyof RequestInput<Name>
  ? Exclude<Filter, { kind: 'period' | 'flag' }>
  : { kind: 'period' } | { kind: 'flag'; keeps: (row: RowOf<Name>) => boolean };

/** The views of the pane that pull a list: the texts of each are those of its name. */
export type ListViewName =
  | 'accounts'
  | 'taxCodes'
  | 'relations'
  | 'invoices'
  | 'materialBookings'
  | 'trialBalance'
  | 'accountCard'
  | 'openItems'
  | 'vatReturn';

/** What lists are read with: the interface, and the ledger and its VAT returns beside it. */
export type ListClients = {
  client: Client;
  ledger: Pick<LedgerClient, 'balances' | 'entries' | 'openItems'>;
  vat: Pick<VatClient, 'vatReturn' | 'vatLines'>;
  /** Called with the number of rows read so far of a list that is written when all of it is there. */
  onRead?: (rows: number) => void;
};

/** A table that shows the rows of a list, or parts of them. */
export type ListTable<Row = never> = {
  /** Stored as the view of its sheet. */
  name: string;
  keys: readonly string[];
  unnumbered?: NonNullable<TableSpec<unknown>['unnumbered']>;
  frozen?: number;
  columnsIn: (messages: Messages) => Column<unknown>[];
  /** What stands above it. @param first the first received row of the list */
  overviewOf?: (messages: Messages, question: Question, first: Row) => Overview;
  /** The table that its formulas are over. */
  formulasOver?: string;
  /** The rows of the table for a row of the list, for one pull. */
  itemsOf: () => (row: Row) => readonly unknown[];
} & Pick<TableSpec<unknown>, 'isMadeWithoutRows'>;

/**
 * The declaration of a table.
 * @param name of the table and of its headings @param headings of another table, if they are the same
 */
export const listTable =
  <Row, Item = Row>() =>
  <Headings extends keyof Messages['headings']>(
    name: string,
    headings: Headings,
    fields: Fields<Item, keyof Messages['headings'][Headings] & string>,
    {
      itemsOf = () => (row: Row) => [row as unknown as Item],
      ...more
    }: {
      keys: readonly (keyof Messages['headings'][Headings])[];
      unnumbered?: {
        column: keyof Messages['headings'][Headings] & string;
        furtherKeys: readonly (keyof Messages['headings'][Headings] & string)[];
      };
      frozen?: number;
      itemsOf?: () => (row: Row) => readonly Item[];
    } & Pick<ListTable<Row>, 'overviewOf' | 'formulasOver' | 'isMadeWithoutRows'>,
  ): ListTable<Row> => ({
    ...more,
    name,
    keys: more.keys as readonly string[],
    columnsIn: (messages) =>
      columnsOf(
        fields,
        messages.headings[headings] as Record<keyof Messages['headings'][Headings] & string, string>,
        messages,
      ) as Column<unknown>[],
    itemsOf,
  });

/** The declaration of a list: everything that the pane knows about it, but for its texts. */
type Declaration<View extends ListViewName, Name extends ListName> = {
  view: View;
  endpoint: Name;
  /** One for each filter that has texts. */
  filters: { [Key in keyof Messages[View]['filters']]: FilterFor<Name, Key> };
  table: ListTable<RowOf<Name>>;
  /** Tables on request, by what the user ticks, and what the request needs for them. */
  further: {
    [Key in keyof Messages[View]['further']]: { table: ListTable<RowOf<Name>>; request?: RequestInput<Name> };
  };
  /** The key of a row; left out for rows that have none. */
  keyOf?: (row: RowOf<Name>) => string | undefined;
};

/** A list, with the types of its rows forgotten. */
export type PulledList = {
  view: ListViewName;
  /** An endpoint of the interface, or a path of the ledger. */
  endpoint: string;
  filters: Readonly<Record<string, Filter>>;
  table: ListTable;
  /** Tables beside it: those on request, by what the user ticks, and those that always come with it. */
  further: Readonly<Record<string, { table: ListTable; isAlways?: boolean }>>;
  /** The filters that are filled in at first. */
  initial?: (today: CalendarDate) => Question;
  /** The rows of a question page by page, as its periods are on a day. */
  pages: (
    clients: ListClients,
    question: Question,
    today: CalendarDate,
    signal: AbortSignal | undefined,
  ) => AsyncGenerator<never[], void>;
};

export const declareList = <View extends ListViewName, Name extends ListName>({
  keyOf,
  ...list
}: Declaration<View, Name>): PulledList => ({
  ...list,
  table: list.table as ListTable,
  further: list.further as unknown as PulledList['further'],
  pages: ({ client }, question, today, signal) => {
    const parameters = Object.entries<Filter>(list.filters).map(([name, filter]) =>
      parameterOf(name, filter, question),
    );
    const needed = Object.entries<{ request?: object }>(list.further).flatMap(([name, { request }]) =>
      question[name] === undefined ? [] : [request],
    );
    const request = Object.assign({}, ...parameters, periodOf(question, today), ...needed) as RequestInput<Name>;
    return wholeList(client, list.endpoint, request, keyOf, signal) as AsyncGenerator<never[], void>;
  },
});

function parameterOf(name: string, { kind }: Filter, question: Question): object {
  const value = question[name];
  if (value === undefined || kind === 'flag' || kind === 'period') return {};
  return { [name]: kind === 'since' ? String(startOfDay(value)) : value };
}

/** The dates of a question, as its period is on a day. */
export function datesIn({ Period, DateFrom, DateTill }: Question, today: CalendarDate) {
  return isPeriodName(Period) ? datesOf(Period, today) : { from: DateFrom, till: DateTill };
}

function periodOf(question: Question, today: CalendarDate): object {
  const { from, till } = datesIn(question, today);
  return {
    ...(from === undefined ? {} : { DateFrom: writeDate(from) }),
    ...(till === undefined ? {} : { DateTill: writeDate(till) }),
  };
}

const HOUR = 3600;

/** The moment at which a date begins, in UNIX seconds: Dutch and Belgian time is one or two hours ahead. */
function startOfDay(date: CalendarDate): number {
  const midnight = Date.parse(`${date}T00:00:00Z`) / 1000;
  const summer = midnight - 2 * HOUR;
  return dateIn(TIME_ZONE, new Date(summer * 1000)) === date ? summer : midnight - HOUR;
}

/** A question with another value of a filter; an empty one is left out. */
export function withAnswer(question: Question, name: string, value: string): Question {
  const { [name]: _, ...others } = question;
  return value.trim() === '' ? others : { ...others, [name]: value };
}

/** A question without the spaces around its values. */
export const trimmed = (question: Question): Question =>
  Object.fromEntries(Object.entries(question).map(([name, value]) => [name, value.trim()]));

/** A question without the tables that were requested with it. */
export const withoutFurther = ({ further }: PulledList, question: Question): Question =>
  Object.fromEntries(Object.entries(question).filter(([name]) => !Object.hasOwn(further, name)));

/** The tables of a question, each with the question of its own sheet. */
export const tablesOf = (
  list: PulledList,
  question: Question,
): { table: ListTable; query: Question; isAlways?: boolean }[] => {
  const base = withoutFurther(list, question);
  return [
    { table: list.table, query: base },
    ...Object.entries(list.further).flatMap(([name, { table, isAlways }]) => {
      if (isAlways) return [{ table, query: base, isAlways }];
      return question[name] === undefined ? [] : [{ table, query: { ...base, [name]: question[name] } }];
    }),
  ];
};

/** Whether a received row counts for a question: some filters are not those of the interface. */
export const isAsked = ({ filters }: PulledList, question: Question, row: never): boolean =>
  Object.entries(filters).every(
    ([name, filter]) => filter.kind !== 'flag' || question[name] === undefined || filter.keeps(row),
  );
