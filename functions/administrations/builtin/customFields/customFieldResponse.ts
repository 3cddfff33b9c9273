import {
  type CustomField,
  type CustomFieldType,
  customFieldStorage,
} from '../../../../shared/resources/customField.ts';

/** The response of a custom field: the member for its type holds the value, the others are null. */
export function customFieldResponse(field: { label: string; field_type: CustomFieldType; value: string }): CustomField {
  const { member, dataType } = customFieldStorage[field.field_type];
  return {
    Label: field.label,
    DataType: dataType,
    FieldType: field.field_type,
    DateTimeValue: member === 'DateTimeValue' ? field.value : null,
    DecimalValue: member === 'DecimalValue' ? field.value : null,
    BooleanValue: member === 'BooleanValue' ? field.value === 'true' : null,
    StringValue: member === 'StringValue' ? field.value : null,
    IntValue: member === 'IntValue' ? Number(field.value) : null,
  };
}
