/** The command `npm run manifest -- --url https://host`: writes the manifest that installs a deployment in Excel. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { OfficeAddinManifest } from 'office-addin-manifest';
import { deploymentId, deploymentManifest, deploymentUrl, manifestVersion } from './deploymentManifest.ts';
import { withTexts } from './manifestTexts.ts';

const root = path.join(import.meta.dirname, '../..');
const source = path.join(root, 'manifest.xml');

const command = new Command('npm run manifest --')
  .description('Writes the manifest that installs a deployment of Ledgerline in Excel.')
  .requiredOption('--url <address>', 'the https address of the deployment')
  .option('--id <guid>', 'the id of an earlier manifest, to update that add-in; by default a new id')
  .option('--out <file>', 'the file to write; - is standard output', 'dist/manifest.xml')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();
const options = command.opts<{ url: string; id?: string; out: string }>();

/** Reads an option by a function that throws an error for a wrong one. */
const read = <Value>(reader: (text: string) => Value, text: string): Value => {
  try {
    return reader(text);
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
};

const url = read(deploymentUrl, options.url);
const id = options.id === undefined ? randomUUID() : read(deploymentId, options.id);

const release: string = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).version;
const version = manifestVersion(release);
const { defaultSettings } = await OfficeAddinManifest.readManifestFile(source);
const developmentOrigin = new URL(defaultSettings!.sourceLocation!).origin;
const manifest = deploymentManifest(withTexts(await readFile(source, 'utf8')), developmentOrigin, {
  url,
  id,
  version,
});

const toStandardOutput = options.out === '-';
if (toStandardOutput) {
  process.stdout.write(manifest);
} else {
  await mkdir(path.dirname(options.out), { recursive: true });
  await writeFile(options.out, manifest);
}

const written = toStandardOutput ? 'the manifest' : options.out;
const later = options.id === undefined ? ' (give it as --id to update this add-in later)' : '';
// To standard error, because standard output may be the manifest itself.
console.error(`Wrote ${written} for ${url.href}, version ${version}, id ${id}${later}.
Next: in the Microsoft 365 admin center, Settings > Integrated apps > Upload custom apps; or, to try it, upload it as "My Add-in" in Excel on the web.`);
