import { type Cell, type ColumnKind, type FieldValue, textOfCell } from '../../excel/cell.ts';
import { BOLD_CHARACTER, CHARACTER, type Column, type Formula } from '../../excel/tables/table.ts';
import type { Messages } from '../locales/en.ts';
import { languages, wordsIn } from '../locales/words.ts';
import { withoutTags } from './richText.ts';

/** The format of a field. A `code` is shown as a word of the pane's language, `rich text` without its tags. */
type FieldKind = ColumnKind | 'code' | 'rich text';
type ValueOf<Row> = (row: Row, messages: Messages) => FieldValue;

/** The documented fields of a row: responses keep others too, so that any name is one of its type. */
export type FieldIn<Row> = keyof { [Name in keyof Row as string extends Name ? never : Name]: never };

/** The codes that the interface documents for a field, which have words in each language. */
type Codes = readonly (keyof Messages['codes'])[];
type Format = [kind: Exclude<FieldKind, 'code'>, width: number] | [kind: 'code', codes: Codes];

/**
 * The format and width of each field of a table, and the source of its value: by default the member of the row with the
 * same name, if there is one. A cell may be a formula with that value. A column of codes is as wide as their words.
 */
export type Fields<Row, Key extends PropertyKey> = Readonly<{
  [Name in Key]: Name extends FieldIn<Row>
    ? [...Format, value?: ValueOf<Row>, formula?: Formula<Row>]
    : [...Format, value: ValueOf<Row>, formula?: Formula<Row>];
}>;

type Entry<Row, Key> = [Key, [FieldKind, number | Codes, ValueOf<Row>?, Formula<Row>?]];

/** The columns of a table, in the order of its fields. */
export const columnsOf = <Row, Key extends string>(
  fields: Fields<Row, Key>,
  headings: Record<Key, string>,
  messages: Messages,
): Column<Row>[] =>
  (Object.entries(fields) as Entry<Row, Key>[]).map(([key, [kind, width, value, formula]]) => {
    const valueIn = value ?? ((row: Row) => (row as Record<Key, FieldValue>)[key]);
    return {
      key,
      heading: headings[key],
      kind: kind === 'code' || kind === 'rich text' ? 'text' : kind,
      width: typeof width === 'number' ? width : widthOf(width.map((code) => messages.codes[code])),
      ...(kind === 'code' ? { codeOf } : {}),
      ...(formula === undefined ? {} : { formula }),
      value:
        kind === 'code'
          ? (row) => inWords(valueIn(row, messages), messages)
          : kind === 'rich text'
            ? (row) => plain(valueIn(row, messages))
            : (row) => valueIn(row, messages),
    };
  });

/** The width of a column for any of these texts, in characters of the usual kind: a row of totals has them in bold. */
export const widthOf = (texts: readonly string[]): number =>
  Math.ceil((Math.max(...texts.map(({ length }) => length)) * BOLD_CHARACTER) / CHARACTER);

const codeOfWord = new Map(
  languages.flatMap((language) =>
    Object.entries(wordsIn[language].codes).map(([code, word]) => [word.toLowerCase(), code] as const),
  ),
);

/** The code of a word in any language of the pane; any other cell unchanged. */
export const codeOf = (cell: Cell): Cell => codeOfWord.get(textOfCell(cell).toLowerCase()) ?? cell;

/** The word for a code; an undocumented code unchanged. */
function inWords(code: FieldValue, { codes }: Messages): FieldValue {
  return typeof code === 'string' && Object.hasOwn(codes, code) ? codes[code as keyof Messages['codes']] : code;
}

const plain = (text: FieldValue): FieldValue => (typeof text === 'string' ? withoutTags(text) : text);
