import { statSync } from 'node:fs';

/** How much a workbook unpacks to, of its size. */
const UNPACKED = 8;

/** How many bytes of text a file has, or several together, about; 0 when there is none. */
export function bytesOf(file: string | readonly string[]): number {
  if (typeof file !== 'string') return file.reduce((sum, one) => sum + bytesOf(one), 0);
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return /\.xlsx$/i.test(file) ? size * UNPACKED : size;
}
