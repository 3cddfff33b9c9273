import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient, type Fetch } from '../../../shared/client/client.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { Problem, type ProblemCode, problemBody } from '../../../shared/problem.ts';
import { relation } from '../../../shared/resources/relation.ts';
import type { RelationExport } from '../../../shared/resources/relationExport.ts';
import { stringifyJson } from '../../../shared/wire/json.ts';
import { noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { deeper } from '../../../testing/deep.ts';
import { noRetry } from '../../excel/batch.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { removeUnfinished, unfinishedInWorkbook } from '../../excel/tables/unfinished.ts';
import { makeRequestSheet } from '../documentSheet/makeRequestSheet.ts';
import { explainError } from '../explainError.ts';
import { fetchOnce, fetchWithRetry, type ServiceWait } from '../fetchWithRetry.ts';
import { messagesOf } from '../locales/messages.ts';
import { accounts } from '../pulledLists/accounts.ts';
import { taxCodes } from '../pulledLists/taxCodes.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { canFinish, finishPull } from './finishPull.ts';
import { pullInvoices, pullList, pullRelations, type RefreshContext, refreshPull } from './pulls.ts';
import { refreshAll } from './refreshAll.ts';

/*
 * Jobs that fail in the middle, against a real app: nothing is lost or half written without saying so, the pane tells
 * why, and the same job can be done again. Pushes are in `push/`, documents in `selectedInvoices/`.
 */

const messages = messagesOf.en;
const administration = { id: 'c1', label: 'Bakkerij Jansen' };
const INVOICES = 101;

let app: TestApp;
let excel: TestWorkbook;
/** What the requests meet, from one of them on; none by default. */
let fault: { from: number; respond: (url: string, init: RequestInit) => Promise<Response> } | undefined;
let requests: number;
let waits: (ServiceWait | undefined)[];

beforeAll(async () => {
  app = await startApp();
  for (let number = 1; number <= INVOICES; number++)
    await app.addInvoice({ number: BigInt(number), date: '2026-01-05', lines: [{}] });
});
afterAll(() => app.close());
beforeEach(() => {
  excel = openTestWorkbook();
  [fault, requests, waits] = [undefined, 0, []];
});

/** As the pane sends, but for its pauses. */
const send: Fetch = fetchWithRetry(
  (url, init) => {
    const now = requests++;
    return fault !== undefined && now >= fault.from ? fault.respond(url, init) : fetchOnce(url, init);
  },
  { wait: async () => {}, onWaiting: (reason) => waits.push(reason) },
);

const relations = ['1', '2', '3'].map((RelationGUID) =>
  relation.parse({ RelationGUID, Name: `Relation ${RelationGUID}` }),
);
const published = { administration: 'a', date: '2026-01-05', state: 'published', files: [], startedOn: '1' };
/** Exports need a storage account; here they come through the same `fetch`. */
const exports: RefreshContext['exports'] = {
  async list() {
    await readAccounts();
    return [published as unknown as RelationExport];
  },
  async *relations() {
    yield relations.slice(0, 2);
    await readAccounts();
    yield relations.slice(2);
  },
};

const clientNow = () => createClient(app.url, app.credential, send);
const readAccounts = () => clientNow().listledgeraccounts({});
const contextNow = (): RefreshContext => ({
  client: clientNow(),
  ledger: createLedgerClient({ base: app.url, credential: app.credential, fetch: send }),
  vat: noVat,
  exports,
  messages,
  administration,
  retry: noRetry,
});

type Job = { title: string; before?: () => Promise<unknown>; run: () => Promise<unknown> };
const question = { DateFrom: '2026-01-01', WithLines: 'true' } as const;
const pullAll = async () => {
  await pullList(contextNow(), accounts, {});
  await pullInvoices(contextNow(), question);
  await pullList(contextNow(), taxCodes, {});
  makeOld();
};
/** Every sheet has values that a refresh replaces, a row that it removes, and lacks one that it adds. */
const makeOld = () => {
  for (const sheet of excel.workbook.sheets) {
    const [table] = sheet.tables;
    if (table === undefined) continue;
    const { row, rows } = table.area;
    const key = sheet.rows[row + 1]!.cells[0]!;
    sheet.rows[row + 1]!.cells[0] = { ...key, value: 'gone' };
    for (let at = row + 1; at < row + rows; at += 7) {
      const cell = sheet.rows[at]!.cells[1]!;
      sheet.rows[at]!.cells[1] = { ...cell, value: 'old' };
    }
  }
};
const refreshEverything = async () => {
  const result = await refreshAll(contextNow(), await tablesInWorkbook(noRetry));
  if (result.failed.length > 0) throw result.failed[0]!.error;
};
const jobs: Job[] = [
  { title: 'A pull', run: () => pullInvoices(contextNow(), question) },
  {
    title: 'A refresh',
    before: async () => {
      await pullInvoices(contextNow(), question);
      makeOld();
    },
    run: () => refreshPull(contextNow(), { view: 'invoices', query: question }),
  },
  { title: 'Refreshing all sheets', before: pullAll, run: refreshEverything },
  { title: 'Bringing in an export', run: () => pullRelations(contextNow(), {}) },
  {
    title: 'Making a sheet with lists to choose from',
    run: () =>
      makeRequestSheet(
        requestSheets.salesInvoiceRows,
        messages,
        administration,
        { client: clientNow(), products: undefined },
        noRetry,
      ),
  },
];

/** The rows of every sheet, in any order: a refresh adds rows at the end. Lists to choose from are made anew each time. */
const everything = () =>
  Object.fromEntries(
    excel.workbook.sheets
      .filter(({ name }) => name !== messages.documentSheets.listsSheet)
      .map(({ name }) => [
        name,
        excel
          .cells(name)
          .map((cells) => JSON.stringify(cells))
          .sort()
          .join('\n'),
      ]),
  );

const refusal =
  (code: ProblemCode, headers: Record<string, string> = {}) =>
  async () => {
    const problem = new Problem(code, 'x', { headers });
    return new Response(stringifyJson(problemBody(problem, '/')), {
      status: problem.status,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  };
/** A port that nobody listens on. */
const offline = (_: string, init: RequestInit) => fetchOnce('http://127.0.0.1:9/', init);
const { problems } = messages;
const faults = [
  { title: 'no network', respond: offline, told: problems.offline },
  { title: 'a gateway that waited too long', respond: async () => new Response('', { status: 504 }), told: undefined },
  {
    title: 'a rate limit that does not end',
    respond: refusal('RATE_LIMIT', { 'Retry-After': '7' }),
    told: problems.rateLimit('7'),
  },
  { title: 'a key that is refused', respond: refusal('UNAUTHORIZED'), told: problems.service.UNAUTHORIZED },
  { title: 'an error of the server', respond: refusal('INTERNAL'), told: problems.service.INTERNAL },
];

/** What the job writes when nothing fails, and the requests that it needs. */
async function undisturbed({ before, run }: Job) {
  excel = openTestWorkbook();
  await before?.();
  requests = 0;
  await run();
  const whole = { result: everything(), requests };
  excel = openTestWorkbook();
  return whole;
}

describe.each(jobs)('$title', (job) => {
  it.each(faults)('that meets $title tells it, leaves the workbook as it was, and can be done again', async (one) => {
    const whole = await undisturbed(job);
    expect(whole.requests).toBeGreaterThan(1);
    for (let from = 0; from < whole.requests; from++) {
      excel = openTestWorkbook();
      fault = undefined;
      await job.before?.();
      const asItWas = everything();
      requests = 0;
      fault = { from, respond: one.respond };
      const error = await job.run().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, `at request ${from}`).toBeDefined();
      const told = explainError(error, messages);
      if (one.told === undefined) expect(told).toMatch(/\w+/);
      else expect(told).toBe(one.told);
      expect(await unfinishedInWorkbook(), `at request ${from}`).toEqual([]);
      expect(everything(), `at request ${from}`).toEqual(asItWas);
      fault = undefined;
      await job.run();
      expect(everything(), `at request ${from}`).toEqual(whole.result);
    }
  });

  it('that meets a rate limit waits, says until when, and goes on', async () => {
    const whole = await undisturbed(job);
    await job.before?.();
    [requests, waits] = [0, []];
    let refused = 0;
    const respond: NonNullable<typeof fault>['respond'] = (url, init) =>
      ++refused % 2 === 1 ? refusal('RATE_LIMIT', { 'Retry-After': '7' })() : fetchOnce(url, init);
    fault = { from: 1, respond };
    await job.run();
    expect(everything()).toEqual(whole.result);
    expect(waits.slice(0, 2)).toEqual([{ rateLimitUntil: expect.any(Date) }, undefined]);
  });

  it('in a workbook that is closed on the way leaves it as it was or says what is unfinished', async () => {
    const whole = await undisturbed(job);
    let last = 0;
    for (let isInterrupted = true; isInterrupted; last += deeper(3, 1)) {
      excel = openTestWorkbook();
      await job.before?.();
      const asItWas = everything();
      const closing = last;
      let isOpen = true;
      isInterrupted = false;
      excel.watch((request) => {
        if (!isOpen || request <= closing) return undefined;
        isInterrupted = true;
        return 'RequestAborted';
      });
      await job.run().catch(() => {});
      isOpen = false;
      const unfinished = await unfinishedInWorkbook();
      // Each sheet is as it was, or refreshed, unless it is named.
      const named = new Set(unfinished.map(({ sheetName }) => sheetName));
      const halfWritten = Object.entries(everything()).filter(
        ([name, rows]) => !named.has(name) && ![asItWas[name], whole.result[name]].includes(rows),
      );
      expect(halfWritten, `after request ${closing}`).toEqual([]);
      for (let left = unfinished; left.length > 0; left = await unfinishedInWorkbook()) {
        const [one] = left;
        await (canFinish(one!, contextNow()) ? finishPull(contextNow(), one!, left) : removeUnfinished(one!, noRetry));
      }
      // A sheet to fill in that was made after all stays, beside another.
      if (JSON.stringify(everything()) !== JSON.stringify(whole.result)) await job.run();
      expect(everything(), `after request ${closing}`).toEqual(whole.result);
    }
    expect(last).toBeGreaterThan(3);
  });
});
