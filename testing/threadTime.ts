/** A collection of garbage, which other tests of this process left, may be in one of them. */
const MAX_TIMES = 5;

/**
 * The time of the processor that this thread spends on some work.
 * @param enough the work is repeated, a few times, until it takes less; left out: it is done once
 * @returns the least, in milliseconds; to compare with other work of the same run, as they depend on the machine
 */
export async function threadTime(work: () => Promise<unknown>, enough = Number.POSITIVE_INFINITY): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < MAX_TIMES && (times === 0 || least >= enough); times++) {
    const start = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
