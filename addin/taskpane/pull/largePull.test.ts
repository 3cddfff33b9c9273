import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { relation } from '../../../shared/resources/relation.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { deeper } from '../../../testing/deep.ts';
import { noRetry } from '../../excel/batch.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { unfinishedInWorkbook } from '../../excel/tables/unfinished.ts';
import { messagesOf } from '../locales/messages.ts';
import { type PullContext, pullRelations } from './pulls.ts';

/* A list of very many rows: its progress, its end, and its cancellation in the middle. */

const ROWS = deeper(10_000, 100_000);
const PAGE = 1000;

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const one = relation.parse({ RelationGUID: '1', Name: 'Bakkerij Jansen', CustomerNumber: 12 });
const exports = {
  list: async () => [
    { administration: 'a', date: '2026-01-05', state: 'published', startedOn: '1', files: [] } as never,
  ],
  async *relations() {
    for (let start = 0; start < ROWS; start += PAGE) {
      yield Array.from({ length: PAGE }, (_, index) => ({ ...one, RelationGUID: String(start + index + 1) }));
    }
  },
};
const contextWith = (more: Partial<PullContext>) => ({
  client: {} as Client,
  ledger: noLedger,
  vat: noVat,
  exports,
  messages: messagesOf.en,
  administration: { id: 'c1', label: 'Jansen' },
  ...more,
});

it('Many thousands of rows come with their progress, each once', async () => {
  const progress: number[] = [];
  const [written] = await pullRelations(contextWith({ onFetched: ({ rows }) => progress.push(rows) }), {});
  expect(written).toMatchObject({ rows: ROWS });
  expect(progress).toEqual(Array.from({ length: ROWS / PAGE }, (_, page) => (page + 1) * PAGE));
  const [table] = await tablesInWorkbook();
  const cells = excel.cells(table!.sheetName).slice(1);
  expect(new Set(cells.map(([number]) => number)).size).toBe(ROWS);
});

it('A cancellation in the middle of many thousands of rows leaves no sheet', async () => {
  const sheets = excel.workbook.sheets.map(({ name }) => name);
  const stop = new AbortController();
  const onFetched = ({ rows }: { rows: number }) => rows > ROWS / 2 && stop.abort('enough');
  const pulling = pullRelations(contextWith({ onFetched, retry: { ...noRetry, signal: stop.signal } }), {});
  await expect(pulling).rejects.toBe('enough');
  expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(sheets);
  expect(await unfinishedInWorkbook()).toEqual([]);
});
