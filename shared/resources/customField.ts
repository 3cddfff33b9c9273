import type * as z from 'zod/mini';
import * as field from '../wire/field.ts';
import { refuseMember } from '../wire/issues.ts';
import * as response from '../wire/response.ts';
import type { ValueKind } from '../wire/valueKind.ts';

/** For each type of custom field: the kind of its values, the member that holds one, and the DataType of responses. */
export const customFieldStorage = {
  Integer: { kind: 'integer', member: 'IntValue', dataType: 'Integer' },
  Date: { kind: 'date', member: 'DateTimeValue', dataType: 'DateTime' },
  Decimal: { kind: 'decimal', member: 'DecimalValue', dataType: 'Decimal' },
  TextSmall: { kind: 'text', member: 'StringValue', dataType: 'String' },
  TextLarge: { kind: 'text', member: 'StringValue', dataType: 'String' },
  Hyperlink: { kind: 'text', member: 'StringValue', dataType: 'String' },
  Checkbox: { kind: 'boolean', member: 'BooleanValue', dataType: 'Boolean' },
  List: { kind: 'choice', member: 'StringValue', dataType: 'String' },
} as const satisfies Record<string, { kind: ValueKind; member: string; dataType: string }>;
export type CustomFieldType = keyof typeof customFieldStorage;
export const customFieldTypes = Object.keys(customFieldStorage) as CustomFieldType[];

/** A value for a custom field that is already configured; the member for its type is required. */
export const customFieldUpdate = field.object(
  () => ({
    Label: field.text(),
    /** Left out: the configured type. */
    FieldType: field.optional(field.choice(...customFieldTypes)),
    IntValue: field.optional(field.integer()),
    DecimalValue: field.optional(field.decimal()),
    BooleanValue: field.optional(field.boolean({ emptyIsFalse: true })),
    StringValue: field.optional(field.text()),
    DateTimeValue: field.optional(field.date()),
  }),
  {
    check: (value, context) => {
      if (value.FieldType === undefined) return;
      const { member } = customFieldStorage[value.FieldType];
      if (value[member] === undefined) {
        refuseMember(context, member, 'REQUIRED_CUSTOM_VALUE', { type: value.FieldType });
      }
    },
  },
);
export type CustomFieldUpdate = z.output<typeof customFieldUpdate>;

const value = () => ({
  Label: response.text(),
  DataType: response.choice('Decimal', 'Boolean', 'String', 'Integer', 'DateTime'),
  FieldType: response.choice(...customFieldTypes),
  DateTimeValue: response.dateOrNull(),
  DecimalValue: response.decimal('string'),
  BooleanValue: response.boolean(),
  StringValue: response.textOrNull(),
  IntValue: response.integer(),
});

export const customField = response.record(value);
export type CustomField = z.output<typeof customField>;

/** Custom fields of relations have a role. */
export const relationCustomField = response.record(() => ({ ...value(), TypeOfRelation: response.textOrNull() }));

/** Product custom fields in material bookings have one more member. */
export const materialBookingCustomField = response.record(() => ({ ...value(), CreateListItem: response.boolean() }));
export type MaterialBookingCustomField = z.output<typeof materialBookingCustomField>;
