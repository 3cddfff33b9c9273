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

/** A cell as LibreOffice shows it; what is no text (a number, a date, a truth value) begins with #. */
type ShownCell = string;

/** Opens a workbook in LibreOffice: what it shows on each of its sheets, as an American sees it. */
export async function openInLibreOffice(file: string): Promise<Record<string, ShownCell[][]>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-libreoffice-'));
  // Every text between quotes, cells as they are shown, one file for each sheet.
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,true,false,false,-1';
  try {
    await promisify(execFile)(program!, [
      // A profile of its own: a second LibreOffice would hand its work to the first.
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
