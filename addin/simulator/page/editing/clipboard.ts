/** Cells as Excel puts them on the clipboard: tabs between columns, line ends between rows, quotes where needed. */
export const toClipboard = (texts: string[][]): string =>
  texts
    .map((row) => row.map((text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\t'))
    .join('\r\n');

/**
 * Reads cells from the clipboard, from Excel or any other source. A quoted field may hold tabs, line ends and doubled
 * quotes; a quote that does not enclose a whole field is only a quote.
 */
export const fromClipboard = (text: string): string[][] => {
  const field = /"((?:[^"]|"")*)"(?=\t|\r\n|\n|\r|$)|([^\t\r\n]*)/y;
  const rows: string[][] = [[]];
  let position = 0;
  for (;;) {
    field.lastIndex = position;
    const match = field.exec(text)!;
    rows.at(-1)!.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'));
    position = field.lastIndex;
    if (position >= text.length) break;
    const end = /\t|\r\n|\n|\r/y;
    end.lastIndex = position;
    const [separator] = end.exec(text)!;
    position = end.lastIndex;
    if (separator === '\t') continue;
    if (position >= text.length) break;
    rows.push([]);
  }
  return rows;
};
