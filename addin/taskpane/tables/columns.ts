import { plainText } from '../../../shared/plainText.ts';
import type { ColumnKind, FieldValue } from '../../excel/cell.ts';
import type { Column } from '../../excel/tables/table.ts';
import type { Messages } from '../locales/en.ts';

/** The format of a field. A `code` is shown as a word of the pane's language, `rich text` without its tags. */
type FieldKind = ColumnKind | 'code' | 'rich text';

/** The format and width of a field, and the source of its value if that is not the field of the same name. */
export type Field<Row> = [kind: FieldKind, width: number, value?: (row: Row) => FieldValue];

/** The columns of a table, in the order of its fields. */
export const columnsOf = <Row, Key extends string>(
  fields: Record<Key, Field<Row>>,
  headings: Record<Key, string>,
  messages: Messages,
  byItself: (row: Row, key: Key) => FieldValue,
): Column<Row>[] =>
  (Object.entries(fields) as [Key, Field<Row>][]).map(([key, [kind, width, value]]) => {
    const valueIn = value ?? ((row: Row) => byItself(row, key));
    return {
      key,
      heading: headings[key],
      kind: kind === 'code' || kind === 'rich text' ? 'text' : kind,
      width,
      value:
        kind === 'code'
          ? (row) => inWords(valueIn(row), messages)
          : kind === 'rich text'
            ? (row) => plain(valueIn(row))
            : valueIn,
    };
  });

/** The word for a code; an undocumented code unchanged. */
function inWords(code: FieldValue, { codes }: Messages): FieldValue {
  return typeof code === 'string' && Object.hasOwn(codes, code) ? codes[code as keyof Messages['codes']] : code;
}

const plain = (text: FieldValue): FieldValue => (typeof text === 'string' ? plainText(text) : text);
