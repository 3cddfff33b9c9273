import { isUtf8 } from 'node:buffer';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Found, found, oneOf, refusalText, refused } from '../../../../shared/fieldErrors.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../../shared/resources/document.ts';
import { type CheckedFile, checkFile, endingsOf, type FileKind, kindByName, tooLarge } from './fileKind.ts';
import { cleanFileName, MAX_FILE_NAME } from './fileName.ts';
import { type Address, lookupName } from './lookupName.ts';
import { isPublicAddress } from './publicAddress.ts';

const MAX_REDIRECTS = 5;
/** The ports of web servers. Other ports belong to other services, which must not be reached from here. */
const WEB_PORTS: readonly number[] = [80, 443];

type DownloadedFile = CheckedFile & { bytes: Uint8Array };

export type DownloadOptions = {
  allowed: readonly FileKind[];
  /** The name to store the file under; left out: a name made from the time. */
  fileName?: string | undefined;
  now: Date;
  /** For the whole download, redirects included. */
  timeoutMs?: number;
  ports?: readonly number[] | undefined;
  lookup?: (hostname: string) => Promise<readonly Address[]>;
  /** Certificates (PEM) to trust instead of the usual ones. */
  trust?: string;
  /**
   * Addresses to allow beside the public ones, for tests against a server on this machine. Only code can set it: no
   * request and no setting does.
   */
  allowAddress?: (address: string) => boolean;
};

/** Why a download failed: a text for the person who entered the address. */
class Refusal extends Error {}

/**
 * Downloads a file from an untrusted address, without access to private services of the network.
 *
 * A host name is resolved once, and the connection goes to the checked address, so a name cannot resolve differently
 * the second time. Every resolved address must be public: a file server has no reason to have a private address beside
 * a public one, and choosing between them would hide an attack. Redirects are followed, each checked again; only the
 * first address must end with a file extension, since redirect targets often have other names.
 *
 * Never throws for a fault of the server.
 */
export async function downloadFile(address: string, options: DownloadOptions): Promise<Found<DownloadedFile, string>> {
  const { timeoutMs = 20_000 } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const url = readAddress(address);
    const kind = kindByName(decodedPath(url), options.allowed);
    if (kind === undefined) throw new Refusal(`expected an address ending in ${oneOf(endingsOf(options.allowed))}`);
    const fileName = nameFor(kind, options);
    const bytes = await follow(url, options, deadline);
    const checked = checkFile(bytes, fileName, options.allowed);
    if (checked.kind === 'refused') throw new Refusal(refusalText(checked.reason));
    return found({ ...checked.value, bytes });
  } catch (error) {
    if (deadline.aborted) return refused(`the download took longer than ${timeoutMs / 1000} s`);
    if (error instanceof Refusal) return refused(error.message);
    // Errors of the network, the resolver, TLS, HTTP and decompression have a code; any other is a programming error.
    const code = (error as NodeJS.ErrnoException).code;
    if (typeof code === 'string') return refused(`the file could not be downloaded: ${code}`);
    throw error;
  }
}

function readAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  if (url === null) throw new Refusal('expected an address like https://example.com/invoice.pdf');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refusal('expected an http or https address');
  if (url.username !== '' || url.password !== '') throw new Refusal('expected an address without credentials');
  return url;
}

function decodedPath(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

function nameFor(kind: FileKind, { fileName = '', allowed, now }: DownloadOptions): string {
  const name = cleanFileName(fileName);
  if (name === '') return `${now.toISOString().replace(/\D/g, '')}.${kind}`;
  if (name.length > MAX_FILE_NAME) throw new Refusal(`expected a file name of at most ${MAX_FILE_NAME} characters`);
  return kindByName(name, allowed) === undefined ? `${name}.${kind}` : name;
}

async function follow(start: URL, options: DownloadOptions, deadline: AbortSignal): Promise<Uint8Array> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const addresses = await checkedAddresses(url, options, deadline);
    checkPort(url, options);
    const response = await ask(url, addresses, options, deadline);
    if (response.kind === 'body') return response.bytes;
    const next = readAddress(response.location, url);
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      throw new Refusal('the address leads from https to http');
    }
    url = next;
  }
  throw new Refusal(`the address is redirected more than ${MAX_REDIRECTS} times`);
}

function checkPort({ protocol, port }: URL, { ports = WEB_PORTS }: DownloadOptions): void {
  if (ports.includes(Number(port || (protocol === 'https:' ? 443 : 80)))) return;
  throw new Refusal(`expected an address at port ${ports.join(' or ')}`);
}

/** The addresses of a URL's host, each of them public. */
async function checkedAddresses(
  { hostname }: URL,
  { lookup = lookupName, allowAddress = () => false }: DownloadOptions,
  deadline: AbortSignal,
): Promise<Address[]> {
  const refusal = new Refusal('the address does not lead to the public internet');
  // URL normalises every spelling of an address: 2130706433, 0x7f.1 and 127.1 all become 127.0.0.1.
  const literal = hostname.replace(/^\[|\]$/g, '');
  const name = literal.replace(/(?<!\.)\.+$/, '');
  if (/(?:^|\.)(?:localhost|internal|local)$|^metadata(?:\.goog)?$|^instance-data$/.test(name)) throw refusal;
  // The deadline ends the wait for a lookup, which ends soon by itself.
  const addresses = isIP(literal)
    ? [{ address: literal, family: isIP(literal) }]
    : [...(await Promise.race([lookup(hostname), aborted(deadline)]))];
  if (addresses.length === 0) throw new Refusal('the host of the address is not known');
  if (!addresses.every(({ address }) => isPublicAddress(address) || allowAddress(address))) throw refusal;
  return addresses;
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** One request, to one of these addresses only; its connection is closed afterwards. */
async function ask(
  url: URL,
  addresses: Address[],
  { trust }: DownloadOptions,
  deadline: AbortSignal,
): Promise<{ kind: 'body'; bytes: Uint8Array } | { kind: 'redirect'; location: string }> {
  const checked: LookupFunction = (_hostname, { all }, callback) => {
    if (all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
  const request = (url.protocol === 'https:' ? https : http).get(url, {
    lookup: checked,
    signal: deadline,
    // A new connection: no pooled one is used, and no proxy of the environment.
    agent: false,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Ledgerline' },
    ...(trust === undefined ? {} : { ca: trust }),
  });
  try {
    const response = await responseTo(request);
    const { statusCode, headers } = response;
    if ([301, 302, 303, 307, 308].includes(statusCode!) && headers.location !== undefined) {
      // Servers also write addresses in UTF-8, and Node reads each byte of a header as a character.
      const location = Buffer.from(headers.location, 'latin1');
      return { kind: 'redirect', location: isUtf8(location) ? location.toString() : headers.location };
    }
    if (statusCode !== 200) throw new Refusal(`the address answered ${statusCode}`);
    if (Number(headers['content-length']) > MAX_ATTACHMENT_BYTES) throw new Refusal(refusalText(tooLarge));
    return { kind: 'body', bytes: await readBody(response) };
  } finally {
    request.destroy();
  }
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // This listener also takes errors after the response has begun; its reader receives those too.
    request.on('error', reject);
    // A response that switches the protocol ends a request without an error.
    request.on('close', () => reject(new Refusal('the address did not answer as a web server')));
  });
}

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The body, decompressed: some servers compress although asked not to. Limits hold before and after decompression. */
async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  const arrived = capped(response);
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return buffer(arrived);
  const decoder = decoders.get(encoding);
  if (decoder === undefined) throw new Refusal('the address answered in an encoding that was not requested');
  // An error of the response destroys the decoder, and so reaches its reader.
  return buffer(capped(pipeline(Readable.from(arrived), decoder(), () => {})));
}

async function* capped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_ATTACHMENT_BYTES) throw new Refusal(refusalText(tooLarge));
    yield chunk;
  }
}
