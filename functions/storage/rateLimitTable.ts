import type { TurnRecord, Turns } from '../administrations/remote/turnBook.ts';
import type { Table } from './table.ts';

const ROW = 'turns';

/** What rate limiters remember, in a table of Azure Storage: a row for each key. */
export const rateLimitTable = (table: Table): TurnRecord => ({
  async read(key) {
    const row = await table.get(key, ROW);
    if (row === undefined) return { turns: { slots: [], heldUntil: 0 }, version: undefined };
    return { turns: readTurns(row.values), version: row.version };
  },
  write(key, turns, version) {
    const row = { partition: key, key: ROW, values: valuesOf(turns) };
    return version === undefined ? table.insert(row) : table.replace(row, version);
  },
});

/** `slots`: the first in milliseconds since 1970, each other one as what it comes after the one before it. */
const valuesOf = ({ slots, heldUntil }: Turns) => ({
  slots: slots.map((slot, index) => slot - (slots[index - 1] ?? 0)).join(' '),
  heldUntil: String(heldUntil),
});

function readTurns({ slots = '', heldUntil }: Readonly<Record<string, string>>): Turns {
  let last = 0;
  const distances = slots.split(' ').filter((text) => text !== '');
  return {
    slots: distances.map((text) => {
      last += Number(text);
      return last;
    }),
    heldUntil: Number(heldUntil),
  };
}
