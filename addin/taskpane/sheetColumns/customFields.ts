import { type CustomField, customFieldStorage, customFieldTypes } from '../../../shared/resources/customField.ts';
import { writeDate } from '../../../shared/wire/calendarDate.ts';

/** The value of a custom field, of the member for its type. */
export function customValue(field: CustomField): string | boolean {
  const type = customFieldTypes.find((known) => known === field.FieldType);
  const value = type === undefined ? field.StringValue : field[customFieldStorage[type].member];
  if (typeof value === 'boolean') return value;
  return type === 'Date' && value ? writeDate(String(value)) : String(value ?? '');
}
