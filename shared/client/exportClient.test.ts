import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { relationExport } from '../resources/relationExport.ts';
import { createExportClient, type ExportClient } from './exportClient.ts';

const MB = 1024 * 1024;
const LINES = 4000;
const GUIDS = Array.from({ length: LINES }, (_, index) => String(index + 1));
/** 40 MB of relations: three parts. */
const file = Buffer.from(
  GUIDS.map((guid) => `{"RelationGUID":${guid},"Name":"${'€'.repeat(3500)} ${guid}"}\n`).join(''),
);

/** Answers a request with a part of the file; left out: as a service should. */
type Respond = (response: ServerResponse, part: Buffer, headers: Record<string, string>) => void;
const wholePart: Respond = (response, part, headers) => response.writeHead(206, headers).end(part);
/** Sends so many bytes of the announced length, and closes the connection. */
const endsAfter =
  (bytes: number): Respond =>
  (response, part, headers) => {
    response.writeHead(206, headers);
    response.write(part.subarray(0, bytes), () => setTimeout(() => response.destroy(), 50));
  };

let server: Server;
let client: ExportClient;
/** The first byte of each requested part. */
let starts: number[] = [];
/** The responses to the first requests, in their order; later ones are correct. */
let responses: Respond[] = [];

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(first), Math.min(Number(last), file.length - 1)];
    starts.push(start);
    const part = file.subarray(start, end + 1);
    const respond = responses.shift() ?? wholePart;
    respond(response, part, {
      'Content-Length': String(part.length),
      'Content-Range': `bytes ${start}-${end}/${file.length}`,
      ETag: '"one"',
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createExportClient({ base, credential: { apiKey: 'k', username: 'u' }, fetch });
});
afterAll(() => server.close());
beforeEach(() => {
  starts = [];
  responses = [];
});

const listed = (bytes = file.length) =>
  relationExport.parse({ administration: 'a', date: '2026-11-21', files: [{ name: 'relations.jsonl', bytes }] });

/** Reads the relations. @returns their identifiers, after their names were looked at */
async function read(one = listed(), signal?: AbortSignal): Promise<string[]> {
  const guids: string[] = [];
  for await (const some of client.relations(one, signal)) {
    for (const { RelationGUID, Name } of some) {
      if (Name !== `${'€'.repeat(3500)} ${RelationGUID}`) throw new Error(`Relation ${RelationGUID} is damaged.`);
      guids.push(RelationGUID!);
    }
  }
  return guids;
}

describe('the relations of an export', () => {
  it('are downloaded in parts, since a response is limited', async () => {
    expect(await read()).toEqual(GUIDS);
    expect(starts).toEqual([0, 16 * MB, 32 * MB]);
  });

  it('are continued from the last received byte when a response breaks off', async () => {
    responses = [endsAfter(5 * MB), wholePart, endsAfter(3 * MB), endsAfter(MB), endsAfter(7)];
    expect(await read()).toEqual(GUIDS);
    expect(starts[0]).toBe(0);
    // Not from the beginning, nor from that of the part.
    for (const start of starts.slice(1)) expect(start).toBeGreaterThan(0);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('fail when several responses in a row break off', async () => {
    const nothing: Respond = (response, _part, headers) => {
      response.writeHead(206, headers).flushHeaders();
      setTimeout(() => response.destroy(), 20);
    };
    responses = new Array(20).fill(nothing);
    await expect(read()).rejects.toMatchObject({ name: 'Unreachable' });
    expect(starts.length).toBeLessThan(10);
  });

  it('are complete also when responses do not declare the length of the file', async () => {
    const silent: Respond = (response, part, headers) =>
      response
        .writeHead(206, { ...headers, 'Content-Range': headers['Content-Range']!.replace(/\d+$/, '*') })
        .end(part);
    responses = [silent, silent, silent];
    expect(await read()).toEqual(GUIDS);
  });

  it('are read once each from a response with the whole file', async () => {
    const whole =
      (bytes: number): Respond =>
      (response) => {
        response.writeHead(200, { 'Content-Length': String(file.length), ETag: '"one"' });
        response.write(file.subarray(0, bytes), () => (bytes < file.length ? response.destroy() : response.end()));
      };
    responses = [whole(30 * MB), whole(file.length)];
    expect(await read()).toEqual(GUIDS);
    expect(starts).toHaveLength(2);
  });

  it.each<[string, number, Respond[]]>([
    [
      'the file is another one halfway',
      file.length,
      [wholePart, (response, part, headers) => response.writeHead(206, { ...headers, ETag: '"two"' }).end(part)],
    ],
    ['there is more of it than there should be', 10 * MB, [(response) => response.writeHead(200).end(file)]],
  ])('are refused when %s', async (_what, bytes, given) => {
    responses = given;
    await expect(read(listed(bytes))).rejects.toMatchObject({ name: 'Problem', code: 'REMOTE_FAILED' });
  });

  it('are not requested further when the caller stops reading', async () => {
    const stop = new AbortController();
    responses = [
      (response, part, headers) => {
        response.writeHead(206, headers);
        response.write(part.subarray(0, MB), () => stop.abort());
      },
    ];
    await expect(read(listed(), stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(starts).toEqual([0]);
  });
});
