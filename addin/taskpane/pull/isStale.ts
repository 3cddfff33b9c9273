import { dateIn } from '../../../shared/wire/calendarDate.ts';
import type { TableMemory } from '../../excel/tables/tableMemory.ts';
import { RELATIONS } from '../pulledLists/exportedRelations.ts';
import { TIME_ZONE } from '../pulledLists/list.ts';

/** Whether the data of a table are of an earlier day than today. Those of a dated export never change. */
export function isStale({ view, query, pulledAt, dataAt = pulledAt }: TableMemory, now: Date): boolean {
  if (view === RELATIONS && query.date !== undefined) return false;
  return dateIn(TIME_ZONE, new Date(dataAt)) < dateIn(TIME_ZONE, now);
}
