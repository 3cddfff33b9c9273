import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Administrations } from '../../functions/administrations/administration.ts';
import { QUEUE } from '../../functions/exports/dependencies.ts';
import { exportFunctions } from '../../functions/exports/exports.ts';
import { type ExportOptions, type RelationExports, relationExports } from '../../functions/exports/relationExports.ts';
import type { TimerFunction } from '../../functions/http/definition.ts';
import type { Settings } from '../../functions/settings.ts';
import type { RelationChange } from '../../shared/resources/relationExport.ts';
import type { TestStorage } from '../storage.ts';
import { type ChangingSource, changingSource } from './changingSource.ts';

export type Manifest = {
  date: string;
  full: boolean;
  base: string | null;
  scheduledOn: number;
  startedOn: number;
  publishedOn: number;
  duration: number;
  watermark: number;
  relations: number;
  added: number;
  changed: number;
  vanished: number;
  files: Record<string, { bytes: number; sha256: string; lines: number | null }>;
  vanishedRelations: number[];
};

/** Exports with a clock that stands still, and what puts messages through as the platform does. */
export type TestExports = RelationExports & {
  /** Seconds since 1970. */
  time: number;
  /** What was logged. */
  events: Record<string, unknown>[];
  /** Lets the timer fire, with all that it does. */
  timer(): Promise<void>;
  /**
   * Lets it put messages on the queue only, and works off every message until none is left.
   * @returns how many slices that took
   */
  fire(): Promise<number>;
  /** Works off every message of the queue. */
  drain(): Promise<number>;
  messages(): Promise<unknown[]>;
  /** Text of a blob of the container. */
  blob(path: string): Promise<string>;
  /** Names of the blobs that can be seen. */
  blobs(prefix: string): Promise<string[]>;
  /** The latest export of an administration, by its manifest. */
  latest(name: string): Promise<{ lines: string[]; changes: RelationChange[]; manifest: Manifest }>;
};

/** Two in the morning of Tuesday 3 November 2026 in Amsterdam. */
export const NIGHT = Date.UTC(2026, 10, 3, 1) / 1000;
export const DAY = 24 * 3600;

export function openExports(
  storage: TestStorage,
  administrations: Administrations,
  settings: Partial<Settings['exports']> = {},
  options: Omit<ExportOptions, 'clock'> = {},
): TestExports {
  const events: Record<string, unknown>[] = [];
  const log = (event: Record<string, unknown>) => void events.push(event);
  const exports = relationExports(
    storage,
    administrations,
    {
      timeZone: 'Europe/Amsterdam',
      exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90, ...settings },
    },
    { clock: () => test.time * 1000, ...options },
  );
  const { timers } = exportFunctions(async () => exports);
  const firing = [{}, { log: (line: string) => log(JSON.parse(line).export) }] as Parameters<TimerFunction['handler']>;
  const test: TestExports = {
    ...exports,
    time: NIGHT - DAY + 3600,
    events,
    async timer() {
      for (const { handler } of timers) await handler(...firing);
    },
    async fire() {
      await exports.enqueueDue(log);
      return test.drain();
    },
    async drain() {
      let slices = 0;
      const queue = await storage.queueClient(QUEUE);
      for (;;) {
        const [message] = (await queue.receiveMessages({ visibilityTimeout: 60 })).receivedMessageItems;
        if (message === undefined) return slices;
        slices++;
        await exports.work(JSON.parse(Buffer.from(message.messageText, 'base64').toString()), log);
        await queue.deleteMessage(message.messageId, message.popReceipt);
      }
    },
    async messages() {
      const { peekedMessageItems } = await (await storage.queueClient(QUEUE)).peekMessages({ numberOfMessages: 32 });
      return peekedMessageItems.map(({ messageText }) => JSON.parse(Buffer.from(messageText, 'base64').toString()));
    },
    async blob(path) {
      const { readableStreamBody } = await (await storage.containerClient(QUEUE)).getBlobClient(path).download();
      return text(readableStreamBody!);
    },
    async blobs(prefix) {
      const names: string[] = [];
      for await (const { name } of (await storage.containerClient(QUEUE)).listBlobsFlat({ prefix })) names.push(name);
      return names;
    },
    async latest(name) {
      const manifests = (await test.blobs(`${name}/`)).filter((path) => path.endsWith('/manifest.json'));
      const all: Manifest[] = await Promise.all(manifests.map(async (path) => JSON.parse(await test.blob(path))));
      const manifest = all.toSorted((a, b) => b.startedOn - a.startedOn)[0]!;
      const lines = async (file: string) =>
        (await test.blob(`${name}/${manifest.date}/${file}`)).split('\n').slice(0, -1);
      return {
        lines: await lines('relations.jsonl'),
        changes: (await lines('changes.jsonl')).map((line) => JSON.parse(line)),
        manifest,
      };
    },
  };
  return test;
}

/** A source of so many relations, known to its exports since the day before the first night. */
export async function startExports(
  storage: TestStorage,
  count: number,
  given: { cap?: number; settings?: object; options?: object } = {},
): Promise<{ id: string; source: ChangingSource; exports: TestExports }> {
  const id = randomUUID();
  const source = changingSource(id, given.cap);
  for (let number = 1; number <= count; number++) {
    source.happens({ kind: 'add', guid: BigInt(number * 10), name: `Relation ${number}`, on: () => NIGHT - 30 * DAY });
  }
  const exports = openExports(storage, source.administrations, given.settings, given.options);
  await exports.fire();
  exports.time = NIGHT;
  return { id, source, exports };
}
