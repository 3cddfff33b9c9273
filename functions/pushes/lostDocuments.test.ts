import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushChanges } from '../../shared/resources/push.ts';
import { proxyTo } from '../../testing/databaseProxy.ts';
import { ignoreLog } from '../../testing/pushes/testPushes.ts';
import { openRemote } from '../../testing/remote/askRemote.ts';
import { type ScriptedService, startScriptedService } from '../../testing/remote/scriptedService.ts';
import { testStorage } from '../../testing/storage.ts';
import type { Administrations } from '../administrations/administration.ts';
import type { SecretKeys } from '../http/secretKeys.ts';
import { openStorage } from '../storage/storage.ts';
import { PUSH_QUEUE } from './dependencies.ts';
import { openPushes, type Pushes } from './openPushes.ts';

/* Documents that are pushed to a remote service, whose responses are lost. */

const { storage, connectionString } = await testStorage();
const secretKeys: SecretKeys = [randomBytes(32)];
const credential = { apiKey: 'key', username: 'anna@example.com' };

/** An invoice as the service lists it. */
type Listed = {
  InvoiceNumber: number;
  InvoiceDate: string;
  CustomerNumber: number;
  InvoiceTotalInclTax: number;
  InvoiceReference: string;
  InvoiceNotes: string;
  InvoiceType: string;
};

let service: ScriptedService;
let remote: Administrations;
let pushes: Pushes;
/** The invoices of the service. */
let invoices: Listed[];
/** What a proxy before the service does with each write, in their order; then it responds. */
let fates: ('lost' | 'lost before' | 'lost, and a colleague makes one')[];
let posted: string[];
let listRequests: number;
/** Whether invoices are numbered when they are made; if not, each has the number 0. */
let numbersInvoices: boolean;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  [invoices, fates, posted, listRequests, numbersInvoices] = [[], [], [], 0, true];
  remote = openRemote(service.url);
  pushes = openPushes({ storage, administrations: remote, secretKeys, days: 30 });
  await (await storage.queueClient(PUSH_QUEUE)).clearMessages();
  service.play(({ method, path, query, body }) => {
    if (method === 'GET') {
      if (!path.startsWith('/rest/listsalesinvoices')) return { body: '[]' };
      listRequests++;
      const offset = Number(new URLSearchParams(query).get('Offset') ?? 0);
      return { body: JSON.stringify(invoices.toReversed().slice(offset)) };
    }
    const fate = fates.shift();
    posted.push(path);
    if (fate === 'lost before') return { status: 502 };
    const made = make(JSON.parse(body), path);
    if (fate === 'lost, and a colleague makes one') make({ ...JSON.parse(body), InvoiceNotes: 'of Piet' }, path);
    return fate === undefined ? { body: JSON.stringify([made]) } : { status: 502 };
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await remote.close();
});

function make(request: Record<string, never>, path: string): object {
  if (path.includes('addorder')) return { OrderNumber: 1 };
  const InvoiceType = path.includes('transaction') ? 'BOOKKEEPING' : 'INVOICING';
  const made: Listed = {
    // Each module numbers its own.
    InvoiceNumber: numbersInvoices ? 101 + invoices.filter((one) => one.InvoiceType === InvoiceType).length : 0,
    InvoiceDate: request.InvoiceDate!,
    CustomerNumber: Number(request.CustomerNumber),
    InvoiceTotalInclTax: Number(
      (request.Invoice_InvoiceLine as unknown as { SubTotalInclTax: number }[])[0]!.SubTotalInclTax,
    ),
    InvoiceReference: request.InvoiceReference ?? '',
    InvoiceNotes: request.InvoiceNotes ?? '',
    InvoiceType,
  };
  invoices.push(made);
  return made;
}

const invoice = (row: number, SubTotalInclTax: number, endpoint = 'addsalesinvoice') => ({
  row,
  endpoint,
  request: {
    CustomerNumber: 7,
    InvoiceDate: '15-03-2026',
    Invoice_InvoiceLine: [{ ProductNumber: 'A', Quantity: 1, SubTotalInclTax, TaxPc: 21 }],
  },
});
const order = (row: number) => ({
  row,
  endpoint: 'addorder',
  request: { CustomerNumber: 7, Order_Orderline: [{ ProductNumber: 'A', Quantity: 1, SubTotalInclTax: 1, TaxPc: 21 }] },
});

/** Pushes rows to their end. @returns what became of them */
async function pushed(rows: readonly object[], more: object = {}): Promise<PushChanges> {
  const { push } = JSON.parse(await pushes.begin(credential, randomUUID(), { rows, ...more }, ignoreLog));
  const queue = await storage.queueClient(PUSH_QUEUE);
  const { receivedMessageItems } = await queue.receiveMessages({ numberOfMessages: 32 });
  for (const { messageText } of receivedMessageItems) {
    await pushes.work(JSON.parse(Buffer.from(messageText, 'base64').toString()), ignoreLog);
  }
  return JSON.parse(await pushes.changes(credential, push.id, ''));
}

const states = ({ rows }: PushChanges) =>
  rows.toSorted((a, b) => a.row! - b.row!).map(({ state, errorCode }) => `${state} ${errorCode}`);

describe('an invoice whose response was lost', () => {
  it('is found in the list, and is applied with its number', async () => {
    fates = ['lost'];
    const changes = await pushed([invoice(2, 121), invoice(3, 50)]);
    expect(states(changes)).toEqual(['applied ', 'applied ']);
    expect(changes.rows.map(({ row, document }) => [row, document?.number])).toEqual(
      expect.arrayContaining([
        [2, '101'],
        [3, '102'],
      ]),
    );
    expect([posted.length, invoices.length]).toEqual([2, 2]);
    // Before the first one, and afterwards; the end of a list is an empty page.
    expect(listRequests).toBeLessThanOrEqual(4);
  });

  it('is found beside older ones that are the same', async () => {
    make(invoice(0, 121).request as never, '/rest/addsalesinvoice');
    fates = ['lost'];
    const changes = await pushed([invoice(2, 121)]);
    expect(changes.rows[0]).toMatchObject({ state: 'applied', document: { number: '102' } });
  });

  it('of the bookkeeping module is found as well', async () => {
    fates = ['lost'];
    expect(states(await pushed([invoice(2, 121, 'addsalestransaction')]))).toEqual(['applied ']);
  });

  it('is found where the other module had one of that number before', async () => {
    make(invoice(0, 50).request as never, '/rest/addsalestransaction');
    fates = ['lost'];
    const changes = await pushed([invoice(2, 121)]);
    expect(changes.rows[0]).toMatchObject({ state: 'applied', document: { number: '101', totalInclTax: 121 } });
  });

  it('is found where another row made one of that number in the other module', async () => {
    fates = ['lost'];
    const changes = await pushed([invoice(2, 121), invoice(3, 50, 'addsalestransaction')]);
    expect(changes.rows.map(({ row, document }) => [row, document?.number, document?.totalInclTax])).toEqual(
      expect.arrayContaining([
        [2, '101', 121],
        [3, '101', 50],
      ]),
    );
  });

  it('stays unknown when it is not in the list, and is not sent again', async () => {
    fates = ['lost before'];
    const changes = await pushed([invoice(2, 121)]);
    expect(states(changes)).toEqual(['unknown NOT_FOUND_YET']);
    expect(changes.rows[0]!.errorMessage).toMatch(
      /^Not found at \d\d:\d\d: sales invoice of customer 7, dated 15-03-2026\./,
    );
    expect(posted).toHaveLength(1);
  });

  it('that came later is found when somebody has it looked for again, at most once a minute', async () => {
    fates = ['lost before'];
    const { push } = await pushed([invoice(2, 121), order(3)]);
    const id = push.id!;
    vi.setSystemTime(Date.now() + 120_000);
    make(invoice(2, 121).request as never, '/rest/addsalesinvoice');
    await expect(pushes.lookAgain({ ...credential, apiKey: 'another' }, id)).rejects.toThrow('There is no push');
    const { push: after } = JSON.parse(await pushes.lookAgain(credential, id));
    expect(after).toMatchObject({ state: 'ended', counts: { applied: 2, unknown: 0 } });
    const changes: PushChanges = JSON.parse(await pushes.changes(credential, id, ''));
    expect(changes.rows.find(({ row }) => row === 2)).toMatchObject({ state: 'applied', document: { number: '101' } });
    expect(posted).toHaveLength(2);
  });

  it('is found when the storage loses the response to the note that it is looked for again', async () => {
    fates = ['lost before'];
    const { push } = await pushed([invoice(2, 121)]);
    vi.setSystemTime(Date.now() + 120_000);
    make(invoice(2, 121).request as never, '/rest/addsalesinvoice');
    const tables = /TableEndpoint=([^;]+)/.exec(connectionString)![1]!;
    const proxy = await proxyTo(tables);
    const behind = openPushes({
      storage: openStorage(connectionString.replace(tables, proxy.url)),
      administrations: remote,
      secretKeys,
      days: 30,
    });
    proxy.setMode('lose the response to a PUT');
    const { push: after } = JSON.parse(await behind.lookAgain(credential, push.id!));
    proxy.close();
    expect(after).toMatchObject({ state: 'ended', counts: { applied: 1, unknown: 0 } });
  });

  it('without a date is not the one of a later week, when somebody has it looked for again then', async () => {
    const { InvoiceDate, ...undated } = invoice(2, 121).request;
    fates = ['lost before'];
    const { push } = await pushed([{ ...invoice(2, 121), request: undated }]);
    vi.setSystemTime(Date.now() + 7 * 24 * 60 * 60_000);
    const days = { timeZone: 'Europe/Amsterdam', day: '2-digit', month: '2-digit', year: 'numeric' } as const;
    const today = new Intl.DateTimeFormat('nl', days).format(Date.now());
    make({ ...undated, InvoiceDate: today } as never, '/rest/addsalesinvoice');
    await pushes.lookAgain(credential, push.id!);
    expect(states(JSON.parse(await pushes.changes(credential, push.id!, '')))).toEqual(['unknown NOT_FOUND_YET']);
  });

  it('is looked for at most once a minute, however often that is asked', async () => {
    fates = ['lost before'];
    const { push } = await pushed([invoice(2, 121)]);
    listRequests = 0;
    await Promise.all(Array.from({ length: 5 }, () => pushes.lookAgain(credential, push.id!)));
    expect(listRequests).toBe(1);
    vi.setSystemTime(Date.now() + 61_000);
    await pushes.lookAgain(credential, push.id!);
    expect(listRequests).toBe(2);
    expect(states(JSON.parse(await pushes.changes(credential, push.id!, '')))).toEqual(['unknown NOT_FOUND_YET']);
  });

  it('is looked for again also when the clock was a day ahead the last time', async () => {
    fates = ['lost before'];
    const { push } = await pushed([invoice(2, 121)]);
    const now = Date.now();
    vi.setSystemTime(now + 24 * 60 * 60_000);
    await pushes.lookAgain(credential, push.id!);
    vi.setSystemTime(now + 120_000);
    listRequests = 0;
    await pushes.lookAgain(credential, push.id!);
    expect(listRequests).toBe(1);
  });

  it('stays unknown when a colleague made the same one meanwhile', async () => {
    fates = ['lost, and a colleague makes one'];
    expect(states(await pushed([invoice(2, 121)]))).toEqual(['unknown NOT_TOLD_APART']);
  });

  it('stays unknown when a colleague made one with another note meanwhile, and drafts have no number', async () => {
    numbersInvoices = false;
    fates = ['lost, and a colleague makes one'];
    const { push } = await pushed([invoice(2, 121)]);
    expect(states(JSON.parse(await pushes.changes(credential, push.id!, '')))).toEqual(['unknown NOT_TOLD_APART']);
  });

  it('stays unknown when two rows are equal and both were lost, unless they got references', async () => {
    fates = ['lost', 'lost'];
    expect(states(await pushed([invoice(2, 121), invoice(3, 121)]))).toEqual([
      'unknown NOT_TOLD_APART',
      'unknown NOT_TOLD_APART',
    ]);
    fates = ['lost', 'lost'];
    expect(states(await pushed([invoice(2, 121), invoice(3, 121)], { references: true }))).toEqual([
      'applied ',
      'applied ',
    ]);
  });

  it('is told with what to look for, where the service has no list', async () => {
    fates = ['lost'];
    const changes = await pushed([order(2)]);
    expect(states(changes)).toEqual(['unknown NOT_LISTED']);
    expect(changes.rows[0]!.errorMessage).toContain('an order of customer 7');
    expect(listRequests).toBe(0);
  });
});

it.each([
  ['before the first document', 0],
  ['after a lost document', 1],
])('a list that is needed %s is left to the next slice of time when it does not come in this one', async (_, sent) => {
  let open = pushes;
  /** The next list is the last request of its slice. */
  let isLast = false;
  service.play(({ method, path }) => {
    if (method === 'GET') {
      // The slice is over while the list is on its way.
      if (isLast) void open.stop();
      return { body: '[]' };
    }
    posted.push(path);
    isLast = true;
    return { status: 502 };
  });
  const { push } = JSON.parse(await open.begin(credential, randomUUID(), { rows: [invoice(2, 121)] }, ignoreLog));
  isLast = sent === 0;
  const queue = await storage.queueClient(PUSH_QUEUE);
  const workOnNext = async () => {
    const [message] = (await queue.receiveMessages()).receivedMessageItems;
    await queue.deleteMessage(message!.messageId, message!.popReceipt);
    await open.work(JSON.parse(Buffer.from(message!.messageText, 'base64').toString()), ignoreLog);
    return JSON.parse(await open.changes(credential, push.id, '')).push.state;
  };
  expect([await workOnNext(), posted.length]).toEqual(['running', sent]);
  open = openPushes({ storage, administrations: remote, secretKeys, days: 30 });
  service.play(() => ({ body: '[]' }));
  expect(await workOnNext()).toBe('ended');
});

it('documents go to a remote service one after the other, unless the push says otherwise', async () => {
  let atOnce = 0;
  let most = 0;
  let answered = (): Promise<unknown> => sleep(40);
  service.play(async ({ method }) => {
    if (method === 'GET') return { body: '[]' };
    most = Math.max(most, ++atOnce);
    await answered();
    atOnce--;
    return { body: JSON.stringify([{ OrderNumber: 1 }]) };
  });
  const rows = Array.from({ length: 8 }, (_, row) => order(row));
  expect(states(await pushed(rows))).toEqual(rows.map(() => 'applied '));
  expect(most).toBe(1);
  answered = () => vi.waitUntil(() => most > 1, { timeout: 180_000 });
  expect(states(await pushed(rows, { inOrder: false }))).toEqual(rows.map(() => 'applied '));
});
