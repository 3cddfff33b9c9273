import { parseJson } from '../../../../shared/wire/json.ts';
import type { LogRow } from '../sql/log/chain.ts';
import { columnsOf } from '../sql/rows.ts';
import { type Column, kinds } from '../sql/tables/column.ts';
import { type TableName, tables } from '../sql/tables/tables.ts';

/** A row of a table that changed. Values are as people read them: amounts as decimals, flags as true and false. */
export type LoggedChange = {
  table: string;
  id: string | null;
  operation: 'insert' | 'update' | 'delete';
  old?: Readonly<Record<string, unknown>>;
  new?: Readonly<Record<string, unknown>>;
};

type Values = Record<string, unknown>;
type Stored = { table: TableName; id: unknown; operation: LoggedChange['operation']; old?: Values; new?: Values };

/** What a row of the log tells, its personal values too; of a whole administration, the counts by table. */
export function loggedChanges({ changes, personal }: LogRow): LoggedChange[] | [{ counts: Values; sha256: string }] {
  const stored = parseJson(changes) as Stored[] | [{ counts: Values; sha256: string }];
  if (stored[0] !== undefined && 'counts' in stored[0]) return [stored[0]];
  const apart = personal === '' ? [] : (parseJson(personal) as { change: number; old?: Values; new?: Values }[]);
  const personalOf = new Map(apart.map((values) => [values.change, values]));
  return (stored as Stored[]).map(({ table, id, operation, ...values }, place) => {
    const own = personalOf.get(place);
    const side = (name: 'old' | 'new') => {
      const all = { ...values[name], ...own?.[name] };
      return Object.keys(all).length === 0 ? {} : { [name]: readable(table, all) };
    };
    return { table, id: id === null ? null : String(id), operation, ...side('old'), ...side('new') };
  });
}

function readable(table: TableName, values: Values): Values {
  // A table or column of a version before this one, or after it, is told as it stands.
  const columns = new Map<string, Column>(Object.hasOwn(tables, table) ? columnsOf(table) : []);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, readableValue(columns.get(name), value)]),
  );
}

function readableValue(column: Column | undefined, value: unknown): unknown {
  if (value === null || column === undefined || column.to !== null || column.kind === 'bytes') return plain(value);
  if (!['cents', 'decimal8', 'flag', 'either', 'long', 'integer'].includes(column.kind)) return plain(value);
  const toAnswer = kinds[column.kind].toAnswer as (stored: bigint, words: readonly string[]) => unknown;
  return toAnswer(BigInt(String(value)), column.words);
}

/** A number of many digits is text here. */
const plain = (value: unknown): unknown => (typeof value === 'object' && value !== null ? String(value) : value);
