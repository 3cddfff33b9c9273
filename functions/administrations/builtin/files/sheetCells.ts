/** Cells of all sheets of a workbook: its reader makes all from the first row and column to the last. */
const MAX_CELLS = 10_000_000;
/** The rows of a sheet in Excel. */
const MAX_ROWS = 1_048_576;
/** Characters of a tag. */
const MAX_TAG_LENGTH = 64 * 1024;

const begins = /<(?:\w+:)?(?:row|c)(?=[\s/>])/g;
const tags = /<(?:\w+:)?(row|c)((?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?\/?)>/g;
const reference = /\sr\s*=\s*["']([^"']*)/;

/**
 * Returns functions that count the cells of a workbook while its parts are unpacked, before anything is made of them: they
 * return why it is too large.
 */
export function sheetCells(): { beginPart: () => void; add: (piece: Uint8Array) => string | undefined } {
  let ofOthers = 0;
  let rows = 0;
  let columns = 0;
  let isSheet = false;
  let rest = '';
  const takeTag = (kind: string, attributes: string): string | undefined => {
    const address = reference.exec(attributes)?.[1];
    if (kind === 'row') {
      if (address !== undefined && !/^\d{1,7}$/.test(address)) return 'has a row without a number such as 1';
      rows = Math.max(rows + 1, Number(address ?? 0));
    } else if (!attributes.endsWith('/')) {
      const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address ?? '') ?? [];
      if (letters === undefined) return 'has a cell without an address such as A1';
      rows = Math.max(rows, Number(digits));
      columns = Math.max(columns, columnOf(letters));
    }
    return undefined;
  };
  return {
    beginPart: () => {
      ofOthers += rows * columns;
      [rows, columns, isSheet, rest] = [0, 0, false, ''];
    },
    add: (piece) => {
      // Tags and addresses are ASCII; other characters are in texts, which are not read.
      const text = rest + Buffer.from(piece).toString('latin1');
      const last = text.lastIndexOf('<');
      const isOpen = last !== -1 && !text.includes('>', last);
      rest = isOpen ? text.slice(last) : '';
      if (rest.length > MAX_TAG_LENGTH) return `has a tag of more than ${MAX_TAG_LENGTH} characters`;
      isSheet ||= text.includes('sheetData');
      if (!isSheet) return undefined;
      const whole = isOpen ? text.slice(0, last) : text;
      let read = 0;
      for (const [, kind, attributes] of whole.matchAll(tags)) {
        read++;
        const wrong = takeTag(kind!, attributes!);
        if (wrong !== undefined) return wrong;
      }
      if (read !== (whole.match(begins)?.length ?? 0)) return 'has a row or a cell that is no well-formed XML';
      if (rows > MAX_ROWS || ofOthers + rows * columns > MAX_CELLS) {
        const most = MAX_CELLS.toLocaleString('en');
        const area = `${rows.toLocaleString('en')} rows of ${columns.toLocaleString('en')} columns`;
        return `has a sheet of ${area}, and a workbook may have ${most} cells: remove the empty rows and columns, or save it as CSV`;
      }
      return undefined;
    },
  };
}

/** The number of a column by its letters: A is 1, AA is 27. */
const columnOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
