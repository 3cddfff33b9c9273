import { odata, type TableClient } from '@azure/data-tables';
import { answered, unless } from '../storage/storage.ts';
import type { Run } from './run.ts';

/** What is remembered of an administration's exports. */
export type Records = {
  /** Since when the administration is known: moments before are no business of ours. Seconds since 1970. */
  since: number;
  /** The latest moment a message was put on the queue for, and when. */
  queued: { moment: number; on: number } | undefined;
  /** The earliest first. */
  runs: Kept[];
};

/** A run as it was read; it can be changed only while nobody else changed it. */
export type Kept = { run: Run; etag: string };

/** Somebody else works on the run by now. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** The row of the administration itself; comes after every date. */
const ITSELF = 'administration';
type Row = { run?: string; since?: string; queuedFor?: string; queuedOn?: string };
/** The row of what is done for all of them; no administration has such a name. */
const ALL = { partitionKey: '_', rowKey: 'all' };

/** The records of exports in a table: a row for each run, in a partition for each administration. */
export const exportRecords = (table: () => Promise<TableClient>) => ({
  /**
   * @param now seconds since 1970, noted down when the administration is seen for the first time
   * @param from the date of the first run asked for; left out: all runs
   */
  async read(administration: string, now: number, from = ''): Promise<Records> {
    const runs: Kept[] = [];
    let itself: Row | undefined;
    const filter = odata`PartitionKey eq ${administration} and RowKey ge ${from}`;
    for await (const row of (await table()).listEntities<Row>({ queryOptions: { filter } })) {
      if (row.rowKey === ITSELF) itself = row;
      else runs.push({ run: JSON.parse(row.run!) as Run, etag: row.etag });
    }
    if (itself === undefined) {
      itself = { since: String(now) };
      const entity = { partitionKey: administration, rowKey: ITSELF, ...itself };
      await (await table()).createEntity(entity).catch(unless(409));
    }
    runs.sort((a, b) => a.run.startedOn - b.run.startedOn);
    const { since, queuedFor, queuedOn } = itself;
    const queued = queuedFor === undefined ? undefined : { moment: Number(queuedFor), on: Number(queuedOn) };
    return { since: Number(since), queued, runs };
  },

  /** Notes down that a message is put on the queue. */
  async noteQueued(administration: string, moment: number, now: number): Promise<void> {
    const note = { queuedFor: String(moment), queuedOn: String(now) };
    await (await table()).updateEntity({ partitionKey: administration, rowKey: ITSELF, ...note }, 'Merge');
  },

  /** @throws Overtaken when there is a run of that date already */
  async add(administration: string, run: Run): Promise<Kept> {
    const entity = { partitionKey: administration, rowKey: run.date, run: JSON.stringify(run) };
    const { etag } = await (await table()).createEntity(entity).catch(overtakenAt(409));
    return { run, etag: etag! };
  },

  /** @throws Overtaken when it was changed, or removed, since it was read */
  async change(administration: string, { etag }: Kept, run: Run): Promise<Kept> {
    const entity = { partitionKey: administration, rowKey: run.date, run: JSON.stringify(run) };
    const changed = await (await table()).updateEntity(entity, 'Replace', { etag }).catch(overtakenAt(412, 404));
    return { run, etag: changed.etag! };
  },

  async remove(administration: string, date: string): Promise<void> {
    await (await table()).deleteEntity(administration, date).catch(unless(404));
  },

  /** The names of all that were ever seen and not forgotten. */
  async administrations(): Promise<string[]> {
    const queryOptions = { filter: odata`RowKey eq ${ITSELF}`, select: ['PartitionKey'] };
    const rows = await Array.fromAsync((await table()).listEntities<{ partitionKey: string }>({ queryOptions }));
    return rows.map(({ partitionKey }) => partitionKey);
  },

  /** Forgets an administration without runs, as if it had never been seen. */
  async forget(administration: string): Promise<void> {
    await (await table()).deleteEntity(administration, ITSELF).catch(unless(404));
  },

  /** The day old exports were last looked for; undefined: never. */
  async tidiedOn(): Promise<string | undefined> {
    const row = await (await table()).getEntity<{ day: string }>(ALL.partitionKey, ALL.rowKey).catch(unless(404));
    return row?.day;
  },

  async noteTidied(day: string): Promise<void> {
    await (await table()).upsertEntity({ ...ALL, day });
  },
});

export type ExportRecords = ReturnType<typeof exportRecords>;

const overtakenAt =
  (...statuses: number[]) =>
  (failure: unknown): never => {
    throw answered(failure, ...statuses)
      ? new Overtaken('Another worker has this export.', { cause: failure })
      : failure;
  };
