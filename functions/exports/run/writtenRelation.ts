import type { Relation } from '../../../shared/resources/relation.ts';
import { readDate } from '../../../shared/wire/calendarDate.ts';
import { parseJson } from '../../../shared/wire/json.ts';

/** Numbers of many digits come out of JSON as lossless numbers, others as numbers. */
const digits = (number: unknown): string | null => (number === null ? null : String(number));
const whole = (number: unknown): number | null => (number === null ? null : Number(number));

/**
 * Reads a relation from a line that we wrote. `encode` gave every field its form, so there is nothing to check or to
 * fill in, which would cost more than the parsing. Only fields with another form in memory are converted.
 */
export function writtenRelation(line: string): Relation {
  const relation = parseJson(line) as Relation;
  relation.RelationGUID = digits(relation.RelationGUID);
  relation.CreatedOn = digits(relation.CreatedOn);
  relation.ChangedOn = digits(relation.ChangedOn);
  relation.CustomerNumber = whole(relation.CustomerNumber);
  relation.SupplierNumber = whole(relation.SupplierNumber);
  for (const field of relation.Relation_CustomField) {
    field.DateTimeValue = field.DateTimeValue && readDate(field.DateTimeValue)!;
    field.IntValue = whole(field.IntValue);
  }
  return relation;
}
