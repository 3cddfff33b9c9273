import { statSync } from 'node:fs';

/** How much a workbook unpacks to, of its size. */
const UNPACKED = 8;

/** How many bytes of text a file has, about; 0 when there is none. */
export function bytesOf(file: string): number {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return /\.xlsx$/i.test(file) ? size * UNPACKED : size;
}
