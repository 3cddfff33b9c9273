import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openTestWorkbook } from '../../testing/addin/workbook.ts';
import { readWorkbookSetting, storeWorkbookSetting } from './workbookSetting.ts';

const schema = z.object({ id: z.string() });

describe('A setting of a workbook', () => {
  beforeEach(() => void openTestWorkbook());

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
});
