import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../testing/addin/workbook.ts';
import { inWorkbook, noRetry } from './batch.ts';
import { followSelection } from './selection.ts';

let excel: TestWorkbook;
let stop: () => void;
let seen: string[];

const select = (address: string) =>
  inWorkbook(async (context) => {
    context.workbook.worksheets.getActiveWorksheet().getRange(address).select();
    await context.sync();
  });

const readAddress = async () => {
  const address = await inWorkbook(async (context) => {
    const range = context.workbook.getActiveCell().load({ address: true });
    await context.sync();
    return range.address;
  }, noRetry).catch(() => 'refused');
  seen.push(address);
};

beforeEach(() => {
  excel = openTestWorkbook();
  seen = [];
});
afterEach(() => stop());

describe('Who follows the selection', () => {
  it('reads it after a move that came before the event handlers', async () => {
    const selecting = select('B2');
    stop = followSelection(() => void readAddress());
    await selecting;
    await vi.waitUntil(() => seen.length > 0);
    expect(seen).toEqual(['Sheet1!B2']);
  });

  it('reads it, and follows it, after the cell that is being edited is finished', async () => {
    let requests = 0;
    excel.watch(() => void requests++);
    excel.workbook.editing = true;
    stop = followSelection(() => void readAddress());
    await vi.waitUntil(() => requests > 0);
    excel.workbook.editing = false;
    await vi.waitUntil(() => seen.length > 0, { timeout: 180_000 });
    await select('C3');
    await vi.waitUntil(() => seen.length > 1);
    expect(seen).toEqual(['Sheet1!A1', 'Sheet1!C3']);
  });

  it('reads it once where Excel refuses the event handlers', async () => {
    excel.watch((request) => (request === 1 ? 'ApiNotFound' : undefined));
    stop = followSelection(() => void readAddress());
    await vi.waitUntil(() => seen.length > 0);
    expect(seen).toEqual(['Sheet1!A1']);
  });
});
