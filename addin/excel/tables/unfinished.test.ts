import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { noRetry } from '../batch.ts';
import { createTable } from './createTable.ts';
import { refreshTable } from './refresh/refreshTable.ts';
import type { TableSpec } from './table.ts';
import { tablesInWorkbook } from './tableMemory.ts';
import { removeUnfinished, unfinishedInWorkbook } from './unfinished.ts';

type Account = { number: string; name: string };

const source = {
  view: 'accounts',
  administration: { id: 'a1', label: 'Jansen' },
  endpoint: 'listledgeraccounts',
  query: { FiscalYear: '2025' },
};
const spec: TableSpec<Account> = {
  source: {
    ...source,
    administration: { ...source.administration, apiKey: 'secret' } as (typeof source)['administration'],
  },
  sheetName: 'Accounts',
  keys: ['number'],
  columns: [
    { key: 'number', heading: 'Number', kind: 'text', width: 12, value: ({ number }) => number },
    { key: 'name', heading: 'Name', kind: 'text', width: 30, value: ({ name }) => name },
  ],
};
const accounts = (name: string): Account[] => ['1000', '1100', '1200'].map((number) => ({ number, name }));

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

/** Closes the pane: no request after this one reaches Excel until the pane is opened again. */
const paneThatEndsAfter = (last: number) => {
  let isOpen = true;
  let seen = 0;
  excel.watch((request) => {
    if (isOpen) seen = request;
    return isOpen && request > last ? 'RequestAborted' : undefined;
  });
  return {
    requests: () => seen,
    openAgain: () => {
      isOpen = false;
    },
  };
};

const create = async () => {
  const writer = await createTable(spec, noRetry);
  await writer.write(accounts('as pulled'));
  return writer.finish();
};
const refresh = async () => {
  const writer = await refreshTable((await tablesInWorkbook(noRetry))[0]!, spec, noRetry);
  await writer.write([...accounts('as refreshed').slice(1), { number: '1300', name: 'as refreshed' }]);
  return writer.finish();
};
const names = () =>
  excel
    .cells('Accounts')
    .slice(1)
    .map(([, name]) => name);

describe('A pull that a closed pane interrupted', () => {
  it('is found on its new sheet after any last request, and can be removed', async () => {
    const whole = paneThatEndsAfter(Number.POSITIVE_INFINITY);
    await create();
    expect(await unfinishedInWorkbook()).toEqual([]);
    const requests = whole.requests();
    expect(requests).toBeGreaterThan(4);
    const states: string[] = [];
    for (let last = 0; last < requests; last++) {
      excel = openTestWorkbook();
      const pane = paneThatEndsAfter(last);
      await create().catch(() => {});
      pane.openAgain();
      const found = await unfinishedInWorkbook();
      const isThere = excel.workbook.sheets.length > 1;
      const isTable = (await tablesInWorkbook()).length > 0;
      states.push(isTable ? 'whole' : isThere ? 'half' : 'none');
      expect(found, `after request ${last}`).toEqual(
        isThere && !isTable
          ? [{ sheetId: expect.any(String), sheetName: 'Accounts', work: 'new', startedAt: expect.any(String), source }]
          : [],
      );
      for (const one of found) await removeUnfinished(one);
      if (found.length > 0) expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    }
    expect([...new Set(states)]).toEqual(['none', 'half', 'whole']);
  });

  it('is found on the table it was refreshing, which the next refresh completes', async () => {
    await create();
    const whole = paneThatEndsAfter(Number.POSITIVE_INFINITY);
    await refresh();
    const requests = whole.requests();
    const after = [...new Array(3).fill('as refreshed')];
    expect(names()).toEqual(after);
    for (let last = 0; last < requests; last++) {
      excel = openTestWorkbook();
      await create();
      const pane = paneThatEndsAfter(last);
      await refresh().catch(() => {});
      pane.openAgain();
      const isTouched = !names().every((name) => name === 'as pulled');
      const isWhole = names().join() === after.join();
      const found = await unfinishedInWorkbook();
      if (isTouched && !isWhole) expect(found, `after request ${last}`).toMatchObject([{ work: 'refresh', source }]);
      if (!isTouched && found.length > 0) expect(found).toMatchObject([{ work: 'refresh' }]);
      await refresh();
      expect(names()).toEqual(after);
      if (isTouched && !isWhole) expect(await unfinishedInWorkbook()).toEqual([]);
    }
  });

  it('is forgotten, with its table unchanged, when its mark is removed', async () => {
    await create();
    await Excel.run(async (context) => {
      const { customProperties } = context.workbook.worksheets.getItem('Accounts');
      customProperties.add('Ledgerline unfinished', JSON.stringify({ work: 'refresh', startedAt: 'now', source }));
      await context.sync();
    });
    const [found] = await unfinishedInWorkbook();
    await removeUnfinished(found!);
    expect(await unfinishedInWorkbook()).toEqual([]);
    expect(names()).toEqual(new Array(3).fill('as pulled'));
  });

  it('keeps its list when another window completed that before somebody removes it, and what is begun then', async () => {
    const writer = await createTable(spec, noRetry);
    const [found] = await unfinishedInWorkbook();
    await writer.write(accounts('as pulled'));
    await writer.finish();
    await removeUnfinished(found!);
    expect(names()).toEqual(new Array(3).fill('as pulled'));

    const mark = (startedAt: string) =>
      Excel.run(async (context) => {
        const { customProperties } = context.workbook.worksheets.getItem('Accounts');
        customProperties.add('Ledgerline unfinished', JSON.stringify({ work: 'refresh', startedAt, source }));
        await context.sync();
      });
    await mark('before');
    const [refreshed] = await unfinishedInWorkbook();
    await mark('now');
    await removeUnfinished(found!);
    await removeUnfinished(refreshed!);
    expect(await unfinishedInWorkbook()).toMatchObject([{ startedAt: 'now' }]);
    expect(names()).toEqual(new Array(3).fill('as pulled'));
  });

  it('is not found in a property that something else wrote', async () => {
    await Excel.run(async (context) => {
      const { customProperties } = context.workbook.worksheets.getActiveWorksheet();
      customProperties.add('Ledgerline unfinished', '{"work":"else"}');
      await context.sync();
    });
    expect(await unfinishedInWorkbook()).toEqual([]);
  });
});
