/** Milliseconds of work after which whatever else waits has its turn: a page draws, and takes clicks. */
const TURN_MS = 8;
/** When the present turn has lasted so long: it is one for all lists that are worked on in it, one after the other. */
let end = 0;

/** Lets whatever else waits have its turn. A timer would wait for milliseconds, and in a hidden page for a second. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** The results of many items, whose work does not keep a page from being drawn. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  resultOf: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    // The time is not free either.
    if (results.push(resultOf(item, index)) % 32 > 0 || performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
  return results;
}
