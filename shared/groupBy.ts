/** Groups a list by the key of each element, in order: `Map.groupBy`, which WebKit before 17.4 lacks. */
export function groupBy<Element, Key>(list: Iterable<Element>, keyOf: (element: Element) => Key): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of list) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}
