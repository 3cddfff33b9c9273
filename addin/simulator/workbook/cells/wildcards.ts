/* Patterns of COUNTIF, of lookups and of filters. Regular expressions would try each way to divide a text among the `*`. */

/** Whether a text is like a pattern: `?` is a character, `*` any number of them, `~` takes the next one as it is. */
export function likeness(pattern: string): (text: string) => boolean {
  if (!/[*?~]/.test(pattern)) {
    const upper = pattern.toUpperCase();
    return (text) => text.length === pattern.length && (text === pattern || text.toUpperCase() === upper);
  }
  const parts = [...pattern.toUpperCase().matchAll(/~([*?~])|./gs)].map(([part, literal]) => ({
    isMany: part === '*',
    isOne: part === '?',
    text: literal ?? part,
  }));
  return (text) => isLikeParts(parts, text.toUpperCase());
}

/** Whether a text is like the parts of a pattern. After a mismatch only the last `*` takes one more character. */
function isLikeParts(parts: readonly { isMany: boolean; isOne: boolean; text: string }[], text: string): boolean {
  let [at, part, star, taken] = [0, 0, -1, 0];
  while (at < text.length) {
    const next = parts[part];
    if (next?.isMany) {
      star = part++;
      taken = at;
    } else if (next !== undefined && (next.isOne || next.text === text[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++taken;
    } else return false;
  }
  return parts.slice(part).every(({ isMany }) => isMany);
}
