import type { Table } from '../../storage/table.ts';
import { byStart, isFuture, isUnmarkedAhead, type Run } from './run.ts';

type Records = {
  /** When the administration was first seen: earlier moments need no export. Seconds since 1970. */
  since: number;
  /** The latest moment a message was put on the queue for, and when; `on` is 0 while that is not known. */
  queued: { moment: number; on: number } | undefined;
  /** The earliest first. */
  runs: StoredRun[];
};

/** A stored run with its version; it can be replaced only while no other worker changed it. */
export type StoredRun = { run: Run; version: string };

/** Another worker has changed the run since it was read. */
export class OvertakenError extends Error {
  override readonly name = 'Overtaken';
}

/** The row of the administration itself; comes after every date. */
const ITSELF = 'administration';
/** Characters of a value. */
const MAX_VALUE = 32_768;
/** The rows for all administrations together; no administration has such a name. */
const ALL = { partition: '_', key: 'all' };
const COMPLETE = { partition: '_', key: 'complete' };

/** Every administration is exported for a moment of the schedule, or was not known yet. */
export type Complete = {
  moment: number;
  /** Of the names of the administrations. */
  digest: string;
  /** Those that have no export yet. */
  without: readonly string[];
};

/** The records of exports in a table: a row for each run, in a partition for each administration. */
export const runRecords = (table: Table) => ({
  /**
   * @param now seconds since 1970, recorded when the administration is seen for the first time, or when that is in the
   * future
   * @param from the date of the first run to read; left out: all runs
   */
  async read(administration: string, now: number, from = ''): Promise<Records> {
    const runs: StoredRun[] = [];
    let itself: Readonly<Record<string, string>> | undefined;
    const row = { partition: administration, key: ITSELF };
    for await (const { key, values, version } of table.list({ partition: administration, from })) {
      if (key === ITSELF) itself = values;
      else runs.push({ run: JSON.parse(values.run!) as Run, version });
    }
    if (itself === undefined) {
      itself = { since: String(now) };
      await table.insert({ ...row, values: itself });
    } else if (isFuture(Number(itself.since), now)) {
      // The clock was ahead: without this no export would be due until then.
      itself = { ...itself, since: String(now) };
      await table.merge({ ...row, values: { since: String(now) } });
    }
    runs.sort((one, other) => byStart(one.run, other.run));
    const { since, queuedFor, queuedOn } = itself;
    const queued = queuedFor === undefined ? undefined : { moment: Number(queuedFor), on: Number(queuedOn) };
    return { since: Number(since), queued, runs };
  },

  /**
   * Marks the exports of a clock that was ahead: once their moment has come nothing else tells that they were made
   * earlier. Only for who is about to make exports: a reader whose clock is behind would mark good ones.
   */
  async markAhead(administration: string, runs: readonly StoredRun[], now: number): Promise<StoredRun[]> {
    const marked = [...runs];
    for (const [index, { run, version }] of runs.entries()) {
      if (!isUnmarkedAhead(run, now)) continue;
      const ahead = { ...run, isAhead: true };
      marked[index] = { run: ahead, version: (await table.replace(rowOf(administration, ahead), version)) ?? version };
    }
    return marked.sort((one, other) => byStart(one.run, other.run));
  },

  /** Records that a message is put on the queue. @param now undefined: it is not known yet whether that succeeds */
  recordQueued: (administration: string, moment: number, now: number | undefined): Promise<void> =>
    table.merge({
      partition: administration,
      key: ITSELF,
      values: { queuedFor: String(moment), queuedOn: String(now ?? 0) },
    }),

  /** @throws Overtaken when there is a run of that date already */
  add: async (administration: string, run: Run): Promise<StoredRun> =>
    stored(run, await table.insert(rowOf(administration, run))),

  /** @throws Overtaken when it was changed, or removed, since it was read */
  change: async (administration: string, { version }: StoredRun, run: Run): Promise<StoredRun> =>
    stored(run, await table.replace(rowOf(administration, run), version)),

  remove: (administration: string, date: string): Promise<boolean> => table.remove(administration, date),

  /** What was complete last, with its version. */
  async complete(): Promise<{ complete: Complete | undefined; version: string | undefined }> {
    const row = await table.get(COMPLETE.partition, COMPLETE.key);
    const text = row?.values.complete ?? '';
    return { complete: text === '' ? undefined : (JSON.parse(text) as Complete), version: row?.version };
  },

  /** Records that all is complete, unless an export was requested since the version was read. */
  async recordComplete(complete: Complete, version: string | undefined): Promise<void> {
    const row = { ...COMPLETE, values: { complete: JSON.stringify(complete) } };
    if (row.values.complete.length > MAX_VALUE) return;
    if (version === undefined) await table.insert(row);
    else await table.replace(row, version);
  },

  /** Records that an export begins besides those of the schedule. */
  recordIncomplete: (): Promise<void> => table.put({ ...COMPLETE, values: { complete: '' } }),

  /** The names of all recorded administrations. */
  administrations: (): Promise<string[]> => Array.fromAsync(table.list({ key: ITSELF }), ({ partition }) => partition),

  /** Removes the record of an administration without runs. */
  forget: (administration: string): Promise<boolean> => table.remove(administration, ITSELF),

  /** The day old exports were last looked for; undefined: never. */
  retainedOn: async (): Promise<string | undefined> => (await table.get(ALL.partition, ALL.key))?.values.day,

  recordRetained: (day: string): Promise<void> => table.put({ ...ALL, values: { day } }),
});

export type RunRecords = ReturnType<typeof runRecords>;

const rowOf = (administration: string, run: Run) => ({
  partition: administration,
  key: run.date,
  values: { run: JSON.stringify(run) },
});

function stored(run: Run, version: string | undefined): StoredRun {
  if (version === undefined) throw new OvertakenError('Another worker has this export.');
  return { run, version };
}
