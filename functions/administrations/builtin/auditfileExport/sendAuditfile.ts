import { Problem } from '../../../../shared/problem.ts';
import { CommandError } from '../files/commandError.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { withTimeout } from '../sql/timeout.ts';
import { atOneMoment } from '../sql/transaction.ts';
import { type AuditfileOptions, writeAuditfile } from './writeAuditfile.ts';

/** A fiscal year that is to be written. */
export type AuditfileOrder = { administration: Row<'administration'>; options: AuditfileOptions };

/** Characters that are sent at once. */
const BLOCK = 256 * 1024;

/**
 * Writes a fiscal year, as it is at one moment, in blocks.
 * @param send gets each, and resolves when the next is wanted
 * @throws Problem INVALID_REQUEST when the year cannot be written, mostly before the first block
 */
export async function sendAuditfile(
  db: Database,
  { administration, options }: AuditfileOrder,
  send: (block: string) => Promise<void>,
): Promise<void> {
  let block = '';
  const flush = async () => {
    const text = block;
    block = '';
    await send(text);
  };
  try {
    await withTimeout(db, () =>
      atOneMoment(db, async (snapshot) => {
        await writeAuditfile(snapshot, administration, options, async (text) => {
          block += text;
          if (block.length >= BLOCK) await flush();
        });
        await flush();
      }),
    );
  } catch (failure) {
    if (failure instanceof CommandError) throw new Problem('INVALID_REQUEST', failure.message);
    throw failure;
  }
}
