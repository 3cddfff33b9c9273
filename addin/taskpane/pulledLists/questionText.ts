import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';
import { MAX_SHEET_NAME } from '../../excel/names.ts';
import type { Messages } from '../locales/en.ts';
import type { Filter, ListTable, PulledList, Question } from './list.ts';
import { isPeriodName, OTHER_DATES } from './period.ts';

/** The texts of a filter: some have a hint, a text for a wrong value, and one for no choice. */
type FilterTexts = { label: string; hint?: string; wrong?: string; all?: string };

export const filterTextsOf = ({ view }: PulledList, name: string, messages: Messages): FilterTexts =>
  (messages[view].filters as Record<string, FilterTexts>)[name]!;

/** The texts of a table that comes on request. */
export const furtherTextsOf = ({ view }: PulledList, name: string, messages: Messages) =>
  (messages[view].further as Record<string, { label: string; sheet: string }>)[name]!;

/** The filters of a question that have a value, each with its words. */
export function answers({ filters }: PulledList, question: Question, messages: Messages) {
  return Object.entries(filters).flatMap(([name, filter]): { name: string; filter: Filter; words: string }[] => {
    const words =
      filter.kind === 'period'
        ? periodWords(question, messages)
        : filter.kind === 'comparison'
          ? comparisonWords(question, messages)
          : wordsOf(filter, question[name], messages);
    return words === undefined ? [] : [{ name, filter, words }];
  });
}

function wordsOf({ kind }: Filter, value: string | undefined, { codes }: Messages): string | undefined {
  if (value === undefined) return undefined;
  if (kind === 'since' || kind === 'day') return writeDate(value);
  return kind === 'choice' ? codes[value as keyof Messages['codes']] : value;
}

/** The period of a question in words; undefined when it has none. */
export function periodWords(question: Question, messages: Messages): string | undefined {
  const { Period, DateFrom, DateTill } = question;
  if (isPeriodName(Period)) return messages.periods[Period];
  return DateFrom === undefined && DateTill === undefined ? undefined : datesShort(DateFrom, DateTill, messages);
}

/** The period beside that of a question in words; undefined when none was chosen. */
export function comparisonWords({ Compared, ComparedFrom, ComparedTill }: Question, messages: Messages) {
  if (Compared === OTHER_DATES) return datesShort(ComparedFrom, ComparedTill, messages);
  return Compared === undefined ? undefined : messages.codes[Compared as keyof Messages['codes']];
}

/** Dates as short as they can be without a doubt: 2026, 3-2026, 1-1–31-3-2026. */
function datesShort(from: CalendarDate | undefined, till: CalendarDate | undefined, { dates }: Messages): string {
  if (till === undefined) return dates.from(short(from!));
  if (from === undefined) return dates.till(short(till));
  const isOneYear = from.slice(0, 4) === till.slice(0, 4);
  if (isOneYear && from.endsWith('-01-01') && till.endsWith('-12-31')) return from.slice(0, 4);
  return `${isOneYear ? short(from).replace(/-\d+$/, '') : short(from)}–${short(till)}`;
}

const short = (date: CalendarDate): string => writeDate(date).replace(/\b0/g, '');

/**
 * The name of a table's sheet, with what it asks for where that fits: a part of a date or of a name would say something
 * else.
 */
export function sheetNameFor(list: PulledList, table: ListTable, question: Question, messages: Messages): string {
  const further = Object.entries(list.further).find(([, one]) => one.table === table);
  const { sheet } = further === undefined ? messages[list.view] : furtherTextsOf(list, further[0], messages);
  const details = answers(list, question, messages).map(({ filter, name, words }) =>
    filter.kind === 'flag' ? filterTextsOf(list, name, messages).label.toLowerCase() : words,
  );
  const whole = [sheet, ...details].join(' ');
  return whole.length <= MAX_SHEET_NAME ? whole : ([`${sheet} ${details[0]}`].find(fits) ?? sheet);
}

const fits = (name: string): boolean => name.length <= MAX_SHEET_NAME;
