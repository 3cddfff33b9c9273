import { type CustomFieldType, customFieldTypes } from '../../../../shared/resources/customField.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/wire/field.ts';
import type { NewRow, Row } from '../sql/schema.ts';

const PREFIX = 'Custom:';
export const isCustomHeading = (heading: string): boolean => heading.startsWith(PREFIX);
/** The text after the prefix. */
export const labelText = (heading: string): string => heading.slice(PREFIX.length).trim();

type Owner = Row<'custom_field'>['owner'];

const roles = ['Customer', 'Supplier', 'Other'] as const;

export const labelExpected = `expected a label of at most ${MAX_NAME_LENGTH} characters after "${PREFIX}"`;
export const isLabel = (label: string): boolean => label !== '' && label.length <= MAX_NAME_LENGTH;

export type NewField = Omit<NewRow<'custom_field'>, 'id' | 'administration_id'>;

/** The field of a heading; undefined without a valid label. */
export function fieldOfHeading(owner: Owner, heading: string): NewField | undefined {
  const parts = readHeading(heading);
  return isLabel(parts.label) ? newField(owner, parts) : undefined;
}

/** The heading of a field. */
export const headingOfField = ({ label, field_type, type_of_relation }: NewField): string =>
  `${PREFIX} ${label} (${[field_type, ...((type_of_relation ?? null) === null ? [] : [type_of_relation])].join(', ')})`;

type HeadingParts = { label: string; type?: CustomFieldType | undefined; role?: (typeof roles)[number] | undefined };

export const newField = (owner: Owner, { label, type, role }: HeadingParts): NewField => ({
  owner,
  label,
  field_type: type ?? 'TextSmall',
  type_of_relation: owner === 'relation' ? (role ?? 'Customer') : null,
});

/** Brackets at the end hold type and role; other text in brackets belongs to the label. */
export function readHeading(heading: string): HeadingParts {
  const whole = labelText(heading);
  const open = whole.lastIndexOf('(');
  const words = open >= 0 && whole.indexOf(')', open) === whole.length - 1 ? whole.slice(open + 1, -1) : '';
  const label = whole.slice(0, Math.max(open, 0)).trimEnd();
  const listed = words.split(',').map((word) => word.trim());
  const type = customFieldTypes.find((word) => listed.includes(word));
  const role = roles.find((word) => listed.includes(word));
  if (listed.length !== (type === undefined ? 0 : 1) + (role === undefined ? 0 : 1)) return { label: whole };
  return { label, ...(type === undefined ? {} : { type }), ...(role === undefined ? {} : { role }) };
}
