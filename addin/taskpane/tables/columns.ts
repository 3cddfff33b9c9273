import type { ColumnKind, FieldValue } from '../../excel/cell.ts';
import type { Column } from '../../excel/table.ts';

/** How a field is shown, how wide, and where its value comes from when it is not the row's field of its name. */
export type Field<Row> = [kind: ColumnKind, width: number, value?: (row: Row) => FieldValue];

/** The columns of a table, in the order of its fields. */
export const columnsOf = <Row, Key extends string>(
  fields: Record<Key, Field<Row>>,
  headings: Record<Key, string>,
  byItself: (row: Row, key: Key) => FieldValue,
): Column<Row>[] =>
  (Object.entries(fields) as [Key, Field<Row>][]).map(([key, [kind, width, value]]) => ({
    key,
    heading: headings[key],
    kind,
    width,
    value: value ?? ((row) => byItself(row, key)),
  }));
