import { setInterval } from 'node:timers/promises';
import { Problem } from '../../shared/problem.ts';
import type { AuditfileReport } from '../../shared/resources/generalLedger/auditfile.ts';
import { type WorkMessage, withLease, withTakeover } from '../storage/takeover.ts';
import { bindingOf, isRunning, type StoredAuditfile } from './auditfileStore.ts';
import { type AuditfileDependencies, type AuditfileLog, leaseOf } from './dependencies.ts';
import { PartsGone, withUnpackedFile } from './unpackedFile.ts';

/** Milliseconds between two records of the progress, which also find out whether the work is to be cancelled. */
const PROGRESS_MS = 250;
/** How often the same work is begun: one that ends every worker is not begun for ever. */
const MAX_ATTEMPTS = 3;
/** Seconds until work that failed is begun again. */
const RETRY_DELAY = 10;

/** Somebody has cancelled the work. */
class Cancelled extends Error {}

/**
 * Checks and imports the files of an administration, one after the other and one worker at a time. A superfluous message
 * does no harm.
 * @param over aborted when the app stops, or the function has run for too long: a later message begins the work again
 */
export async function workAuditfiles(
  dependencies: AuditfileDependencies,
  message: WorkMessage,
  over: AbortSignal,
  log: AuditfileLog,
): Promise<void> {
  const { owner } = message;
  const { queue, store } = dependencies;
  const delay = await withLease(dependencies, leaseOf(owner), message, over, (signal) =>
    withTakeover(queue, message, async () => {
      for (let next = await nextOf(store, owner); next !== undefined; next = await nextOf(store, owner)) {
        const delay = await workOn(dependencies, next, signal, log);
        if (delay !== undefined) return delay;
      }
      return undefined;
    }),
  );
  if (delay !== undefined) await queue.send({ owner }, delay);
}

/** The file whose work was asked for first: later work may build on it, as an import on the withdrawal of its year. */
const nextOf = async (store: AuditfileDependencies['store'], owner: string): Promise<StoredAuditfile | undefined> => {
  const askedOn = (file: StoredAuditfile) => file.askedOn ?? file.updatedOn;
  return (await store.list(owner)).filter(isRunning).sort((a, b) => askedOn(a) - askedOn(b))[0];
};

/** Does the work of a file. @returns the seconds after which another message is to begin it again; undefined: it ended */
async function workOn(
  dependencies: AuditfileDependencies,
  { owner, id }: StoredAuditfile,
  signal: AbortSignal,
  log: AuditfileLog,
): Promise<number | undefined> {
  const { store } = dependencies;
  const report = (event: string) => log(JSON.stringify({ event: `audit file ${event}`, auditfile: id }));
  /** Ends the work, unless another worker did. */
  const end = async (next: Partial<StoredAuditfile> & Pick<StoredAuditfile, 'state'>) => {
    const ended = { isCancelled: false, credential: '', attempts: 0 };
    await store.change(owner, id, (now) => (isRunning(now) ? { ...now, ...ended, ...next } : undefined));
    report(next.state);
  };
  const file = await store.change(owner, id, (now) =>
    isRunning(now) ? { ...now, attempts: now.attempts + 1, progress: 0 } : undefined,
  );
  if (!isRunning(file)) return undefined;
  const before = stateBefore(file);
  try {
    const earlier = await doneEarlier(dependencies, file);
    if (earlier === undefined && file.isCancelled) throw new Cancelled();
    if (earlier === undefined && file.attempts > MAX_ATTEMPTS) {
      const message = 'It was begun several times, and never came to an end.';
      return void (await end({ state: failed(before), message }));
    }
    const { report: result } = earlier ?? { report: await done(dependencies, file, signal) };
    if (result === undefined) {
      await endWithdrawn(store, file);
      report('withdrawn');
      return undefined;
    }
    const isImported = file.state === 'importing' && result.problemCount === 0;
    await end({
      state: isImported ? 'imported' : 'checked',
      report: result,
      message: '',
      progress: 100,
      endedOn: isImported ? Date.now() : null,
    });
    if (isImported) await store.removeParts(owner, id);
  } catch (failure) {
    if (failure instanceof Cancelled) await end({ state: before });
    else if (tookTooLong(signal)) return 0;
    else if (signal.aborted || isAway(failure)) {
      // The work was not to blame.
      await store.change(owner, id, (now) => ({ ...now, attempts: Math.max(0, now.attempts - 1) }));
      return signal.aborted ? 0 : RETRY_DELAY;
    } else if (failure instanceof Problem || failure instanceof PartsGone) {
      await end({ state: failed(before), message: failure.message });
    } else {
      report(`work failed: ${failure}`);
      return RETRY_DELAY;
    }
  }
  return undefined;
}

/** Whether work was ended since its slice was over, which counts as an attempt: it would take too long each time. */
const tookTooLong = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/** Whether the database cannot be used at the moment. An attempt before may have done the work all the same. */
const isAway = (failure: unknown): boolean => failure instanceof Problem && failure.code === 'UNAVAILABLE';

/** The key that is stored in the transaction of an import or a withdrawal. */
const keyOf = ({ id, state }: StoredAuditfile): string =>
  state === 'withdrawing' ? `auditfile ${id} withdrawn` : `auditfile ${id}`;

/** What an earlier worker did, which ended before it recorded that; undefined when none did the work. */
async function doneEarlier(
  { administrations }: AuditfileDependencies,
  file: StoredAuditfile,
): Promise<{ report: AuditfileReport | undefined } | undefined> {
  if (file.state === 'checking') return undefined;
  const key = keyOf(file);
  const text = (await administrations.appliedWrites?.applied([key]))?.get(key);
  if (text === undefined) return undefined;
  return { report: file.state === 'importing' ? JSON.parse(text) : undefined };
}

/** The state of a file whose work ends without a change. */
function stateBefore({ state, report }: StoredAuditfile): 'receiving' | 'checked' | 'imported' {
  if (state === 'withdrawing') return 'imported';
  return state === 'checking' || report === null ? 'receiving' : 'checked';
}

/** The state of a file whose work failed: what was imported still is. */
const failed = (before: ReturnType<typeof stateBefore>) => (before === 'imported' ? before : ('failed' as const));

/** Every file that brought something into that year has been withdrawn; the one of the work is last, so that all are. */
async function endWithdrawn(
  store: AuditfileDependencies['store'],
  { owner, id, report, updatedOn }: StoredAuditfile,
): Promise<void> {
  const earlier = (await store.list(owner)).filter(
    (one) => one.state === 'imported' && one.report?.firstDay === report?.firstDay && one.updatedOn <= updatedOn,
  );
  for (const one of [...earlier.map((file) => file.id), id]) {
    await store.change(owner, one, (now) =>
      now.state === 'imported' || now.state === 'withdrawing'
        ? { ...now, state: 'withdrawn', isCancelled: false, attempts: 0, credential: '', endedOn: Date.now() }
        : undefined,
    );
  }
}

/**
 * Checks or imports a file, or withdraws its year; records the progress meanwhile, and ends when it is cancelled.
 * @returns the report of a check or an import
 */
async function done(
  { administrations, secrets, store }: AuditfileDependencies,
  file: StoredAuditfile,
  over: AbortSignal,
): Promise<AuditfileReport | undefined> {
  const { owner, id, bytes, choices, report } = file;
  const isCheck = file.state === 'checking';
  const importer = await administrations.auditfiles?.(secrets.decrypted(file.credential, bindingOf(file)));
  if (importer === undefined) throw new Problem('NOT_IMPLEMENTED', 'The service behind this one takes no audit files.');
  const ended = new AbortController();
  const cancelled = new AbortController();
  const signal = AbortSignal.any([over, cancelled.signal]);
  let read = 0;
  const recording = recordProgress(ended.signal, async () => {
    // Each byte counts twice: when it is read, and when it is stored.
    const progress = Math.min(99, Math.floor((read * 50) / bytes));
    const now = await store.change(owner, id, (one) =>
      isRunning(one) && one.progress !== progress ? { ...one, progress } : undefined,
    );
    if (now.isCancelled) cancelled.abort(new Cancelled());
  });
  try {
    if (file.state === 'withdrawing') {
      const year = { first: report!.firstDay, last: report!.lastDay };
      await importer.withdraw(year, { key: keyOf(file), signal });
      return undefined;
    }
    return await withUnpackedFile(store, file, signal, (path) =>
      importer.import(path, {
        // What contradicts itself, and what differs, is in the report of a check: the person says whether to take it.
        ...(isCheck ? { replace: true, takeWithWarnings: true } : choices),
        key: keyOf(file),
        isCheck,
        signal,
        onRead(bytes) {
          read += bytes;
        },
      }),
    );
  } finally {
    ended.abort();
    await recording;
  }
}

/** Records something again and again until the signal; a failure to record it ends nothing. */
async function recordProgress(done: AbortSignal, record: () => Promise<void>): Promise<void> {
  try {
    for await (const _ of setInterval(PROGRESS_MS, undefined, { signal: done })) {
      await record().catch((failure) => console.warn(`The progress of an audit file was not recorded: ${failure}`));
    }
  } catch (failure) {
    if (!done.aborted) throw failure;
  }
}
