/** A collection of garbage, which other tests of this process left, may be in one of them. */
const TIMES = 5;

/**
 * The time of the processor that this thread spends on some work, the least of several times.
 * @returns milliseconds; to compare with other work of the same run, as they depend on the machine
 */
export async function threadTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < TIMES) {
    const start = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}
