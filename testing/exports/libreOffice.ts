import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
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

/** The cells of each sheet as LibreOffice shows them, in the American format. */
export async function openInLibreOffice(file: string): Promise<Record<string, ShownCell[][]>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-libreoffice-'));
  // All texts quoted, cells as shown, one file for each sheet.
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,true,false,false,-1';
  try {
    await promisify(execFile)(program!, [
      // With its own profile: otherwise a second LibreOffice would pass its work to the first one.
      `-env:UserInstallation=file://${path.join(folder, 'profile')}`,
      '--headless',
      '--convert-to',
      filter,
      '--outdir',
      path.join(folder, 'sheets'),
      file,
    ]);
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
