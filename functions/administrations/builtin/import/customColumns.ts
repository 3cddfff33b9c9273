import { type CustomFieldType, customFieldTypes } from '../../../../shared/resources/customField.ts';
import { MOST_NAME } from '../../../../shared/wire/field.ts';
import type { NewRow, Row } from '../sql/schema.ts';
import { type Column, type Columns, day, decimal, flag, text, whole } from './column.ts';
import type { ImportContext } from './importRows.ts';

const PREFIX = 'Custom:';
export const isCustomHeading = (heading: string): boolean => heading.startsWith(PREFIX);

type Owner = Row<'custom_field'>['owner'];

const columnOf: Record<CustomFieldType, () => Column> = {
  Integer: whole,
  Date: day,
  Decimal: decimal,
  TextSmall: text,
  TextLarge: text,
  Hyperlink: text,
  Checkbox: flag,
  List: text,
};

const roles = ['Customer', 'Supplier', 'Other'] as const;

export type CustomColumns = {
  columns: Columns;
  /** What a row says of the custom fields in the file, as it is kept: field id -> value, "" where the cell is empty. */
  values: (row: Readonly<Record<string, unknown>>) => Map<bigint, string>;
};

/**
 * The columns for custom fields among a file's headings: `Custom: Label`, or, for a field that is not configured yet and
 * so is made, `Custom: Label (Integer)` or, for relations, `Custom: Label (Integer, Customer)`.
 */
export async function customColumns(
  { db, administration, headings, headingLine, report }: ImportContext,
  owner: Owner,
): Promise<CustomColumns> {
  const columns: Record<string, Column> = {};
  const fields = new Map<string, bigint>();
  const headingOf = new Map<string, string>();
  const configured = await db
    .selectFrom('custom_field')
    .where('administration_id', '=', administration.id)
    .where('owner', '=', owner)
    .selectAll()
    .execute();
  for (const heading of headings) {
    if (!isCustomHeading(heading) || fields.has(heading)) continue;
    const known = configured.find((field) => field.label === heading.slice(PREFIX.length).trim());
    const asked = known === undefined ? parsed(heading) : { label: known.label, type: undefined, role: undefined };
    if (!isLabel(asked.label)) {
      report(headingLine, heading, labelExpected);
      continue;
    }
    const same = headingOf.get(asked.label);
    if (same !== undefined) {
      report(headingLine, heading, `expected a custom field once, but "${same}" is the same one`);
      continue;
    }
    headingOf.set(asked.label, heading);
    const field: Pick<Row<'custom_field'>, 'id' | 'field_type' | 'type_of_relation'> = configured.find(
      ({ label }) => label === asked.label,
    ) ??
    (await db
      .insertInto('custom_field')
      .values({ administration_id: administration.id, ...newField(owner, asked) })
      .returning(['id', 'field_type', 'type_of_relation'])
      .executeTakeFirstOrThrow());
    if (asked.type !== undefined && asked.type !== field.field_type) {
      report(headingLine, heading, `expected the type ${field.field_type}, as the field is configured`);
    }
    if (asked.role !== undefined && field.type_of_relation !== null && asked.role !== field.type_of_relation) {
      report(headingLine, heading, `expected the role ${field.type_of_relation}, as the field is configured`);
    }
    columns[heading] = columnOf[field.field_type]();
    fields.set(heading, field.id);
  }
  return {
    columns,
    values: (row) =>
      new Map(
        [...fields].map(([heading, id]) => [id, row[heading] === undefined ? '' : String(row[heading])] as const),
      ),
  };
}

export const labelExpected = `expected a label of at most ${MOST_NAME} characters after "${PREFIX}"`;
const isLabel = (label: string): boolean => label !== '' && label.length <= MOST_NAME;

type NewField = Omit<NewRow<'custom_field'>, 'id' | 'administration_id'>;

/** The field a heading makes; undefined when it has no label that will do. */
export function fieldOfHeading(owner: Owner, heading: string): NewField | undefined {
  const asked = parsed(heading);
  return isLabel(asked.label) ? newField(owner, asked) : undefined;
}

/** The heading that makes a field. */
export const headingOfField = ({ label, field_type, type_of_relation }: NewField): string =>
  `${PREFIX} ${label} (${[field_type, ...((type_of_relation ?? null) === null ? [] : [type_of_relation])].join(', ')})`;

type Asked = { label: string; type?: CustomFieldType | undefined; role?: (typeof roles)[number] | undefined };

const newField = (owner: Owner, { label, type, role }: Asked): NewField => ({
  owner,
  label,
  field_type: type ?? 'TextSmall',
  type_of_relation: owner === 'relation' ? (role ?? 'Customer') : null,
});

/** What stands between brackets at the end counts when it names a type or a role; else it belongs to the label. */
function parsed(heading: string): Asked {
  const whole = heading.slice(PREFIX.length).trim();
  const [, label = '', words = ''] = /^(.*?)\s*\(([^()]*)\)$/s.exec(whole) ?? [];
  const given = words.split(',').map((word) => word.trim());
  const type = customFieldTypes.find((word) => given.includes(word));
  const role = roles.find((word) => given.includes(word));
  if (given.length !== (type === undefined ? 0 : 1) + (role === undefined ? 0 : 1)) return { label: whole };
  return { label, ...(type === undefined ? {} : { type }), ...(role === undefined ? {} : { role }) };
}
