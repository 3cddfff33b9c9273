/** How many places are sorted at once, and merged before others have a turn. */
const RUN = 512;

/**
 * The numbers below `count` in order; equal ones stay as they are. It yields often, so that others have a turn.
 * @param compare as for `Array.prototype.sort`
 * @yields the part of the work that is done, from 0 to 1
 */
export function* stableOrder(count: number, compare: (a: number, b: number) => number): Generator<number, Uint32Array> {
  let from = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) from[index] = index;
  let to = new Uint32Array(count);
  const passes = 1 + Math.ceil(Math.log2(Math.max(1, count / RUN)));
  for (let start = 0; start < count; start += RUN) {
    from.set(Array.from(from.subarray(start, start + RUN)).sort(compare), start);
    yield start / count / passes;
  }
  let pass = 1;
  for (let width = RUN; width < count; width *= 2, pass += 1) {
    for (let start = 0; start < count; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, count), Math.min(start + 2 * width, count)];
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        const isLeft = right >= end || (left < middle && compare(from[left]!, from[right]!) <= 0);
        to[at] = from[isLeft ? left++ : right++]!;
        if (at % RUN === 0) yield (pass + at / count) / passes;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
