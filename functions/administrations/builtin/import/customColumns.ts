import type { CustomFieldType } from '../../../../shared/resources/customField.ts';
import { type Column, type Columns, day, decimal, flag, text, whole } from '../files/column.ts';
import { isCustomHeading, isLabel, labelExpected, labelText, newField, readHeading } from '../files/customHeadings.ts';
import type { Database } from '../sql/database.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Row } from '../sql/schema.ts';
import type { ImportContext } from './importRows.ts';

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

export type CustomColumns = {
  columns: Columns;
  /** The stored values of the custom fields in a row: field id -> value, "" for an empty cell. */
  values: (row: Readonly<Record<string, unknown>>) => Map<bigint, string>;
};

/**
 * The columns for custom fields among a file's headings: `Custom: Label`. A field that is not configured yet is made, as
 * `Custom: Label (Integer)` says, or, for relations, `Custom: Label (Integer, Customer)`.
 */
export async function customColumns(
  { db, administration, headings, headingLine, report }: ImportContext,
  owner: Row<'custom_field'>['owner'],
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
    const known = configured.find((field) => field.label === labelText(heading));
    const named = known === undefined ? readHeading(heading) : { label: known.label, type: undefined, role: undefined };
    if (!isLabel(named.label)) {
      report(headingLine, heading, labelExpected);
      continue;
    }
    const same = headingOf.get(named.label);
    if (same !== undefined) {
      report(headingLine, heading, `expected a custom field once, but "${same}" is the same one`);
      continue;
    }
    headingOf.set(named.label, heading);
    const field: Pick<Row<'custom_field'>, 'id' | 'field_type' | 'type_of_relation'> = configured.find(
      ({ label }) => label === named.label,
    ) ??
    (await db
      .insertInto('custom_field')
      .values({ administration_id: administration.id, ...newField(owner, named) })
      .returning(['id', 'field_type', 'type_of_relation'])
      .executeTakeFirstOrThrow());
    if (named.type !== undefined && named.type !== field.field_type) {
      report(headingLine, heading, `expected the type ${field.field_type}, as the field is configured`);
    }
    if (named.role !== undefined && field.type_of_relation !== null && named.role !== field.type_of_relation) {
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

type Owner = 'product' | 'relation';
/** A record with values of custom fields: field id -> value, "" for none. */
type WithCustomFields = { id: bigint; custom: ReadonlyMap<bigint, string> };

/** Stores the custom fields of new records. */
export const addCustomFields = (db: Database, owner: Owner, records: readonly WithCustomFields[]): Promise<void> =>
  insertRows(
    db,
    `${owner}_custom_field`,
    records.flatMap(({ id, custom }) =>
      [...custom].flatMap(([custom_field_id, value]) =>
        value === '' ? [] : { [`${owner}_id`]: id, custom_field_id, value },
      ),
    ) as never,
  );

/** Replaces some custom fields of a record. */
export async function replaceCustomFields(db: Database, owner: Owner, record: WithCustomFields): Promise<void> {
  if (record.custom.size === 0) return;
  await db
    .deleteFrom(`${owner}_custom_field` as 'product_custom_field')
    .where(`${owner}_id` as 'product_id', '=', record.id)
    .where('custom_field_id', 'in', [...record.custom.keys()])
    .execute();
  await addCustomFields(db, owner, [record]);
}

/** The stored custom fields of records: record id -> field id -> value. */
export async function customFieldsOf(
  db: Database,
  owner: Owner,
  ids: readonly bigint[],
): Promise<Map<bigint, Map<bigint, string>>> {
  const stored = new Map<bigint, Map<bigint, string>>();
  if (ids.length === 0) return stored;
  const id = `${owner}_id` as 'product_id';
  const fields = await db
    .selectFrom(`${owner}_custom_field` as 'product_custom_field')
    .where(id, 'in', ids)
    .selectAll()
    .execute();
  for (const field of fields) {
    stored.set(field[id], (stored.get(field[id]) ?? new Map()).set(field.custom_field_id, field.value));
  }
  return stored;
}
