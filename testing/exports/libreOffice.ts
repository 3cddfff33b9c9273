import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { needed } from '../needed.ts';

const program = (process.env.PATH ?? '')
  .split(path.delimiter)
  .flatMap((folder) => ['soffice', 'libreoffice'].map((name) => path.join(folder, name)))
  .find((file) => existsSync(file));

export const libreOffice = needed(program !== undefined, 'LibreOffice is not on this machine');

/** The text that LibreOffice shows in a cell; numbers, dates and booleans begin with #. */
type ShownCell = string;

/** Writes a file in another form, into a folder within a temporary one. */
const convert = (file: string, filter: string, folder: string, into: string) =>
  promisify(execFile)(program!, [
    // With its own profile: otherwise a second LibreOffice would pass its work to the first one.
    `-env:UserInstallation=file://${path.join(folder, 'profile')}`,
    '--headless',
    '--convert-to',
    filter,
    '--outdir',
    path.join(folder, into),
    file,
  ]);

/** A workbook as LibreOffice saves it. @param folder a temporary one */
export async function saveInLibreOffice(workbook: Uint8Array, folder: string): Promise<Uint8Array> {
  const file = path.join(folder, 'workbook.xlsx');
  await writeFile(file, workbook);
  await convert(file, 'xlsx:Calc MS Excel 2007 XML', folder, 'saved');
  return readFile(path.join(folder, 'saved', 'workbook.xlsx'));
}

/** The cells of each sheet as LibreOffice shows them, in the American format. */
export async function openInLibreOffice(file: string): Promise<Record<string, ShownCell[][]>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-libreoffice-'));
  // All texts quoted, cells as shown, one file for each sheet.
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,true,false,false,-1';
  try {
    await convert(file, filter, folder, 'sheets');
    const prefix = `${path.basename(file, '.xlsx')}-`;
    return Object.fromEntries(
      readdirSync(path.join(folder, 'sheets')).map((name) => [
        path.basename(name, '.csv').slice(prefix.length),
        parse(readFileSync(path.join(folder, 'sheets', name)), {
          relax_column_count: true,
          cast: (text, { quoting }) => (quoting || text === '' ? text : `#${text}`),
        }) as string[][],
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
