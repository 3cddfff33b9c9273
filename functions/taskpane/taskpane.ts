import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { HttpRequest } from '@azure/functions';
import { lookup } from 'mrmime';
import { Problem } from '../../shared/problem.ts';
import type { HttpFunction } from '../http/definition.ts';
import { fileResponse, type ServedFile } from '../http/fileResponse.ts';

/** The encodings of files in our order of preference, with the extensions of the compressed files. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

/** The functions that serve the built pages from a folder, at `/taskpane/...`. */
export function taskpaneFunctions(folder: string): HttpFunction[] {
  const fileAt = filesIn(folder);
  return [
    {
      name: 'taskpane',
      methods: ['GET', 'HEAD'],
      route: 'taskpane/{*file}',
      handler: async (request) => fileResponse(request, await fileAt(request.params.file ?? '', request)),
    },
  ];
}

/** On a local machine the root is a workbook with the pane beside it; in Azure the platform serves a page there. */
export function workbookFunction(folder: string): HttpFunction {
  const fileAt = filesIn(folder);
  return {
    name: 'workbook',
    methods: ['GET', 'HEAD'],
    route: '/',
    handler: async (request) => fileResponse(request, await fileAt('simulator/index.html', request)),
  };
}

/** Excel on the web, which shows the pages in a frame: OfficeDev/office-js#3342, OfficeDev/office-js-docs-pr#4911. */
const officeHosts = [
  'https://*.officeapps.live.com',
  'https://*.office.com',
  'https://*.office365.com',
  'https://*.office.net',
  'https://*.microsoft365.com',
  'https://*.cloud.microsoft',
  'https://*.microsoft.com',
  'https://*.sharepoint.com',
  'https://*.live.com',
];

/**
 * The content security policy of the pages: our own files and Microsoft's Office.js only. Fluent UI writes its styles
 * into the page.
 */
const contentPolicy = [
  "default-src 'self'",
  "script-src 'self' https://appsforoffice.microsoft.com https://*.cdn.office.net",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  // The .xlsx download of the workbook page compresses in a worker that is created from a text.
  "worker-src 'self' blob:",
  "connect-src 'self' https://*.microsoft.com https://*.office.com https://*.office.net",
  // Office.js shows its trust dialog in a frame.
  `frame-src 'self' https://*.cdn.office.net ${officeHosts.join(' ')}`,
  `frame-ancestors 'self' ${officeHosts.join(' ')}`,
  "object-src 'none'",
  "base-uri 'none'",
  // Scripts send requests to this app only.
  "form-action 'none'",
].join('; ');

/**
 * Finds files of a folder by name; each is read once. A request that accepts an encoding gets the file that the build
 * compressed so. Any other path is 404.
 */
function filesIn(folder: string): (name: string, request: HttpRequest) => Promise<ServedFile> {
  const loaded = new Map<string, Promise<ServedFile>>();
  let names: Set<string> | undefined;
  return async (name, request) => {
    names ??= namesIn(folder);
    const made = encodings.filter(({ extension }) => names!.has(name + extension));
    const isCompressedCopy = encodings.some(({ extension }) => name.endsWith(extension));
    if (!names.has(name) || isCompressedCopy) throw new Problem('NOT_FOUND', `There is no page or file ${name}.`);
    const accepted = made.find((encoding) => accepts(request, encoding.name));
    const place = name + (accepted?.extension ?? '');
    const file =
      loaded.get(place) ??
      load(folder, name, place, {
        ...(accepted === undefined ? {} : { 'Content-Encoding': accepted.name }),
        ...(made.length === 0 ? {} : { Vary: 'Accept-Encoding' }),
      });
    loaded.set(place, file);
    return file;
  };
}

/** Whether a request accepts an encoding: it names it with a weight above zero. */
const accepts = (request: HttpRequest, encoding: string): boolean =>
  request.headers
    .get('Accept-Encoding')
    ?.split(',')
    .some((one) => {
      const [name, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    }) ?? false;

const namesIn = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );

/** Files in assets/ have a hash of their content in their names. Icons must be cacheable, or Excel shows none. */
function cacheControlOf(name: string): string {
  if (name.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return name.endsWith('.png') ? 'public, max-age=86400' : 'public, no-cache';
}

/**
 * @param name in the request
 * @param place its path in the folder
 * @param encoding headers with its compression
 */
async function load(
  folder: string,
  name: string,
  place: string,
  encoding: Readonly<Record<string, string>>,
): Promise<ServedFile> {
  const content = await readFile(path.join(folder, place));
  return {
    bytes: content.length,
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 27),
    headers: {
      'Content-Type': lookup(name) ?? 'application/octet-stream',
      'Cache-Control': cacheControlOf(name),
      ...(name.endsWith('.html') ? { 'Content-Security-Policy': contentPolicy, 'Referrer-Policy': 'no-referrer' } : {}),
      ...encoding,
    },
    read: async (start, count) => content.subarray(start, start + count),
  };
}
