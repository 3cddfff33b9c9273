import { type CalendarDate, calendarDate } from '../../../../shared/wire/calendarDate.ts';

/** The period of a return. */
export type VatPeriod = {
  kind: 'month' | 'quarter' | 'year';
  /** As it is written: 2026-03, 2026-Q1 or 2026. */
  name: string;
  year: number;
  /** The month or the quarter of the year; 1 for a year. */
  ordinal: number;
  from: CalendarDate;
  to: CalendarDate;
};

/** Reads 2026, 2026-Q1 or 2026-03; undefined for anything else. */
export function readVatPeriod(text: string): VatPeriod | undefined {
  const match = /^(\d{4})(?:-(?:[Qq]([1-4])|(0[1-9]|1[0-2])))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, yearText = '', quarter, month] = match;
  const year = Number(yearText);
  if (year === 0) return undefined;
  const [kind, ordinal, first, months] =
    quarter !== undefined
      ? (['quarter', Number(quarter), Number(quarter) * 3 - 2, 3] as const)
      : month !== undefined
        ? (['month', Number(month), Number(month), 1] as const)
        : (['year', 1, 1, 12] as const);
  const last = first + months - 1;
  return {
    kind,
    name: text.trim().toUpperCase(),
    year,
    ordinal,
    from: calendarDate(year, first, 1)!,
    to: calendarDate(year, last, new Date(Date.UTC(year, last, 0)).getUTCDate())!,
  };
}
