import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Administrations } from '../../functions/administrations/administration.ts';
import { QUEUE } from '../../functions/exports/dependencies.ts';
import { exportFunctions } from '../../functions/exports/exports.ts';
import { type ExportOptions, relationExports } from '../../functions/exports/relationExports.ts';
import type { Merged } from '../../functions/exports/run/merge.ts';
import type { TimerFunction } from '../../functions/http/definition.ts';
import type { Settings } from '../../functions/settings.ts';
import type { TestStorage } from '../storage.ts';
import { type ChangingSource, changingSource } from './changingSource.ts';

type Manifest = {
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

/** Relation exports with a clock that a test sets. */
export type TestExports = ReturnType<typeof openExports>;

/** Two in the morning of Tuesday 3 November 2026 in Amsterdam. */
export const NIGHT = Date.UTC(2026, 10, 3, 1) / 1000;
export const DAY = 24 * 3600;

export function openExports(
  storage: TestStorage,
  administrations: Administrations,
  settings: Partial<Settings['exports']> = {},
  options: Omit<ExportOptions, 'clock'> = {},
) {
  const events: Record<string, unknown>[] = [];
  const log = (event: Record<string, unknown>) => void events.push(event);
  const clock = { time: NIGHT - DAY + 3600 };
  const exports = relationExports(
    storage,
    administrations,
    {
      timeZone: 'Europe/Amsterdam',
      exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90, ...settings },
    },
    { clock: () => clock.time * 1000, ...options },
  );
  const { timers } = exportFunctions(async () => exports);
  const firing = [{}, { log: (line: string) => log(JSON.parse(line).export) }] as Parameters<TimerFunction['handler']>;
  const contentOf = (messageText: string) => JSON.parse(Buffer.from(messageText, 'base64').toString());

  /**
   * Handles every message of the queue but those of a takeover, which are for killed workers: they are seen after 45
   * seconds, if a test takes so long. @returns the number of slices
   */
  async function drain(): Promise<number> {
    let slices = 0;
    const queue = await storage.queueClient(QUEUE);
    for (;;) {
      const [message] = (await queue.receiveMessages({ visibilityTimeout: 60 })).receivedMessageItems;
      if (message === undefined) return slices;
      const content = contentOf(message.messageText);
      if (content.takeover !== true) {
        slices++;
        await exports.work(content, log);
      }
      await queue.deleteMessage(message.messageId, message.popReceipt);
    }
  }

  /** The text of a blob of the container. */
  async function blob(path: string): Promise<string> {
    const { readableStreamBody } = await (await storage.containerClient(QUEUE)).getBlobClient(path).download();
    return text(readableStreamBody!);
  }

  const blobs = async (prefix: string): Promise<string[]> =>
    Array.fromAsync((await storage.containerClient(QUEUE)).listBlobsFlat({ prefix }), ({ name }) => name);

  return Object.assign(clock, exports, {
    events,
    drain,
    blob,
    /** The names of the blobs with a prefix. */
    blobs,
    /** Calls the timer. */
    async timer(): Promise<void> {
      for (const { handler } of timers) await handler(...firing);
    },
    /** Puts due messages on the queue, and handles all messages. @returns the number of slices */
    async fire(): Promise<number> {
      await exports.enqueueDue(log);
      return drain();
    },
    async messages(): Promise<unknown[]> {
      const { peekedMessageItems } = await (await storage.queueClient(QUEUE)).peekMessages({ numberOfMessages: 32 });
      return peekedMessageItems.map(({ messageText }) => contentOf(messageText)).filter(({ takeover }) => !takeover);
    },
    /** The latest export of an administration, by its manifest. */
    async latest(
      name: string,
    ): Promise<{ lines: string[]; changes: { RelationGUID: number; change: Merged['change'] }[]; manifest: Manifest }> {
      const manifests = (await blobs(`${name}/`)).filter((path) => path.endsWith('/manifest.json'));
      const all: Manifest[] = await Promise.all(manifests.map(async (path) => JSON.parse(await blob(path))));
      const manifest = all.toSorted((a, b) => b.startedOn - a.startedOn)[0]!;
      const lines = async (file: string) => (await blob(`${name}/${manifest.date}/${file}`)).split('\n').slice(0, -1);
      return {
        lines: await lines('relations.jsonl'),
        changes: (await lines('changes.jsonl')).map((line) => JSON.parse(line)),
        manifest,
      };
    },
  });
}

/** A source of so many relations. It is first seen by its exports on the day before the first night. */
export async function startExports(
  storage: TestStorage,
  count: number,
  { cap, settings, options }: { cap?: number; settings?: object; options?: object } = {},
): Promise<{ id: string; source: ChangingSource; exports: TestExports }> {
  const id = randomUUID();
  const source = changingSource(id, cap);
  for (let number = 1; number <= count; number++) {
    source.apply({ kind: 'add', guid: BigInt(number * 10), name: `Relation ${number}`, on: () => NIGHT - 30 * DAY });
  }
  const exports = openExports(storage, source.administrations, settings, options);
  await exports.fire();
  exports.time = NIGHT;
  return { id, source, exports };
}
