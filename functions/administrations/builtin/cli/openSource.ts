import { access } from 'node:fs/promises';
import { CommandError, reasonOf } from '../files/commandError.ts';
import { readCsv } from '../files/readCsv.ts';
import { type RowSource, UnreadableFile } from '../files/source.ts';
import type { MappingOptions } from './mappingOptions.ts';

/** Opens a workbook or, by another name, a CSV file. */
export function openSource(
  file: string,
  { delimiter, sheet, decimalComma }: Pick<MappingOptions, 'delimiter' | 'sheet' | 'decimalComma'>,
): Promise<RowSource> {
  if (!/\.xlsx$/i.test(file)) {
    if (sheet !== undefined) throw new CommandError(`${file} is no .xlsx workbook: it has no sheets.`);
    return readable(file, () => readCsv(file, delimiter));
  }
  if (delimiter !== undefined || decimalComma !== undefined) {
    throw new CommandError(`${file} is a workbook: its cells need no delimiter, and its numbers no comma.`);
  }
  return readable(file, async () => {
    // What reads workbooks is loaded for workbooks only.
    const { readXlsx } = await import('../files/readXlsx.ts');
    return readXlsx(file, sheet);
  });
}

/** @throws CommandError naming the file when it cannot be read */
export async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    await access(file);
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw new CommandError(`${file}:${error.line}: ${error.message}`);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CommandError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}
