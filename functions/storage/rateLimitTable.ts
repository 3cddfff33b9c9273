import type { History, HistoryStore } from '../administrations/remote/rateLimit/rateLimitHistory.ts';
import type { Table } from './table.ts';

/** The name of the table, and of the row of each key, as the first versions stored them. */
export const RATE_LIMIT_TABLE = 'turns';

/** The rate limit history in a table of Azure Storage: a row for each key. */
export const rateLimitTable = (table: Table): HistoryStore => ({
  async read(key) {
    const row = await table.get(key, RATE_LIMIT_TABLE);
    if (row === undefined) return { history: { slots: [], heldUntil: 0 }, version: undefined };
    return { history: readHistory(row.values), version: row.version };
  },
  write(key, history, version) {
    const row = { partition: key, key: RATE_LIMIT_TABLE, values: valuesOf(history) };
    return version === undefined ? table.insert(row) : table.replace(row, version);
  },
  remove: (key, version) => table.remove(key, RATE_LIMIT_TABLE, version),
  async expire(before) {
    for await (const { partition, key, values, version } of table.list({ key: RATE_LIMIT_TABLE })) {
      const { slots, heldUntil } = readHistory(values);
      // Only if it is unchanged: another instance may be about to send.
      if (Math.max(slots.at(-1) ?? 0, heldUntil) < before) await table.remove(partition, key, version);
    }
  },
});

/** `slots`: the first in milliseconds since 1970, each further one as the difference from the previous one. */
const valuesOf = ({ slots, heldUntil }: History) => ({
  slots: slots.map((slot, index) => slot - (slots[index - 1] ?? 0)).join(' '),
  heldUntil: String(heldUntil),
});

function readHistory({ slots = '', heldUntil }: Readonly<Record<string, string>>): History {
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
