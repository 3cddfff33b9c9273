import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../testing/addin/workbook.ts';
import { readNotes, storeNotes } from './notes.ts';

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

describe('A note', () => {
  const sheetId = () => excel.workbook.active.id;

  it('of any length is read as it was written', async () => {
    const text = 'é€'.repeat(50_000);
    await storeNotes(sheetId(), { push: text, other: '' });
    expect(await readNotes(sheetId(), ['push', 'other', 'none'])).toEqual([text, '', undefined]);
    await storeNotes(sheetId(), { push: 'short' });
    expect(await readNotes(sheetId(), ['push', 'other'])).toEqual(['short', '']);
    expect([...excel.workbook.active.customProperties.keys()]).toHaveLength(4);
  });

  it('that the workbook cuts is refused, and the previous one restored', async () => {
    await storeNotes(sheetId(), { push: 'the first' });
    excel.workbook.maxPropertyLength = 1000;
    await expect(storeNotes(sheetId(), { push: 'x'.repeat(1001) })).rejects.toMatchObject({ code: 'MEMORY_CUT' });
    expect(await readNotes(sheetId(), ['push'])).toEqual(['the first']);
  });

  it('that is more than one request may have is refused as one that is cut', async () => {
    await storeNotes(sheetId(), { push: 'the first' });
    const text = 'x'.repeat(5 * 1024 * 1024);
    await expect(storeNotes(sheetId(), { push: text })).rejects.toMatchObject({ code: 'MEMORY_CUT' });
    expect(await readNotes(sheetId(), ['push'])).toEqual(['the first']);
  });
});
