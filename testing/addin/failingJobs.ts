import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noRetry } from '../../addin/excel/batch.ts';
import type { Cell } from '../../addin/excel/cell.ts';
import { removeUnfinished, type Unfinished, unfinishedInWorkbook } from '../../addin/excel/tables/unfinished.ts';
import { WorkbookProblem, type WorkbookProblemCode } from '../../addin/excel/workbookProblem.ts';
import type { ExcelErrorCode } from '../../addin/simulator/workbook/cells/error.ts';
import { explainError } from '../../addin/taskpane/explainError.ts';
import { fetchOnce, fetchWithRetry, type ServiceWait } from '../../addin/taskpane/fetchWithRetry.ts';
import { messagesOf } from '../../addin/taskpane/locales/messages.ts';
import type { Credential, Fetch, Service } from '../../shared/client/client.ts';
import { startApp, type TestApp } from '../app.ts';
import { deeper } from '../deep.ts';
import { testStorage } from '../storage.ts';
import { type FaultyService, faults, rateLimited, startFaultyService } from './faultyService.ts';
import { openTestWorkbook, type TestWorkbook } from './workbook.ts';

/** A job of the pane that is tried with every failure, in a new workbook each time. */
export type FailingJob = {
  title: string;
  /** What is there before it. */
  before?: () => Promise<unknown>;
  run: () => Promise<unknown>;
  /** Takes it up again; as it was begun where left out. */
  again?: () => Promise<unknown>;
  /** What it leads to besides the cells, such as what the app stores. */
  outcome?: () => Promise<unknown>;
  /** Finishes what a closed workbook left unfinished; removes it where left out. */
  finish?: (one: Unfinished, all: readonly Unfinished[]) => Promise<unknown>;
  /** Whether the workbook says that it is under way: then its cells may be other than before. */
  isUnderWay?: () => Promise<boolean>;
  /** Whether it has steps that are whole by themselves: each sheet is as before, as after, or empty but for headings. */
  hasSteps?: boolean;
  /** Requests whose failure is no failure of the job. @returns whether the result says what it lacks */
  tolerates?: (result: unknown) => boolean;
};

/** What Excel refuses a request with, and what the pane makes of it. */
const refusals: readonly { title: string; code: ExcelErrorCode; problems: WorkbookProblemCode[] }[] = [
  { title: 'a cell that is being edited', code: 'InvalidOperationInCellEditMode', problems: ['CELL_BEING_EDITED'] },
  { title: 'a protected sheet', code: 'AccessDenied', problems: ['PROTECTED'] },
  {
    title: 'a request that is too large',
    code: 'RequestPayloadSizeLimitExceeded',
    // The second one: it was to store a note. Which request does depends on how often a push was asked for.
    problems: ['TOO_LARGE', 'MEMORY_CUT'],
  },
  { title: 'a busy Excel', code: 'ActivityLimitReached', problems: ['EXCEL_BUSY'] },
];

const { ReadOn, ChangedOn } = messagesOf.en.headings.products;
/** A cell, but for the moments at which something was read or changed. */
const unlessMoment = (cell: Cell, heading: Cell | undefined): Cell =>
  typeof cell === 'number' && (heading === ReadOn || heading === ChangedOn) ? 'a moment' : cell;

/** Jobs against a real app with a storage account, and a server before it that fails. To be called at the top of a file. */
export async function failingJobs() {
  const { connectionString } = await testStorage();
  let app: TestApp;
  let service: FaultyService;
  let excel: TestWorkbook;
  let waits: (ServiceWait | undefined)[];
  beforeAll(async () => {
    app = await startApp({ storage: connectionString });
    service = await startFaultyService(app.url);
  });
  afterAll(async () => {
    service.close();
    await app.close();
  });
  const openWorkbook = () => {
    excel = openTestWorkbook();
  };
  beforeEach(() => {
    openWorkbook();
    waits = [];
    service.disturb();
  });

  /** As the pane sends, but for its pauses. */
  const send: Fetch = fetchWithRetry(fetchOnce, { wait: async () => {}, onWaiting: (reason) => waits.push(reason) });

  /** The rows of every sheet, in any order: a refresh adds rows at the end. Lists to choose from are made anew. */
  const cells = () =>
    Object.fromEntries(
      excel.workbook.sheets
        .filter(({ name }) => name !== messagesOf.en.documentSheets.listsSheet)
        .map(({ name }) => [
          name,
          excel
            .cells(name)
            .map((row, _, [headings]) => JSON.stringify(row.map((cell, at) => unlessMoment(cell, headings?.[at]))))
            .sort()
            .join('\n'),
        ]),
    );
  type Cells = ReturnType<typeof cells>;
  type Everything = { cells: Cells; outcome: unknown };
  const everything = async ({ outcome }: FailingJob): Promise<Everything> => ({
    cells: cells(),
    outcome: await outcome?.(),
  });

  async function begin({ before }: FailingJob): Promise<Cells> {
    openWorkbook();
    service.disturb();
    await before?.();
    return cells();
  }

  /** What the job leads to when nothing fails. */
  async function undisturbed(job: FailingJob) {
    await begin(job);
    service.disturb();
    await job.run();
    const { requests } = service;
    return { whole: await everything(job), requests };
  }

  const failureOf = (asked: Promise<unknown>) =>
    asked.then(
      (result) => ({ result, error: undefined }),
      (error: unknown) => ({ result: undefined, error }),
    );

  /** Nothing is half written without saying so: each sheet is as it was, or is named as unfinished. */
  async function expectTold(job: FailingJob, asItWas: Cells, whole: Everything, where: string): Promise<void> {
    if (await job.isUnderWay?.()) return;
    const named = new Set((await unfinishedInWorkbook()).map(({ sheetName }) => sheetName));
    const isWhole = ([name, rows]: [string, string]) =>
      named.has(name) ||
      rows === asItWas[name] ||
      (job.hasSteps === true && (rows === whole.cells[name] || !rows.includes('\n')));
    expect(
      Object.entries(cells()).filter((sheet) => !isWhole(sheet)),
      where,
    ).toEqual([]);
    expect(Object.keys(cells()), where).toEqual(expect.arrayContaining(Object.keys(asItWas)));
  }

  /** Finishes or removes what is named as unfinished, as somebody does who opens the pane again. */
  async function finishAll({ finish }: FailingJob): Promise<void> {
    for (let left = await unfinishedInWorkbook(); left.length > 0; left = await unfinishedInWorkbook()) {
      const [one] = left;
      await (finish?.(one!, left) ?? removeUnfinished(one!, noRetry));
    }
  }

  const takeUp = ({ again, run }: FailingJob) => (again ?? run)();

  /**
   * @param ofWorkbook whether the jobs write to a workbook, which may fail too
   * @param isSampled whether others do the same work: the usual runs then try what could have done it twice only
   */
  function tryFailures(jobs: readonly FailingJob[], { ofWorkbook = true, isSampled = false } = {}): void {
    const tried = isSampled ? deeper(faults.slice(1, 2), faults) : faults;
    const isWhole = !isSampled || deeper(false, true);
    /** Every so many requests fail: each in each way would take an hour. */
    const stepOf = (usual: number, deep: number) => (isSampled ? usual : deeper(usual, deep));
    describe.each(jobs)('$title', (job) => {
      let expected: { whole: Everything; requests: number };
      beforeAll(async () => {
        expected = await undisturbed(job);
      });

      it.each(tried.map((fault, index) => ({ ...fault, index })))(
        'that meets $title tells it, leaves the workbook as it was, and can be done again',
        async ({ disturb, told, index }) => {
          const { whole, requests } = expected;
          expect(requests).toBeGreaterThan(0);
          // The usual runs fail one request of a job in each way, another one for each; the deep runs one in three.
          const step = stepOf(requests, Math.min(3, requests));
          for (let from = index % step; ; from += step) {
            const where = `from request ${from} on`;
            const asItWas = await begin(job);
            service.disturb(disturb, from);
            const { error, result } = await failureOf(job.run());
            if (service.requests <= from) break;
            if (error === undefined) expect(job.tolerates?.(result), where).toBe(true);
            else expect(explainError(error, messagesOf.en), where).toBe(told);
            if (error !== undefined) await expectTold(job, asItWas, whole, where);
            // Nothing is written before all of it was received, so nothing has to be finished.
            expect(await unfinishedInWorkbook(), where).toEqual([]);
            service.disturb();
            await takeUp(job);
            expect(await everything(job), where).toEqual(whole);
          }
        },
      );

      if (!isWhole) return;
      it('that meets a rate limit waits, says until when, and goes on', async () => {
        const { whole } = expected;
        await begin(job);
        waits = [];
        let refused = 0;
        service.disturb((forward, response) => (++refused % 2 === 1 ? rateLimited(forward, response) : forward()));
        const { error } = await failureOf(job.run());
        // What changes something is sent once: the person decides whether it is sent again.
        if (error === undefined) expect(waits.slice(0, 2)).toEqual([{ rateLimitUntil: expect.any(Date) }, undefined]);
        else expect(explainError(error, messagesOf.en)).toBe(messagesOf.en.problems.rateLimit('7'));
        service.disturb();
        if (error !== undefined) await takeUp(job);
        expect(await everything(job)).toEqual(whole);
      });

      if (!ofWorkbook) return;
      it.each(refusals.map((refusal, index) => ({ ...refusal, index })))(
        'that meets $title tells it, leaves the workbook as it was, and can be done again',
        async ({ code, problems, index }) => {
          const { whole } = expected;
          const step = stepOf(3 * refusals.length, refusals.length);
          for (let at = 1 + (index % step), isRefused = true; isRefused; at += step) {
            const asItWas = await begin(job);
            isRefused = false;
            const refused = at;
            excel.watch((request) => {
              if (request !== refused) return undefined;
              isRefused = true;
              return code;
            });
            const where = `at request ${refused} to Excel`;
            const { error } = await failureOf(job.run());
            if (error !== undefined) {
              expect(error, where).toBeInstanceOf(WorkbookProblem);
              expect(problems, where).toContain((error as WorkbookProblem).code);
              await expectTold(job, asItWas, whole, where);
              await finishAll(job);
              await takeUp(job);
            }
            expect(await everything(job), where).toEqual(whole);
          }
        },
      );

      it('in a workbook that is closed on the way leaves it as it was or says what is unfinished', async () => {
        const { whole } = expected;
        const step = stepOf(5, 2);
        for (let last = 0, isInterrupted = true; isInterrupted; last += step) {
          const asItWas = await begin(job);
          const closing = last;
          let isOpen = true;
          isInterrupted = false;
          excel.watch((request) => {
            if (!isOpen || request <= closing) return undefined;
            isInterrupted = true;
            return 'RequestAborted';
          });
          await failureOf(job.run());
          isOpen = false;
          const where = `after request ${closing} to Excel`;
          await expectTold({ hasSteps: true, ...job }, asItWas, whole, where);
          await finishAll(job);
          // A sheet to fill in that was made after all stays, beside another.
          if (!isDeepStrictEqual(await everything(job), whole)) await takeUp(job);
          expect(await everything(job), where).toEqual(whole);
        }
      });
    });
  }

  return {
    get app() {
      return app;
    },
    get excel() {
      return excel;
    },
    /** The app behind the server that fails, as the pane asks it. @param fetch with the retries of a read by default */
    serviceOf: (credential: Credential, fetch: Fetch = send): Service => ({ base: service.url, credential, fetch }),
    tryFailures,
  };
}
