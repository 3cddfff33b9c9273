import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { openTestWorkbook, type TestWorkbook } from '../../testing/addin/workbook.ts';
import { noRetry } from './batch.ts';
import { readWorkbookSetting, storeWorkbookSetting } from './workbookSetting.ts';

const schema = z.object({ id: z.string() });

describe('A setting of a workbook', () => {
  let excel: TestWorkbook;
  beforeEach(() => {
    excel = openTestWorkbook();
  });

  it('is none in a new workbook', async () => {
    expect(await readWorkbookSetting('One', schema)).toBeUndefined();
  });

  it('is read as it was last stored, without what its schema does not have', async () => {
    const withSecret = { id: 'second', apiKey: 'secret' };
    await storeWorkbookSetting('One', schema, { id: 'first' });
    await storeWorkbookSetting('One', schema, withSecret);
    await storeWorkbookSetting('Two', schema, { id: 'other' });
    expect(await readWorkbookSetting('One', schema)).toEqual({ id: 'second' });
    expect(await readWorkbookSetting('One', z.object({ apiKey: z.string() }))).toBeUndefined();
  });

  it('has what was stored last, also when Excel kept an earlier one waiting', async () => {
    let requests = 0;
    excel.watch((request) => {
      requests = request;
      return request === 1 ? 'InvalidOperationInCellEditMode' : undefined;
    });
    const first = storeWorkbookSetting('One', schema, { id: 'first' });
    await vi.waitUntil(() => requests === 1);
    await Promise.all([first, storeWorkbookSetting('One', schema, { id: 'second' })]);
    expect(await readWorkbookSetting('One', schema)).toEqual({ id: 'second' });
  });

  it('is stored after an earlier one that could not be', async () => {
    excel.watch((request) => (request === 1 ? 'AccessDenied' : undefined));
    const first = storeWorkbookSetting('One', schema, { id: 'first' }, noRetry);
    await Promise.all([expect(first).rejects.toThrow(), storeWorkbookSetting('One', schema, { id: 'second' })]);
    expect(await readWorkbookSetting('One', schema)).toEqual({ id: 'second' });
  });
});
