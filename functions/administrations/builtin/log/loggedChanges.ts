import { parseJson } from '../../../../shared/wire/json.ts';
import { type Column, kinds } from '../sql/declarations/column.ts';
import { type TableName, tables } from '../sql/declarations/tables.ts';
import type { LogRow } from '../sql/logWriting/chain.ts';
import { columnsOf } from '../sql/rows.ts';

/** A changed row of a table. Values are readable: amounts are decimals, flags true and false. */
export type LoggedChange = {
  table: string;
  id: string | null;
  operation: 'insert' | 'update' | 'delete';
  old?: Readonly<Record<string, unknown>>;
  new?: Readonly<Record<string, unknown>>;
};

type Values = Record<string, unknown>;
type Stored = { table: TableName; id: unknown; operation: LoggedChange['operation']; old?: Values; new?: Values };

/** The changes in a row of the log, with personal values; of a whole administration, the counts by table. */
export function loggedChanges({ changes, personal }: LogRow): LoggedChange[] | [{ counts: Values; sha256: string }] {
  const stored = parseJson(changes) as Stored[] | [{ counts: Values; sha256: string }];
  if (stored[0] !== undefined && 'counts' in stored[0]) return [stored[0]];
  const personalChanges =
    personal === '' ? [] : (parseJson(personal) as { change: number; old?: Values; new?: Values }[]);
  const personalOf = new Map(personalChanges.map((values) => [values.change, values]));
  return (stored as Stored[]).map(({ table, id, operation, ...values }, place) => {
    const personalValues = personalOf.get(place);
    const side = (name: 'old' | 'new') => {
      const all = { ...values[name], ...personalValues?.[name] };
      return Object.keys(all).length === 0 ? {} : { [name]: readable(table, all) };
    };
    return { table, id: id === null ? null : String(id), operation, ...side('old'), ...side('new') };
  });
}

function readable(table: TableName, values: Values): Values {
  // Values of an unknown table or column, of another version, stay as they are.
  const columns = new Map<string, Column>(Object.hasOwn(tables, table) ? columnsOf(table) : []);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, readableValue(columns.get(name), value)]),
  );
}

function readableValue(column: Column | undefined, value: unknown): unknown {
  if (value === null || column === undefined) return plain(value);
  const kind = kinds[column.kind];
  if (kind.value === null || kind.blank === '') return plain(value);
  const toResponse = kind.toResponse as (stored: bigint, words: readonly string[]) => unknown;
  return toResponse(BigInt(String(value)), column.words);
}

/** A number with many digits as text. */
const plain = (value: unknown): unknown => (typeof value === 'object' && value !== null ? String(value) : value);
