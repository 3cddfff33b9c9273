import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/*
 * Libraries of hundreds of files as one file each, as they are deployed. Tests start hundreds of threads and processes of
 * the app, and to find and load all those files takes half of the processor time that a thread needs to start.
 */

const root = path.resolve(import.meta.dirname, '..');

const libraries = [
  'kysely',
  'kysely/migration',
  'zod',
  'zod/mini',
  'lossless-json',
  '@azure/data-tables',
  '@azure/storage-blob',
  '@azure/storage-queue',
];

/** A module that has the project's code load these files; other libraries keep what they were installed with. */
const hookOf = (addresses: Readonly<Record<string, string>>): string => `import { registerHooks } from 'node:module';
const addresses = ${JSON.stringify(addresses)};
registerHooks({
  resolve: (name, context, next) =>
    Object.hasOwn(addresses, name) && !context.parentURL?.includes('/node_modules/')
      ? { url: addresses[name], shortCircuit: true }
      : next(name, context),
});
`;

/**
 * Makes the files, once for each installation.
 * @returns the address of the module that a thread or a process imports before all others, to load them
 */
export async function bundledLibraries(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path.join(root, 'package-lock.json')))
    .update(await readFile(import.meta.filename))
    .digest('hex');
  const folder = path.join(root, 'node_modules/.cache/ledgerline', `libraries-${digest.slice(0, 16)}`);
  const hook = path.join(folder, 'hook.mjs');
  if (existsSync(hook)) return pathToFileURL(hook).href;
  await mkdir(path.dirname(folder), { recursive: true });
  // Renamed when it is complete, since another run may read it.
  const staging = await mkdtemp(`${folder}-`);
  const files = libraries.map((name) => [name, name.replaceAll('/', '-')] as const);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: staging,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(files.map(([name, file]) => [file, name])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const addresses = files.map(([name, file]) => [name, pathToFileURL(path.join(folder, `${file}.mjs`)).href]);
  await writeFile(path.join(staging, 'hook.mjs'), hookOf(Object.fromEntries(addresses)));
  try {
    await rename(staging, folder);
  } catch (error) {
    if (!existsSync(hook)) throw error;
    await rm(staging, { recursive: true });
  }
  return pathToFileURL(hook).href;
}
