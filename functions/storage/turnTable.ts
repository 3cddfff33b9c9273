import { RestError, type TableClient } from '@azure/data-tables';
import type { TurnRecord, Turns } from '../administrations/remote/turnBook.ts';

/** `slots`: the first in milliseconds since 1970, each other one as what it comes after the one before it. */
type Row = { slots: string; heldUntil: string };

const ROW = 'turns';

/**
 * Turns in a table of Azure Storage, an entity for each key. Who writes says by its etag what it read, so that of two who
 * write at once the second learns that it was.
 * @param table one that exists
 */
export const turnTable = (table: TableClient): TurnRecord => ({
  async read(key) {
    const row = await unless(['ResourceNotFound'], table.getEntity<Row>(key, ROW));
    if (row === undefined) return { turns: { slots: [], heldUntil: 0 }, version: undefined };
    return { turns: turnsIn(row), version: row.etag };
  },
  async write(key, turns, version) {
    const entity = { partitionKey: key, rowKey: ROW, ...rowOf(turns) };
    const written =
      version === undefined
        ? await unless(['EntityAlreadyExists'], table.createEntity(entity))
        : await unless(
            ['UpdateConditionNotSatisfied', 'ResourceNotFound'],
            table.updateEntity(entity, 'Replace', { etag: version }),
          );
    return written?.etag;
  },
});

/** What the table answers; undefined where that is one of these errors. */
async function unless<Answer>(codes: readonly string[], asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (failure) {
    const code = failure instanceof RestError ? Object(failure.details).odataError?.code : undefined;
    if (codes.includes(code)) return undefined;
    throw failure;
  }
}

const rowOf = ({ slots, heldUntil }: Turns): Row => ({
  slots: slots.map((slot, index) => slot - (slots[index - 1] ?? 0)).join(' '),
  heldUntil: String(heldUntil),
});

function turnsIn({ slots, heldUntil }: Row): Turns {
  let last = 0;
  const read = slots.split(' ').filter((text) => text !== '');
  return {
    slots: read.map((text) => {
      last += Number(text);
      return last;
    }),
    heldUntil: Number(heldUntil),
  };
}
