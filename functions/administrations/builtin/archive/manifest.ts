import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { CommandError, reasonOf } from '../files/commandError.ts';
import type { ImportProblem } from '../files/problems.ts';

export const MANIFEST = 'archive.json';
const FORMAT = 'ledgerline administration';
const VERSION = 5;

const sha256Text = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'expected a SHA-256'));
const manifestFile = z.strictObject({
  format: z.literal(FORMAT, `expected ${FORMAT}`),
  version: z.literal(VERSION, `expected ${VERSION}`),
  /** How many rows each file has. */
  rows: z.record(z.string(), z.int().check(z.nonnegative())),
  /** The SHA-256 of every other file, by its path within the folder. */
  files: z.record(z.string(), sha256Text),
  /** With a key, the HMAC-SHA-256 of everything above. */
  hmac: z.optional(sha256Text),
  /** The SHA-256 of everything above. */
  sha256: sha256Text,
});

/** The contents of an archive: rows and hashes of its files. */
export type Contents = { rows: Record<string, number>; files: Record<string, string> };

/** The manifest of an archive as the text of its file. @param key signs it; left out: it has no HMAC */
export function manifestText({ rows, files }: Contents, key: Buffer | undefined): string {
  const content = { format: FORMAT, version: VERSION, rows, files };
  const signed = key === undefined ? content : { ...content, hmac: hmacOf(content, key) };
  return textOf({ ...signed, sha256: sha256Of(textOf(signed)) });
}

/**
 * Reads the manifest of an archive.
 * @param key left out: an HMAC is not verified
 * @throws CommandError when it is missing or was changed, or was not signed with the key
 */
export async function readManifest(folder: string, key: Buffer | undefined): Promise<Contents> {
  const file = path.join(folder, MANIFEST);
  let text: string;
  let json: unknown;
  try {
    if (!(await lstat(file)).isFile()) throw new Error('is a link or a device: expected a file');
    text = await readFile(file, 'utf8');
    json = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${folder} is no exported administration: ${MANIFEST}: ${reasonOf(error)}.`);
  }
  const { data, error } = manifestFile.safeParse(json);
  if (data === undefined) {
    const { path: at = [], message = '' } = error.issues[0] ?? {};
    throw new CommandError(`${file} is not of this version: ${at.join('.')}: ${message}`);
  }
  const { sha256, ...signed } = data;
  // The text itself is compared: another form of the same content was not written by an export.
  if (text !== textOf({ ...signed, sha256: sha256Of(textOf(signed)) })) {
    throw new CommandError(`${file} is not as it was written: its SHA-256 does not match.`);
  }
  const { hmac, ...content } = signed;
  if (key !== undefined && hmac === undefined) {
    throw new CommandError(`${file} was not signed: expected an HMAC, since ARCHIVE_KEY is set.`);
  }
  if (key !== undefined && !isSame(hmac!, hmacOf(content, key))) {
    throw new CommandError(`${file} was not signed with this ARCHIVE_KEY, or was changed: its HMAC does not match.`);
  }
  return data;
}

/** Compares the files of a folder with its manifest. @returns those that are missing, changed, or too many */
export async function problemsOfFiles(folder: string, { files }: Contents): Promise<ImportProblem[]> {
  const problemOf = (file: string, message: string) => ({ file, line: 0, column: '', message, place: file });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link could lead to any file of this machine.
  const links = entries.filter((entry) => !entry.isDirectory() && !entry.isFile());
  if (links.length > 0) {
    return links.map(({ parentPath, name }) => {
      const file = path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/');
      return problemOf(file, 'is a link or a device: expected a file');
    });
  }
  const found = new Set(
    entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/')),
  );
  const problems: ImportProblem[] = [];
  for (const [file, expected] of Object.entries(files)) {
    if (!found.has(file)) problems.push(problemOf(file, 'is missing'));
    else if ((await sha256OfFile(path.join(folder, file))) !== expected) {
      problems.push(problemOf(file, `is not as it was exported: its SHA-256 is not the one in ${MANIFEST}`));
    }
  }
  for (const file of found) {
    if (file !== MANIFEST && !Object.hasOwn(files, file)) problems.push(problemOf(file, `is not in ${MANIFEST}`));
  }
  return problems;
}

export const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const textOf = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;

const hmacOf = (content: object, key: Buffer): string =>
  createHmac('sha256', key).update(textOf(content)).digest('hex');

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
