import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** What stands in every package, whatever else does. */
const REQUIRED = ['main.js', 'app.js', 'app.js.cache', 'host.json', 'package.json', 'taskpane/taskpane/index.html'];

/** What is not deployed: maps, which lead to our sources, settings of this machine, and the manifest of the add-in. */
const LEFT_OUT = /\.map$|^local\.settings\.json$|^manifest\.xml$/;

/** Of all files in the zip, so that the same build gives the same bytes. */
const MODIFIED = new Date(2026, 0, 1);

/**
 * Makes the zip that is deployed, and its checksum in a file beside it, as `sha256sum -c` reads it.
 * @param built the folder that `npm run build` fills
 * @param zip the file to write
 * @returns its checksum, in hexadecimal
 * @throws Error naming a file that is not there
 */
export function packageApp(built: string, zip: string): string {
  const missing = REQUIRED.filter((file) => !existsSync(path.join(built, file)));
  if (missing.length > 0) throw new Error(`${built} lacks ${missing.join(', ')}: run \`npm run build\` first.`);
  const files: Zippable = {};
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(built, file).replaceAll(path.sep, '/');
    if (LEFT_OUT.test(name)) continue;
    // What is compressed already does not become smaller.
    files[name] = [readFileSync(file), { level: /\.(?:br|gz|png)$/.test(name) ? 0 : 9, mtime: MODIFIED }];
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  const bytes = zipSync(sorted);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  mkdirSync(path.dirname(zip), { recursive: true });
  writeFileSync(zip, bytes);
  writeFileSync(`${zip}.sha256`, `${checksum}  ${path.basename(zip)}\n`);
  return checksum;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const zip = path.join(root, 'release/ledgerline.zip');
  try {
    const checksum = packageApp(path.join(root, 'dist'), zip);
    console.log(`${path.relative(root, zip)} (${(readFileSync(zip).length / 1e6).toFixed(1)} MB), sha256 ${checksum}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
