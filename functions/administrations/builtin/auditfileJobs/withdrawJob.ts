import { Problem } from '../../../../shared/problem.ts';
import type { FiscalDays, ImportOptions } from '../../administration.ts';
import { CommandError } from '../files/commandError.ts';
import { withdrawYear } from '../import/auditfile/withdrawYear.ts';
import { rememberedWrites, rememberWrites } from '../pushedWrites/appliedWrites.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';

/**
 * Removes what audit files brought into a fiscal year. The key is stored in its transaction: with the same one it is done
 * once, whatever was imported since.
 */
export async function withdrawJob(
  context: EndpointContext,
  year: FiscalDays,
  { key, signal }: Pick<ImportOptions, 'key' | 'signal'>,
): Promise<void> {
  const { db, administration, author } = context;
  if ((await rememberedWrites(context, [key])).has(key)) return;
  try {
    await withdrawYear(db, administration.id, year, context.now(), {
      author,
      onRemoving: () => signal.throwIfAborted(),
      finish: (trx, brought) => rememberWrites({ ...context, db: trx }, new Map([[key, JSON.stringify(brought)]])),
    });
  } catch (failure) {
    if (failure instanceof CommandError) throw new Problem('CONFLICT', failure.message);
    throw failure;
  }
}
