/**
 * The longest time for which some work kept everybody else in this thread waiting.
 * @returns milliseconds of the processor, so that other processes of a busy machine do not count
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let before = spent();
  const endTurn = () => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const next = () => {
    endTurn();
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await work();
  isOver = true;
  endTurn();
  return longest;
}
