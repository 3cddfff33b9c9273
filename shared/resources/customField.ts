import type { z } from 'zod';
import * as answer from '../wire/answer.ts';
import * as field from '../wire/field.ts';
import { refuseMember } from '../wire/issues.ts';

/** For each type of custom field: the member of a value that holds it, and the DataType of answers. */
export const customFieldStorage = {
  Integer: { member: 'IntValue', dataType: 'Integer' },
  Date: { member: 'DateTimeValue', dataType: 'DateTime' },
  Decimal: { member: 'DecimalValue', dataType: 'Decimal' },
  TextSmall: { member: 'StringValue', dataType: 'String' },
  TextLarge: { member: 'StringValue', dataType: 'String' },
  Hyperlink: { member: 'StringValue', dataType: 'String' },
  Checkbox: { member: 'BooleanValue', dataType: 'Boolean' },
  List: { member: 'StringValue', dataType: 'String' },
} as const;
export type CustomFieldType = keyof typeof customFieldStorage;
export const customFieldTypes = Object.keys(customFieldStorage) as CustomFieldType[];

/** A value for a custom field that is already configured; the member for its type is required. */
export const customFieldUpdate = field
  .object(() => ({
    Label: field.text(),
    /** Left out: the configured type. */
    FieldType: field.optional(field.choice(...customFieldTypes)),
    IntValue: field.optional(field.integer()),
    DecimalValue: field.optional(field.decimal()),
    BooleanValue: field.optional(field.boolean({ emptyIsFalse: true })),
    StringValue: field.optional(field.text()),
    DateTimeValue: field.optional(field.date()),
  }))
  .superRefine((value, context) => {
    if (value.FieldType === undefined) return;
    const { member } = customFieldStorage[value.FieldType];
    if (value[member] === undefined) {
      refuseMember(context, member, 'REQUIRED_CUSTOM_VALUE', { type: value.FieldType });
    }
  });
export type CustomFieldUpdate = z.output<typeof customFieldUpdate>;

const value = () => ({
  Label: answer.text(),
  DataType: answer.choice('Decimal', 'Boolean', 'String', 'Integer', 'DateTime'),
  FieldType: answer.choice(...customFieldTypes),
  DateTimeValue: answer.dateOrNull(),
  DecimalValue: answer.decimal('string'),
  BooleanValue: answer.boolean(),
  StringValue: answer.textOrNull(),
  IntValue: answer.integer(),
});

export const customField = answer.record(value);
export type CustomField = z.output<typeof customField>;

/** Custom fields of relations have a role. */
export const relationCustomField = answer.record(() => ({ ...value(), TypeOfRelation: answer.textOrNull() }));

/** Product custom fields in material bookings have one more member. */
export const materialBookingCustomField = answer.record(() => ({ ...value(), CreateListItem: answer.boolean() }));
export type MaterialBookingCustomField = z.output<typeof materialBookingCustomField>;
