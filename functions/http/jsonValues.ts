const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, OPEN_OBJECT] = [34, 44, 92, 91, 123];

/**
 * Counts the values of a JSON text while its bytes arrive, so that too many are refused before they take memory.
 * @returns a function that takes the next bytes, and returns the position at which there were more than `max`
 */
export function jsonValues(max: number): (bytes: Buffer) => number | undefined {
  let values = 0;
  let before = 0;
  let inText = false;
  /** Whether an odd number of backslashes ended the last bytes, inside a text. */
  let isEscaped = false;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      if (inText) {
        const quote = bytes.indexOf(QUOTE, at);
        const end = quote < 0 ? bytes.length : quote;
        isEscaped = (backslashesBefore(bytes, at, end) + (isEscaped && isOnly(bytes, at, end) ? 1 : 0)) % 2 === 1;
        at = end;
        if (quote < 0) break;
        if (!isEscaped) inText = false;
        isEscaped = false;
        continue;
      }
      const byte = bytes[at];
      if (byte === QUOTE) inText = true;
      else if ((byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) && ++values >= max) return before + at;
    }
    before += bytes.length;
    return undefined;
  };
}

/** The backslashes right before a position, as far as another one. */
function backslashesBefore(bytes: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && bytes[at - 1] === BACKSLASH) at--;
  return end - at;
}

const isOnly = (bytes: Buffer, from: number, end: number): boolean =>
  backslashesBefore(bytes, from, end) === end - from;
