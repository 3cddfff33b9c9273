/**
 * The time of the processor that this thread spends on some work, itself and all that it does meanwhile.
 * @returns milliseconds; to compare with other work of the same run, as they depend on the machine
 */
export async function threadTime(work: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
