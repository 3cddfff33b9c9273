import { setTimeout as sleep } from 'node:timers/promises';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { Push, PushChoices, PushedRowInput, PushRow } from '../../../../shared/resources/push.ts';
import { backoffMs, retries } from '../../../../shared/retry.ts';
import { CommandError, reasonOf } from '../files/commandError.ts';

/** What the command shows of a push, and what the person decides. */
type SendIO = {
  /** Called with a line of progress. */
  show: (line: string) => void;
  /** Aborted when the person stops the command: the push is cancelled. */
  interrupted: AbortSignal | undefined;
  /** Asks whether rows may do what cannot be taken back. @throws CommandError when they may not */
  confirm: (question: string) => Promise<void>;
};

/** The app did not respond, however often it was asked. */
class NoResponse extends CommandError {}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof Problem && failure.status < 500 && failure.code !== 'RATE_LIMIT';

/** Whether a push goes on in the app after a failure to begin or to follow it. */
export const mayGoOn = (failure: unknown): boolean =>
  failure instanceof NoResponse || (failure instanceof Problem && !isRefusal(failure));

/** Milliseconds between two requests for the state of a push. */
const INTERVAL_MS = 500;

/**
 * Begins a push, or finds the one that began with this key, and follows it to its end. Documents that one had lost are
 * looked for once more.
 * @returns the rows by their numbers
 * @throws Problem INVALID_REQUEST with one error per row, and others of the app; CommandError when it does not respond
 */
export async function pushAndFollow(
  client: PushClient,
  rows: readonly PushedRowInput[],
  key: string,
  choices: PushChoices,
  io: SendIO,
): Promise<{ push: Push; rows: Map<number, PushRow> }> {
  const { id, state, counts } = await begun(client, rows, key, choices, io);
  if (state === 'ended' && counts.unknown! > 0) await persistently(() => client.lookAgain(id));
  const outcomes = new Map<number, PushRow>();
  let isCancelled = false;
  for (let after = ''; ; ) {
    if (io.interrupted?.aborted && !isCancelled) {
      await persistently(() => client.cancel(id));
      isCancelled = true;
    }
    const changes = await persistently(() => client.changes(id, after));
    for (const row of changes.rows) outcomes.set(row.row!, row);
    after = changes.cursor;
    io.show(progressOf(changes.push));
    if (changes.push.state === 'ended' && !changes.more) return { push: changes.push, rows: outcomes };
    if (!changes.more) await sleep(INTERVAL_MS);
  }
}

async function begun(
  client: PushClient,
  rows: readonly PushedRowInput[],
  key: string,
  choices: PushChoices,
  { confirm }: SendIO,
): Promise<Push> {
  try {
    return await persistently(() => client.begin(rows, key, undefined, choices));
  } catch (problem) {
    const unconfirmed = problem instanceof Problem && problem.errors.find(({ code }) => code === 'NOT_CONFIRMED');
    if (!unconfirmed) throw problem;
    const { mails = 0, periodicInvoices = 0 } = unconfirmed.params as { mails?: number; periodicInvoices?: number };
    await confirm(`${mails} rows send mail to customers, ${periodicInvoices} begin periodic invoices. Push them?`);
    const confirmed = { mails, periodicInvoices };
    return persistently(() => client.begin(rows, key, undefined, { ...choices, confirmed }));
  }
}

/** Repeats a request while the app does not respond, or asks to wait: the same request changes nothing twice. */
async function persistently<Result>(request: () => Promise<Result>): Promise<Result> {
  const retry = retries.pushCommand;
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (failure) {
      if (isRefusal(failure)) throw failure;
      if (attempt >= retry.maxAttempts) {
        if (failure instanceof Problem) throw failure;
        throw new NoResponse(
          `The app does not respond: ${reasonOf(failure)}. What was sent goes on there; run the command again to follow it.`,
        );
      }
      const retryAfterMs = failure instanceof Problem ? 1000 * Number(failure.headers['Retry-After'] ?? 0) : 0;
      await sleep(backoffMs(attempt, retry, { retryAfterMs }));
    }
  }
}

const WIDTH = 30;

/** `[#########-------]  120 of 400 rows, 3 refused` */
function progressOf({ total, counts }: Push): string {
  const { waiting, sending, refused, unknown, cancelled } = counts as Record<string, number>;
  const done = total! - waiting! - sending!;
  const filled = Math.round((WIDTH * done) / Math.max(1, total!));
  const others = Object.entries({ refused, unknown, cancelled }).filter(([, count]) => count! > 0);
  const told = others.map(([state, count]) => `, ${count} ${state}`).join('');
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]  ${done} of ${total} rows${told}`;
}
