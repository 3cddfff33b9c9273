/** A line of a CSV file. An empty line would be no row. */
export const csvLine = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map(quoted).join(delimiter) || '""'}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
