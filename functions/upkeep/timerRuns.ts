import type { Table } from '../storage/table.ts';

/** When each timer ran last, on any instance. */
export type TimerRuns = {
  /** Name of a timer -> milliseconds since 1970. */
  read(): Promise<ReadonlyMap<string, number>>;
  record(name: string, at: number): Promise<void>;
};

const PARTITION = 'timers';

export const storedTimerRuns = (table: Table): TimerRuns => ({
  async read() {
    const runs = new Map<string, number>();
    for await (const { key, values } of table.list({ partition: PARTITION })) runs.set(key, Number(values.last));
    return runs;
  },
  record: (name, at) => table.put({ partition: PARTITION, key: name, values: { last: String(at) } }),
});

/** Without a storage account: the runs of this instance. */
export function ownTimerRuns(): TimerRuns {
  const runs = new Map<string, number>();
  return {
    read: async () => runs,
    record: async (name, at) => void runs.set(name, at),
  };
}
