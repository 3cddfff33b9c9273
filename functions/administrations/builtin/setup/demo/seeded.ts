/** Pseudo-random numbers that are the same on every machine. */
export type Seeded = {
  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number;
  /** A whole number from one to another, both included. */
  from(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with a probability in percent. */
  chance(percentage: number): boolean;
  /** So many decimal digits. */
  digits(count: number): string;
};

/** Marsaglia's xorshift of 32 bits: whole numbers only, so that floats of a processor make no difference. */
export function seeded(seed: number): Seeded {
  let state = seed | 0 || 1;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return {
    below,
    from: (least, most) => least + below(most - least + 1),
    pick: (list) => list[below(list.length)]!,
    chance: (percentage) => below(100) < percentage,
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  };
}
