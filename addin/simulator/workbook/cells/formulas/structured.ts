import { sameName } from '../address.ts';
import { rewriteTokens } from './formulaTokens.ts';

/* References to tables: `Table1[Amount]`, `[@Amount]`, `Table1[[#Headers],[Amount]:[Total]]`. */

/** What a structured reference names of its table. */
export type Structured = {
  /** As `#Headers`. */
  items: readonly string[];
  /** Written with an `@`. */
  isThisRow: boolean;
  /** A column, or the first and the last one; undefined for all. */
  first?: string | undefined;
  last?: string | undefined;
};

const unescaped = (name: string): string => name.replace(/'(.)/gs, '$1');
const inBrackets = (column: string): string => `[${column.replace(/[[\]#'@]/g, "'$&")}]`;

/** Characters for which the name of a column stands in brackets of its own (support pages, "structured references"). */
const special = /[\t\r\n,:.[\]#'"{}$^&*+=<>/@\\!()%?`;~|-]|^\s|\s$/;

const readPieces = (text: string): Structured | undefined => {
  const pieces = [...text.matchAll(/\[((?:[^[\]']|'.)*)\]\s*(.?)/gs)];
  const items = pieces.flatMap(([, name]) => (name!.trim().startsWith('#') ? [name!.trim()] : []));
  const columns = pieces.filter(([, name]) => !name!.trim().startsWith('#'));
  const isRange = columns.length === 2 && columns[0]![2] === ':';
  if (columns.length > 1 && !isRange) return undefined;
  const [first, last] = columns.map(([, name]) => unescaped(name!));
  return { items, isThisRow: false, first, last };
};

/** Reads what stands behind the name of a table, in brackets; undefined when it is nothing that Excel knows. */
export const readStructured = (part: string): Structured | undefined => {
  const inner = part.slice(1, -1).trim();
  const isThisRow = inner.startsWith('@');
  const rest = isThisRow ? inner.slice(1).trim() : inner;
  if (rest.startsWith('[')) {
    const pieces = readPieces(rest);
    return pieces && { ...pieces, isThisRow };
  }
  if (rest.startsWith('#')) return { items: [rest], isThisRow };
  return rest === '' ? { items: [], isThisRow } : { items: [], isThisRow, first: unescaped(rest) };
};

export const isOfThisRow = ({ items, isThisRow }: Structured): boolean =>
  isThisRow || items.some((item) => /^#This Row$/i.test(item));

export const showStructured = ({ items, isThisRow, first, last }: Structured): string => {
  if (first === undefined) {
    if (isThisRow) return '[@]';
    return items.length > 1 ? `[${items.map((item) => `[${item}]`).join(',')}]` : `[${items[0] ?? ''}]`;
  }
  const columns = last === undefined ? inBrackets(first) : `${inBrackets(first)}:${inBrackets(last)}`;
  if (isThisRow) return last === undefined && /^[\p{L}\p{N}_]+$/u.test(first) ? `[@${first}]` : `[@${columns}]`;
  if (items.length === 0 && last === undefined) return special.test(first) ? `[${columns}]` : columns;
  return `[${[...items.map((item) => `[${item}]`), columns].join(',')}]`;
};

/** A table in formulas: its name, and whether the formula stands in it, where its name may be left out. */
export type NamedTable = { name: string; isHome: boolean };

/**
 * Changes the references to a table; undefined keeps one as it is.
 * @param change gets what a reference names, and the name of the table as it stands there: without one it may be empty
 */
export const mapTable = (
  formula: string,
  { name, isHome }: NamedTable,
  change: (structured: Structured, written: string) => string | undefined,
): string =>
  rewriteTokens(formula, ({ kind, table, part, sheet, name: word }) => {
    if (kind === 'name') {
      return sheet === undefined && sameName(word!, name) ? change({ items: [], isThisRow: false }, word!) : undefined;
    }
    if (kind !== 'structured' || (table === undefined ? !isHome : !sameName(table, name))) return undefined;
    const structured = readStructured(part!);
    return structured && change(structured, table ?? '');
  });

/** The formula after a table got another name. */
export const renameTableIn = (formula: string, before: string, after: string): string =>
  rewriteTokens(formula, ({ kind, sheet, name, table, part }) => {
    if (kind === 'name' && sheet === undefined && sameName(name!, before)) return after;
    return kind === 'structured' && table !== undefined && sameName(table, before) ? `${after}${part}` : undefined;
  });

/** The formula after columns of a table got other names. @param renamed gives the new name of a column */
export const renameColumnsIn = (
  formula: string,
  table: NamedTable,
  renamed: (column: string) => string | undefined,
): string =>
  mapTable(formula, table, (structured, written) => {
    const { first, last } = structured;
    const [one, other] = [first && renamed(first), last && renamed(last)];
    if (one === undefined && other === undefined) return undefined;
    return `${written}${showStructured({ ...structured, first: one ?? first, last: other ?? last })}`;
  });

/**
 * The formula after columns of a table were deleted: a reference to them is lost, and several columns become the others
 * among them.
 * @param before the columns that there were
 */
export const loseColumnsIn = (
  formula: string,
  table: NamedTable,
  before: readonly string[],
  isLost: (column: string) => boolean,
): string =>
  mapTable(formula, table, (structured, written) => {
    const { first, last } = structured;
    if (first === undefined) return undefined;
    const ends = [first, last ?? first].map((end) => before.findIndex((column) => sameName(column, end)));
    if (ends.includes(-1)) return undefined;
    const named = before.slice(Math.min(...ends), Math.max(...ends) + 1);
    const left = named.filter((column) => !isLost(column));
    if (left.length === named.length) return undefined;
    if (left.length === 0) return '#REF!';
    return `${written}${showStructured({ ...structured, first: left[0], last: left.length > 1 ? left.at(-1) : undefined })}`;
  });

/** The formula in which the table that it stands in is named, as it must be where it stands in none. */
export const withTable = (formula: string, table: string): string =>
  rewriteTokens(formula, ({ kind, table: written, part }) =>
    kind === 'structured' && written === undefined ? `${table}${part}` : undefined,
  );
