import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { Problem, type ProblemCode } from '../../../../shared/problem.ts';
import type { InvoiceDocument } from '../invoiceDocument.ts';
import { stillMade } from './stillMade.ts';

export type Order = { kind: 'pdf' | 'eInvoice'; document: InvoiceDocument };

export type Made =
  | { kind: 'made'; content: Uint8Array; notes: string[] }
  | { kind: 'refused'; code: ProblemCode; message: string; errors: readonly FieldError[] }
  | { kind: 'failed'; reason: string };

/** The most characters of all texts of a PDF together: about a hundred pages. */
const MAX_TEXT = 300_000;
/** Characters of the documents that may wait, of one administration and of all. */
const MAX_WAITING_OF_OWNER = 10_000_000;
const MAX_WAITING = 40_000_000;
/** What a document costs beside its texts, in characters. */
const FIXED_SIZE = 20_000;
/** Documents that took too much are remembered for so long, and so many of them. */
const REFUSED_MS = 600_000;
const MAX_REMEMBERED = 1000;
/** A thread without work ends after this time, and frees its memory. */
const IDLE_MS = 60_000;

type MakerOptions = { threads?: number; maxMs?: number; maxMegabytes?: number };

type Job = {
  order: Order;
  owner: string;
  key: string;
  size: number;
  resolve: (made: Extract<Made, { kind: 'made' }>) => void;
  reject: (reason: Error) => void;
};

export type DocumentMaker = ReturnType<typeof documentMaker>;

/**
 * Makes documents in threads of their own, so that no request waits for one that is being made. A document that takes
 * too much time or memory ends its thread and is refused. Administrations take turns, with one document each at a time.
 * @param options.maxMs of one document, with the start of its thread
 * @param options.maxMegabytes of the heap of a thread
 */
export function documentMaker({ threads = 2, maxMs = 20_000, maxMegabytes = 256 }: MakerOptions = {}) {
  const waiting: Job[] = [];
  const underWay = new Map<string, Promise<Extract<Made, { kind: 'made' }>>>();
  const busy = new Set<string>();
  const idle: { thread: Worker; timer: NodeJS.Timeout }[] = [];
  const tooHeavy = new Map<string, number>();

  /**
   * @param key of the document and its owner: the same one is made once at a time
   * @throws Problem INVALID_REQUEST for a document that cannot be made, UNAVAILABLE while too many wait
   */
  function make(order: Order, owner: string, key: string): Promise<Extract<Made, { kind: 'made' }>> {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const size = FIXED_SIZE + textLength(order.document) + (order.document.template.logo?.length ?? 0);
    const refusal = refusalOf(order, owner, key, size);
    if (refusal !== undefined) return Promise.reject(refusal);
    const { promise, resolve, reject } = Promise.withResolvers<Extract<Made, { kind: 'made' }>>();
    waiting.push({ order, owner, key, size, resolve, reject });
    underWay.set(key, promise);
    const end = () => void underWay.delete(key);
    promise.then(end, end);
    next();
    return promise;
  }

  function refusalOf({ kind, document }: Order, owner: string, key: string, size: number): Problem | undefined {
    if (kind === 'pdf' && textLength(document) > MAX_TEXT) {
      const error = fieldError('notes', 'DOCUMENT_TEXTS_TOO_LONG', { max: MAX_TEXT, length: textLength(document) });
      return new Problem('INVALID_REQUEST', `No PDF can be made: ${error.message}.`, { errors: [error] });
    }
    if ((tooHeavy.get(key) ?? 0) > Date.now()) return tooMuch(document);
    const waits = (jobs: readonly Job[]) => jobs.reduce((sum, job) => sum + job.size, size);
    const ofOwner = waiting.filter((job) => job.owner === owner);
    const isFull = waits(waiting) > MAX_WAITING || waits(ofOwner) > MAX_WAITING_OF_OWNER;
    return isFull && ofOwner.length > 0 ? stillMade(document.number) : undefined;
  }

  /** Gives the first document of an administration without one under way to a thread, while there is a free one. */
  function next(): void {
    if (busy.size >= threads) return;
    const index = waiting.findIndex(({ owner }) => !busy.has(owner));
    if (index < 0) return;
    const [job] = waiting.splice(index, 1);
    busy.add(job!.owner);
    run(job!);
    next();
  }

  function run({ order, owner, key, resolve, reject }: Job): void {
    const thread = freeThread();
    // The process waits for a document, but not for a thread without work.
    thread.ref();
    const timer = setTimeout(() => end('too heavy'), maxMs);
    const onError = (failure: Error & { code?: string }) =>
      end(failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too heavy' : failure);
    const onExit = () => end(new Error('The thread that makes documents ended.'));
    const end = (outcome: Made | Error | 'too heavy') => {
      clearTimeout(timer);
      thread.off('message', end).off('error', onError).off('exit', onExit);
      busy.delete(owner);
      if (outcome === 'too heavy') {
        remember(key);
        reject(tooMuch(order.document));
      } else if (outcome instanceof Error) reject(outcome);
      else if (outcome.kind === 'made') resolve(outcome);
      else if (outcome.kind === 'failed') reject(new Error(outcome.reason));
      else reject(new Problem(outcome.code, outcome.message, { errors: outcome.errors }));
      if (outcome instanceof Error || outcome === 'too heavy') void thread.terminate();
      else rest(thread);
      next();
    };
    thread.on('message', end).on('error', onError).on('exit', onExit);
    thread.postMessage(order);
  }

  function freeThread(): Worker {
    const free = idle.pop();
    clearTimeout(free?.timer);
    if (free !== undefined) return free.thread;
    const limits = { maxOldGenerationSizeMb: maxMegabytes };
    // What it reports while it is ended is about a document that was answered.
    return new Worker(threadFile(), { execArgv: [], resourceLimits: limits }).on('error', () => {});
  }

  function rest(thread: Worker): void {
    thread.unref();
    const end = () => {
      idle.splice(
        idle.findIndex((one) => one.thread === thread),
        1,
      );
      void thread.terminate();
    };
    idle.push({ thread, timer: setTimeout(end, IDLE_MS).unref() });
  }

  function remember(key: string): void {
    tooHeavy.delete(key);
    tooHeavy.set(key, Date.now() + REFUSED_MS);
    if (tooHeavy.size > MAX_REMEMBERED) tooHeavy.delete(tooHeavy.keys().next().value!);
  }

  return { make };
}

const tooMuch = ({ number }: InvoiceDocument): Problem =>
  new Problem(
    'INVALID_REQUEST',
    `No document of sales invoice ${number} can be made: its texts take too much time or memory.`,
  );

/** The characters of all texts in a document. */
function textLength(part: unknown): number {
  if (typeof part === 'string') return part.length;
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return 0;
  let length = 0;
  for (const member of Object.values(part)) length += textLength(member);
  return length;
}

/** A deployment has the thread's code in a file beside its own. */
function threadFile(): string {
  const shipped = path.join(import.meta.dirname, 'documentThread.js');
  return existsSync(shipped) ? shipped : path.join(import.meta.dirname, 'documentThread.ts');
}

/** The threads of this process, which begin with the first document. */
export const documents = documentMaker();
