import type { Filter, PulledList, Question } from '../../pulledLists/list.ts';
import { OTHER_DATES } from '../../pulledLists/period.ts';

/** The filters of a question whose values cannot be sent. */
export const wrongFilters = ({ filters }: PulledList, question: Question): string[] =>
  Object.entries(filters).flatMap(([name, { kind }]) =>
    isRight(kind, question, question[name]?.trim()) ? [] : [name],
  );

function isRight(kind: Filter['kind'], question: Question, value: string | undefined): boolean {
  const { DateFrom, DateTill, ComparedFrom, ComparedTill } = question;
  if (kind === 'period') return DateFrom === undefined || DateTill === undefined || DateFrom <= DateTill;
  if (kind === 'vatPeriod') return /^(19|[2-9]\d)\d\d(-(Q[1-4]|0[1-9]|1[0-2]))?$/.test(value ?? '');
  if (kind === 'comparison' && value === OTHER_DATES) {
    return ComparedFrom !== undefined && ComparedTill !== undefined && ComparedFrom <= ComparedTill;
  }
  if (value === undefined) return true;
  if (kind === 'year') return /^(19|[2-9]\d)\d\d$/.test(value);
  return kind !== 'number' || /^\d{1,18}$/.test(value);
}
