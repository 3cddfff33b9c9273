type Limits = {
  /** Bytes of one key, and of all together. */
  ofKey: number;
  inAll: number;
};

/**
 * Counts the memory that callers hold: bodies that arrive slowly, responses that nobody reads. One that is alone always
 * fits, whatever its size.
 */
export function heldBytes({ ofKey, inAll }: Limits) {
  const held = new Map<string, number>();
  let all = 0;
  return {
    /** Adds bytes of a key, unless there are too many. @param own bytes that the same transfer holds already */
    take(key: string, bytes: number, own = 0): boolean {
      const before = held.get(key) ?? 0;
      const isAlone = before === own;
      if (!isAlone && (before + bytes > ofKey || all + bytes > inAll)) return false;
      held.set(key, before + bytes);
      all += bytes;
      return true;
    },
    release(key: string, bytes: number): void {
      const left = (held.get(key) ?? 0) - bytes;
      if (left > 0) held.set(key, left);
      else held.delete(key);
      all -= bytes;
    },
  };
}
