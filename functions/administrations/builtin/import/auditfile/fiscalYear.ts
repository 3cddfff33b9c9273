import { readDate } from '../../../../../shared/wire/calendarDate.ts';
import type { Period } from '../../balances/fiscalYears.ts';
import type { Report } from '../../files/readRows.ts';
import { lineOf, textOf, type XmlRecord } from './records.ts';

/**
 * The fiscal year of an auditfile, from its header, and its periods, which must lie within that year.
 * @param contradiction for periods: nothing is made of them
 */
export function fiscalYear(report: Report, contradiction: Report) {
  let header: { year: number; start: string; end: string } | undefined;
  let periods = 0;
  return {
    header(record: XmlRecord): void {
      const refuse = (element: string, message: string) => report(lineOf(record, element), element, message);
      const year = /^\d{4}/.exec(textOf(record, 'fiscalYear'))?.[0];
      if (year === undefined) refuse('fiscalYear', `expected a year, got "${textOf(record, 'fiscalYear')}"`);
      const [start, end] = ['startDate', 'endDate'].map((element) => {
        const text = textOf(record, element);
        if (!isDay(text)) refuse(element, `expected a date, got "${text}"`);
        return text;
      }) as [string, string];
      header = { year: Number(year ?? 0), start, end };
      if (start > end) refuse('endDate', `expected a day after ${start}`);
      const currency = textOf(record, 'curCode');
      if (currency !== 'EUR') refuse('curCode', `expected EUR, got "${currency}"`);
    },
    period(record: XmlRecord): void {
      periods++;
      const [start, end] = ['startDatePeriod', 'endDatePeriod'].map((element) => {
        const text = textOf(record, element);
        if (!isDay(text)) contradiction(lineOf(record, element), element, `expected a date, got "${text}"`);
        else if (header !== undefined && (text < header.start || text > header.end)) {
          const expected = `expected a day from ${header.start} to ${header.end}`;
          contradiction(lineOf(record, element), element, `${expected}, got ${text}`);
        }
        return isDay(text) ? text : undefined;
      });
      if (start !== undefined && end !== undefined && start > end) {
        contradiction(record.line, 'endDatePeriod', `expected a day from ${start}, got ${end}`);
      }
    },
    /** Undefined before the header. */
    year: (): number | undefined => header?.year,
    /** The first and the last day; undefined before the header. */
    days: (): Period | undefined => header && { first: header.start, last: header.end },
    periods: (): number => periods,
  };
}

/** Whether a text is an existing day as yyyy-MM-dd. */
export const isDay = (text: string): boolean => readDate(text.split('-').reverse().join('-')) === text;
