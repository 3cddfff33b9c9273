type Store<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** A function that computes the result of each argument once. @param results a WeakMap, if they may be forgotten */
export const memoized =
  <Key, Value extends object>(compute: (key: Key) => Value, results: Store<Key, Value> = new Map()) =>
  (key: Key): Value => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    results.set(key, value);
    return value;
  };

/** A function that computes its result when it is first called, and once. */
export const once = <Value extends object>(compute: () => Value): (() => Value) => {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
};
