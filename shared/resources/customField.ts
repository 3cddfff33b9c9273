import { z } from 'zod';
import * as answer from '../wire/answer.ts';
import { boolean, choice, date, decimal, integer, optional, text } from '../wire/field.ts';
import { refuseMember } from '../wire/issues.ts';

export const customFieldTypes = [
  'Integer',
  'Date',
  'Decimal',
  'TextSmall',
  'TextLarge',
  'Hyperlink',
  'Checkbox',
  'List',
] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** The member of a custom field value that holds it, by the field's type; and the DataType an answer names. */
export const customFieldStorage = {
  Integer: { member: 'IntValue', dataType: 'Integer' },
  Date: { member: 'DateTimeValue', dataType: 'DateTime' },
  Decimal: { member: 'DecimalValue', dataType: 'Decimal' },
  TextSmall: { member: 'StringValue', dataType: 'String' },
  TextLarge: { member: 'StringValue', dataType: 'String' },
  Hyperlink: { member: 'StringValue', dataType: 'String' },
  Checkbox: { member: 'BooleanValue', dataType: 'Boolean' },
  List: { member: 'StringValue', dataType: 'String' },
} as const satisfies Record<CustomFieldType, { member: string; dataType: string }>;

/** A value for a custom field that is already configured; the member for its type is required. */
export const customFieldUpdate = z
  .object({
    Label: text(),
    /** Left out: the configured type. */
    FieldType: optional(choice(...customFieldTypes)),
    IntValue: optional(integer()),
    DecimalValue: optional(decimal()),
    BooleanValue: optional(boolean({ emptyIsFalse: true })),
    StringValue: optional(text()),
    DateTimeValue: optional(date()),
  })
  .superRefine((value, context) => {
    if (value.FieldType === undefined) return;
    const { member } = customFieldStorage[value.FieldType];
    if (value[member] === undefined) {
      refuseMember(context, member, 'REQUIRED_CUSTOM_VALUE', { type: value.FieldType });
    }
  });
export type CustomFieldUpdate = z.output<typeof customFieldUpdate>;

const value = {
  Label: answer.text(),
  DataType: answer.choice('Decimal', 'Boolean', 'String', 'Integer', 'DateTime'),
  FieldType: answer.choice(...customFieldTypes),
  DateTimeValue: answer.dateOrNull(),
  DecimalValue: answer.decimal('string'),
  BooleanValue: answer.boolean(),
  StringValue: answer.textOrNull(),
  IntValue: answer.integer(),
};

export const customField = answer.record(value);
export type CustomField = z.output<typeof customField>;

/** Custom fields of relations have a role. */
export const relationCustomField = answer.record({ ...value, TypeOfRelation: answer.textOrNull() });

/** Product custom fields in material bookings have one more member. */
export const materialBookingCustomField = answer.record({ ...value, CreateListItem: answer.boolean() });
export type MaterialBookingCustomField = z.output<typeof materialBookingCustomField>;
