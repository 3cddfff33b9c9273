import { beforeEach, describe, expect, it } from 'vitest';
import { retryOptions } from '../../shared/retry.ts';
import { article, articleWorkbook, spec } from '../../testing/addin/articles.ts';
import { noRetry } from './batch.ts';
import { createTable } from './tables/createTable.ts';
import { readTable } from './tables/readTable.ts';

const workbook = articleWorkbook();

beforeEach(() => workbook.open());

describe('Work that Excel refuses', () => {
  const retry = noRetry;

  it('fails on a protected sheet', async () => {
    await workbook.create([article('1')]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').protection.protect();
      await context.sync();
    });
    await expect(workbook.refresh([article('1', { price: '2' })], retry)).rejects.toMatchObject({ code: 'PROTECTED' });
  });

  it('fails while a cell is being edited, without a retry', async () => {
    workbook.excel.workbook.editing = true;
    await expect(createTable(spec, retry)).rejects.toMatchObject({ code: 'CELL_BEING_EDITED' });
  });

  it('is repeated after a cell was edited', async () => {
    workbook.excel.workbook.editing = true;
    const waiting: unknown[] = [];
    const onWaiting = (reason: unknown) => {
      waiting.push(reason);
      setTimeout(() => {
        workbook.excel.workbook.editing = false;
      }, 50);
    };
    await workbook.create([article('1')], { options: retryOptions({ initialBackoffMs: 1 }), onWaiting });
    expect(waiting).toEqual(['CELL_BEING_EDITED', undefined]);
    expect(workbook.body()).toHaveLength(1);
  });

  it('ends its wait for an edited cell when it is cancelled', async () => {
    workbook.excel.workbook.editing = true;
    const stop = new AbortController();
    const onWaiting = () => stop.abort('enough');
    const retry = {
      options: retryOptions({ initialBackoffMs: 60_000, maxBackoffMs: 60_000 }),
      onWaiting,
      signal: stop.signal,
    };
    await expect(createTable(spec, retry)).rejects.toBe('enough');
  });

  it.each(['InactiveWorkbook', 'InvalidSelection', 'ActivityLimitReached', 'ServiceNotAvailable'] as const)(
    'is repeated after a temporary %s',
    async (code) => {
      workbook.excel.watch((request) => (request < 4 ? code : undefined));
      const reasons: unknown[] = [];
      await workbook.create([article('1')], {
        options: retryOptions({ initialBackoffMs: 1 }),
        onWaiting: (reason) => reasons.push(reason),
      });
      expect(reasons).toEqual([code.startsWith('In') ? 'OTHER_WORKBOOK' : 'EXCEL_BUSY', undefined]);
      expect(workbook.body()).toHaveLength(1);
    },
  );

  it.each([
    ['ServiceNotAvailable', 'EXCEL_BUSY'],
    ['RequestAborted', 'INTERRUPTED'],
    ['GeneralException', 'EXCEL_FAILED'],
  ] as const)('fails after a permanent %s with %s', async (code, problem) => {
    workbook.excel.watch(() => code);
    await expect(createTable(spec, { options: retryOptions({ initialBackoffMs: 1 }) })).rejects.toMatchObject({
      code: problem,
    });
  });

  it('fails on a deleted table', async () => {
    await workbook.create([article('1')]);
    const deleted = await workbook.handle();
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').delete();
      await context.sync();
    });
    await expect(readTable(deleted)).rejects.toMatchObject({ code: 'TABLE_GONE' });
  });
});
