import path from 'node:path';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { Problem } from '../../../../shared/problem.ts';
import { TookTooMuch, threadPool } from '../../threads/threadPool.ts';
import type { InvoiceDocument } from '../invoiceDocument.ts';
import { stillMade } from './stillMade.ts';

export type Order = { kind: 'pdf' | 'eInvoice'; document: InvoiceDocument };

export type Made = { content: Uint8Array; notes: string[] };

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

type MakerOptions = { threads?: number; maxMs?: number; maxMegabytes?: number };

/**
 * Makes documents in threads of their own, so that no request waits for one that is being made. A document that takes
 * too much time or memory ends its thread and is refused. Administrations take turns, with one document each at a time.
 * @param options.maxMs of one document, with the start of its thread
 * @param options.maxMegabytes of the heap of a thread
 */
export function documentMaker({ threads = 2, maxMs = 20_000, maxMegabytes = 256 }: MakerOptions = {}) {
  const pool = threadPool<Order, Made>({
    entry: path.join(import.meta.dirname, 'documentThread.ts'),
    ...{ threads, maxMs, maxMegabytes },
  });
  const underWay = new Map<string, Promise<Made>>();
  const tooHeavy = new Map<string, number>();

  /**
   * @param key of the document and its owner: the same one is made once at a time
   * @throws Problem INVALID_REQUEST for a document that cannot be made, UNAVAILABLE while too many wait
   */
  function make(order: Order, owner: string, key: string): Promise<Made> {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const size = FIXED_SIZE + textLength(order.document) + (order.document.template.logo?.length ?? 0);
    const refusal = refusalOf(order, owner, key, size);
    if (refusal !== undefined) return Promise.reject(refusal);
    const made = pool.run(order, owner, size).catch((failure) => {
      if (!(failure instanceof TookTooMuch)) throw failure;
      remember(key);
      throw tooMuch(order.document);
    });
    underWay.set(key, made);
    const end = () => void underWay.delete(key);
    made.then(end, end);
    return made;
  }

  function refusalOf({ kind, document }: Order, owner: string, key: string, size: number): Problem | undefined {
    if (kind === 'pdf' && textLength(document) > MAX_TEXT) {
      const error = fieldError('notes', 'DOCUMENT_TEXTS_TOO_LONG', { max: MAX_TEXT, length: textLength(document) });
      return new Problem('INVALID_REQUEST', `No PDF can be made: ${error.message}.`, { errors: [error] });
    }
    if ((tooHeavy.get(key) ?? 0) > performance.now()) return tooMuch(document);
    const ofOwner = pool.waitingSize(owner);
    const isFull = pool.waitingSize() + size > MAX_WAITING || ofOwner + size > MAX_WAITING_OF_OWNER;
    return isFull && ofOwner > 0 ? stillMade(document.number) : undefined;
  }

  function remember(key: string): void {
    tooHeavy.delete(key);
    tooHeavy.set(key, performance.now() + REFUSED_MS);
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

/** The threads of this process, which begin with the first document. */
export const documents = documentMaker();
