import type { Credential } from '../../../../shared/client/client.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { Product } from '../../../../shared/resources/product.ts';
import type { ProductWrite, ProductWriter, WriteOutcome } from '../../administration.ts';
import { signIn } from '../credentials/signIn.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { type EndpointContext, writing } from '../sql/endpointContext.ts';
import type { Logging } from '../sql/logWriting/appendChanges.ts';
import { inSavepoint } from '../sql/transaction.ts';
import { addProductInTransaction } from './addProduct.ts';
import { rememberedResponses, rememberResponses } from './appliedWrites.ts';
import { updateProductInTransaction } from './updateProduct.ts';

/**
 * Writes in one transaction: more would make other writers wait longer, fewer would commit more often.
 * PostgreSQL caches 64 savepoints of a transaction; more of them slow down all transactions.
 */
const BATCH_SIZE = 50;

/** The delay before a push repeats a write after the database was busy. */
const BACKOFF_MS = 2000;

/**
 * Applies the writes of a push, several in one transaction, which stores their keys too. So each is applied once, also
 * when it is sent again after a deferred call whose commit may have succeeded.
 * @param credential opened the administration, and is checked again in each call
 */
export const productWriter = (context: EndpointContext, credential: Credential): ProductWriter => ({
  batchSize: BATCH_SIZE,
  concurrency: 1,
  isRateLimited: false,
  isRepeatable: () => true,
  async write(writes, onSending, signal) {
    signal.throwIfAborted();
    await onSending();
    try {
      const apply = async (transaction: EndpointContext, logging: Logging) =>
        // A revoked or expired key stops a running push; applied writes stay applied.
        carryOut(transaction, logging, writes, await refusalOf(transaction, credential));
      return await writing(context, apply, 'by record');
    } catch (cause) {
      if (!(cause instanceof Error && dialectOf(context.db).errors.isTransient(cause))) throw cause;
      const problem = new Problem('INTERNAL', 'The database cannot be reached, or is busy.', { cause });
      return writes.map(() => ({ kind: 'deferred', problem, after: BACKOFF_MS }));
    }
  },
});

/** Why a credential no longer opens the administration; undefined while it does. */
async function refusalOf({ db, today }: EndpointContext, credential: Credential): Promise<Problem | undefined> {
  try {
    await signIn(db, credential, today);
    return undefined;
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
}

async function carryOut(
  transaction: EndpointContext,
  logging: Logging,
  writes: readonly ProductWrite[],
  refusal: Problem | undefined,
): Promise<WriteOutcome[]> {
  const responses = await rememberedResponses(
    transaction,
    writes.map(({ key }) => key),
  );
  const applied = new Map<string, Product>();
  const outcomes: WriteOutcome[] = [];
  let endpoint = writes[0]?.name;
  for (const write of writes) {
    const known = responses.get(write.key) ?? applied.get(write.key);
    if (known !== undefined) {
      outcomes.push({ kind: 'applied', product: known });
      continue;
    }
    if (write.name !== endpoint) await logging.logSoFar(endpoint);
    endpoint = write.name;
    const outcome: WriteOutcome =
      refusal === undefined ? await outcomeOf(transaction, write) : { kind: 'refused', problem: refusal };
    if (outcome.kind === 'applied') applied.set(write.key, outcome.product);
    outcomes.push(outcome);
  }
  await rememberResponses(transaction, applied);
  await logging.logSoFar(endpoint);
  return outcomes;
}

async function outcomeOf(transaction: EndpointContext, write: ProductWrite): Promise<WriteOutcome> {
  try {
    const product = await inSavepoint(transaction.db, () =>
      write.name === 'updateproduct'
        ? updateProductInTransaction(transaction, write.request)
        : addProductInTransaction(transaction, write.request),
    );
    return { kind: 'applied', product };
  } catch (problem) {
    if (problem instanceof Problem) return { kind: 'refused', problem };
    throw problem;
  }
}
