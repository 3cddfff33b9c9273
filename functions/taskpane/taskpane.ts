import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { HttpResponseInit } from '@azure/functions';
import { lookup } from 'mrmime';
import { Problem } from '../../shared/problem.ts';
import type { HttpFunction } from '../http/definition.ts';
import { guarded } from '../http/guarded.ts';

/** The functions that serve the built pages from a folder, at `/taskpane/...`. */
export function taskpaneFunctions(folder: string): HttpFunction[] {
  const files = servedFiles(folder);
  return [
    {
      name: 'taskpane',
      methods: ['GET', 'HEAD'],
      route: 'taskpane/{*file}',
      handler: guarded(async (request) => files(request.params.file ?? '', request.headers.get('If-None-Match'))),
    },
  ];
}

/** On one's own machine the root is a workbook with the pane beside it; in Azure the platform has a page there. */
export function workbookFunction(folder: string): HttpFunction {
  const files = servedFiles(folder);
  return {
    name: 'workbook',
    methods: ['GET', 'HEAD'],
    route: '/',
    handler: guarded(async (request) => files('simulator/index.html', request.headers.get('If-None-Match'))),
  };
}

type Served = { content: Buffer; headers: Record<string, string> };

/**
 * What may be loaded into the pages: our own files, Microsoft's Office.js, and nothing else. Fluent UI writes its styles
 * into the page.
 */
const contentPolicy = [
  "default-src 'self'",
  "script-src 'self' https://appsforoffice.microsoft.com https://*.cdn.office.net",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  // The .xlsx download of the workbook page compresses in a worker made of its own text.
  "worker-src 'self' blob:",
  "connect-src 'self' https://*.microsoft.com https://*.office.com https://*.office.net",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ');

/** Answers files of a folder by their names in it; a name that is not there is 404, whatever path it tries. */
function servedFiles(folder: string) {
  const kept = new Map<string, Promise<Served>>();
  let names: Set<string> | undefined;
  return async (name: string, known: string | null): Promise<HttpResponseInit> => {
    names ??= namesIn(folder);
    if (!names.has(name)) throw new Problem('NOT_FOUND', `There is no page or file ${name}.`);
    let served = kept.get(name);
    if (served === undefined) {
      served = load(folder, name);
      kept.set(name, served);
    }
    const { content, headers } = await served;
    return knows(known, headers.ETag!) ? { status: 304, headers } : { headers, body: content };
  };
}

/** Whether If-None-Match names an ETag. What compresses on the way makes it a weak one, which counts the same. */
const knows = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

const namesIn = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );

async function load(folder: string, name: string): Promise<Served> {
  const content = await readFile(path.join(folder, name));
  const html = name.endsWith('.html');
  return {
    content,
    headers: {
      'Content-Type': lookup(name) ?? 'application/octet-stream',
      ETag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`,
      // The build names what is in assets/ after its content. Icons must never be no-store, or Excel shows none.
      'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...(html ? { 'Content-Security-Policy': contentPolicy, 'Referrer-Policy': 'no-referrer' } : {}),
    },
  };
}
