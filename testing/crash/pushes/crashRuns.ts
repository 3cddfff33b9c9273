import { setTimeout as sleep } from 'node:timers/promises';
import { type Seeded, seeded } from '../../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { createPushClient, type PushClient } from '../../../shared/client/pushClient.ts';
import { Problem } from '../../../shared/problem.ts';
import { type Push, type PushedRowInput, type PushRow, rowStates } from '../../../shared/resources/push.ts';
import { secretKeyOf } from '../../secretKey.ts';
import type { CrashRun } from '../writes.ts';
import { type Instances, startInstances } from './instances.ts';
import type { Place, StoredData } from './places.ts';

/** Rows of products, and of documents by their endpoints. */
const productKinds = ['relative', 'absolute', 'addition', 'wrong'] as const;
const documentKinds = ['addsalesinvoice', 'addorder', 'addsalestransaction', 'addpurchasetransaction'] as const;

/** A row with its expected result. */
type Intended = {
  row: number;
  article: string;
  kind: (typeof productKinds)[number] | (typeof documentKinds)[number];
  quantity: number;
  /** The unique comment of the write, or the notes of the document. */
  comment: string;
  /** The number of the row that makes the product of a document. */
  needs?: number;
};

/** The responses to a caller after its push ended. */
type PushReport = { push: Push; rows: Map<number, PushRow>; findings: string[] };

const STOCK = 100;
/** The largest number of disturbances while pushes run. */
const MAX_DISTURBANCES = 6;
/** Timeout of a push, in milliseconds. */
const MAX_WAIT_MS = 12 * 60_000;
/** Timeout of a request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 8000;

/**
 * Sends a push for each seed, all at the same time, through two instances of the app that are killed and paused
 * meanwhile. Then compares the reported outcome of each row with the stored data.
 * @param storage connection string of a storage account for this run only
 */
export async function crashRuns(place: Place, storage: string, seeds: readonly number[]): Promise<CrashRun[]> {
  const instances = await startInstances({
    ...place.settings,
    AzureWebJobsStorage: storage,
    SECRET_KEY: secretKeyOf(seeds[0]!),
  });
  try {
    let ended = false;
    const calls = Promise.all(seeds.map((seed) => callerRun(place, instances, seed))).finally(() => {
      ended = true;
    });
    const [runs] = await Promise.all([calls, disturb(place, instances, seeded(seeds[0]! * 31), () => ended)]);
    runs[0]!.findings.push(...instances.errors());
    return runs;
  } finally {
    await instances.close();
  }
}

/** Disturbs the instances while they work. */
async function disturb(place: Place, instances: Instances, random: Seeded, isOver: () => boolean): Promise<void> {
  // The first ones come while the pushes are being accepted.
  for (let early = random.below(3); early > 0; early--) {
    await sleep(random.from(0, 600));
    await instances.disturb(random);
  }
  for (let time = 0; time < MAX_DISTURBANCES; time++) {
    const from = await place.progress();
    const more = random.from(1, place.rows[1]);
    while ((await place.progress()) < from + more) {
      if (isOver()) return;
      await sleep(10);
    }
    await sleep(random.from(0, 40));
    await instances.disturb(random);
  }
}

/** One caller's push, and the errors in its result. */
export async function callerRun(place: Place, instances: Instances, seed: number): Promise<CrashRun> {
  const random = seeded(seed);
  const intended = anyRows(random, place);
  const articles = intended.filter(({ kind }) => kind === 'relative' || kind === 'absolute');
  const credential = await place.addInitialData(
    `crash-${seed}`,
    [sold.article, ...articles.map(({ article }) => article)],
    STOCK,
  );
  const { push, rows, findings } = await pushThrough(instances, random, credential, intended);
  return {
    seed,
    counts: push.counts as CrashRun['counts'],
    findings: [...findings, ...compare(intended, push, rows, await place.storedData(credential), place.isSure)],
  };
}

function anyRows(random: Seeded, { rows: [min, max] }: Place): Intended[] {
  const additions: Intended[] = [];
  return Array.from({ length: random.from(min, max) }, (_, index) => {
    const percentage = random.below(100);
    // Numbers as in a sheet: not from zero, and with gaps.
    const row = 2 + 3 * index;
    const comment = `row ${index}`;
    if (percentage < 30) {
      const { article, row: needs } = additions.length > 0 && random.chance(50) ? random.pick(additions) : sold;
      return { row, article, kind: random.pick(documentKinds), quantity: 0, comment, ...(needs ? { needs } : {}) };
    }
    const kind = percentage < 65 ? 'relative' : percentage < 80 ? 'absolute' : percentage < 94 ? 'addition' : 'wrong';
    const quantity = random.from(1, 99) * (kind === 'relative' && random.chance(40) ? -1 : 1);
    const one: Intended = { row, article: `A-${index}`, kind, quantity, comment };
    if (kind === 'addition') additions.push(one);
    return one;
  });
}

/** A product that documents sell; what they sell of it is nothing, so that no stock changes. */
const sold: { article: string; row?: number } = { article: 'sold' };

const writtenAs = ({ row, article, kind, quantity, comment }: Intended): PushedRowInput => {
  if (isDocument(kind)) return { row, endpoint: kind, request: documentOf(kind, article, comment) };
  const update = { ArticleNumber: article, NewStockQty: quantity, NewStockMutationComment: comment };
  if (kind === 'absolute') return { row, update: { ...update, StockUpdateMode: 'Absolute' } };
  if (kind !== 'addition') return { row, update };
  const addition = { ...update, NewName: article, CategoryName: 'Crash', CategoryCreateIfMissing: true };
  return { row, addition };
};

const isDocument = (kind: Intended['kind']): kind is (typeof documentKinds)[number] =>
  documentKinds.some((one) => one === kind);

function documentOf(kind: (typeof documentKinds)[number], article: string, notes: string): object {
  const line = { ProductNumber: article, Quantity: 0, UnitPriceExclTax: 1, TaxPc: 21 };
  if (kind === 'addorder') return { CustomerNumber: 7, OrderNotes: notes, Order_Orderline: [line] };
  const lines = [kind === 'addsalesinvoice' ? line : { SubTotalInclTax: 121, TaxPc: 21 }];
  return { CustomerNumber: 7, SupplierNumber: 3, InvoiceNotes: notes, Invoice_InvoiceLine: lines };
}

/** Repeats a request with the same key after a broken connection, a late response, and the wait that a 429 asks for. */
async function pushThrough(
  instances: Instances,
  random: Seeded,
  credential: Credential,
  intended: readonly Intended[],
): Promise<PushReport> {
  const findings: string[] = [];
  const until = Date.now() + MAX_WAIT_MS;
  async function send<Result>(
    request: (client: PushClient, signal: AbortSignal) => Promise<Result>,
    timeout = REQUEST_TIMEOUT_MS,
  ): Promise<Result> {
    for (;;) {
      const client = createPushClient({ base: await instances.url(random), credential, fetch });
      try {
        return await request(client, AbortSignal.timeout(timeout));
      } catch (failure) {
        if (failure instanceof Problem) {
          // The service behind the app answers late, or is given a pause, while the machine is busy.
          const { 'Retry-After': retryAfter } = failure.headers;
          const isPaused = failure.code === 'REMOTE_FAILED' && retryAfter !== undefined;
          if (!isPaused && !['RATE_LIMIT', 'REMOTE_TIMEOUT'].includes(failure.code)) throw failure;
          await sleep(1000 * Number(retryAfter ?? 0));
        }
        if (Date.now() > until) throw new Error('There is no response.', { cause: failure });
      }
      timeout = REQUEST_TIMEOUT_MS;
      await sleep(random.from(20, 300));
    }
  }

  const written = intended.map(writtenAs);
  const begin = () =>
    send(
      (client, signal) => client.begin(written, 'the key', signal),
      random.chance(50) ? random.from(1, 200) : REQUEST_TIMEOUT_MS,
    );
  let push = await begin();
  const cancelAfter = random.chance(25) ? random.below(written.length) : written.length;
  const rows = new Map<number, PushRow>();
  for (let after = '', isCancelled = false; ; ) {
    if (random.chance(10)) {
      const again = await begin();
      if (again.id !== push.id) findings.push(`The same key began ${push.id} and ${again.id}.`);
    }
    const changes = await send((client, signal) => client.changes(push.id!, after, signal));
    for (const row of changes.rows) {
      const before = rows.get(row.row!);
      if (before !== undefined && !mayBecome(before.state!, row.state!)) {
        findings.push(`Row ${row.row} was reported ${before.state}, and then ${row.state}.`);
      }
      rows.set(row.row!, row);
    }
    ({ push, cursor: after } = changes as { push: Push; cursor: string });
    if (push.state === 'ended' && !changes.more) return { push, rows, findings };
    if (Date.now() > until) {
      findings.push(`The push is ${push.state} after ${MAX_WAIT_MS / 1000} seconds: ${JSON.stringify(push.counts)}.`);
      return { push, rows, findings };
    }
    if (!isCancelled && push.counts.waiting! < written.length - cancelAfter) {
      isCancelled = true;
      await send((client, signal) => client.cancel(push.id!, signal));
    }
    await sleep(250);
  }
}

/** Whether a row may change from one reported state to another: a late response may arrive. */
const mayBecome = (before: string, after: string): boolean =>
  before === after || before === 'waiting' || before === 'sending' || before === 'unknown';

/** The differences between the reported and the applied writes. */
function compare(
  intended: readonly Intended[],
  push: Push,
  rows: ReadonlyMap<number, PushRow>,
  { done, stock, findings: errors }: StoredData,
  isSure: boolean,
): string[] {
  const findings = [...errors];
  const times = Map.groupBy(done, (comment) => comment);
  let [reported, found] = [0, 0];
  let lastNumber = 0;
  let leftOut = 0;
  for (const one of intended) {
    const { row, article, kind, quantity, comment, needs } = one;
    const { state = 'waiting', product, document, errorCode } = rows.get(row) ?? {};
    const count = times.get(comment)?.length ?? 0;
    times.delete(comment);
    const name = `Row ${row} (${kind})`;
    const add = (what: string) => findings.push(`${name} is reported ${state}, and ${what}.`);
    const max = kind === 'absolute' && !isSure ? Number.POSITIVE_INFINITY : 1;
    if (count > max) add(`was done ${count} times`);
    if (state === 'applied' && count < 1) add('was not done');
    if ((state === 'refused' || state === 'cancelled') && count > 0) add('was done');
    if (state === 'unknown' && isSure) add('its outcome can be found out');
    if (state === 'waiting' || state === 'sending') add('the push has ended');
    if (isDocument(kind)) {
      // The kinds that name products need them.
      const isNeeding = needs !== undefined && ['addsalesinvoice', 'addorder'].includes(kind);
      if (isNeeding && rows.get(needs)?.state !== 'applied' && count > 0) add(`row ${needs} was not applied`);
      if (errorCode === 'NEEDED_ROW_NOT_APPLIED') leftOut++;
      if (state !== 'applied') continue;
      const number = Number(document?.number);
      if (!(number > 0)) add(`with the number ${document?.number}`);
      if (isSure && kind === 'addsalesinvoice') {
        if (number <= lastNumber) add(`its number ${number} comes before ${lastNumber}`);
        lastNumber = number;
      }
      continue;
    }
    if (state === 'applied' && kind === 'wrong') add('names an article that is not there');

    const before = kind === 'relative' || kind === 'absolute' ? STOCK : undefined;
    const after = kind === 'absolute' ? quantity : (before ?? 0) + quantity;
    const expected = count > 0 ? after : before;
    const stored = stock.get(article);
    if (stored !== expected) add(`${article} has a stock of ${stored}, not ${expected}`);
    if (state === 'applied' && Number(product?.StockQty) !== after) add(`with a stock of ${product?.StockQty}`);
    if (kind !== 'absolute' && (state === 'applied' || (state === 'unknown' && count > 0))) reported += quantity;
    if (kind !== 'absolute') found += (stored ?? 0) - (before ?? 0);
  }
  if (reported !== found) findings.push(`${reported} were reported as added to stock, and ${found} were added.`);
  for (const comment of times.keys()) findings.push(`${comment} is stored, and was never pushed.`);
  for (const state of rowStates) {
    const count = [...rows.values()].filter((row) => row.state === state).length;
    if (count !== push.counts[state])
      findings.push(`${push.counts[state]} rows are counted ${state}, and ${count} reported.`);
  }
  const isCancelled = push.counts.cancelled! > leftOut;
  if (isCancelled && push.stopped !== 'CANCELLED')
    findings.push(`Rows are cancelled, and it was stopped by "${push.stopped}".`);
  return findings;
}
