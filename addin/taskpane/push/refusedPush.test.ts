import { describe, expect, it } from 'vitest';
import { fieldError } from '../../../shared/fieldErrors.ts';
import { Problem } from '../../../shared/problem.ts';
import {
  beginProductSheets,
  column,
  contextIn,
  follow,
  prepare,
  pushAll,
  service,
  storedPush,
  type,
} from '../../../testing/addin/productSheet.ts';
import { abandonPush, type Followed } from './followPush.ts';
import { isFinished, type SheetPush } from './sheetPush.ts';

beginProductSheets();

describe('A push that the service refuses as a whole', () => {
  it('writes the error beside the refused row, and beside the others that nothing was sent', async () => {
    for (const row of [1, 2]) type(row, 'New sale price', '1');
    service.onRequest = () =>
      new Problem('INVALID_REQUEST', 'x', {
        errors: [
          fieldError('rows[1].update.NewSalePrice', 'ROW_REFUSED', {
            row: 3,
            errors: [fieldError('NewSalePrice', 'TEXT_TOO_LONG', { max: 4, length: 9 })],
          }),
        ],
      });
    await expect(pushAll()).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(column('Status').slice(0, 2)).toEqual(['Not sent', 'Refused']);
    expect(column('Message').slice(0, 2)).toEqual([
      'Not sent: the service refused the whole push.',
      'New sale price: at most 4 characters, there are 9',
    ]);
    expect(isFinished(await storedPush())).toBe(true);
  });

  it('can be repeated with the right API key after the key was refused', async () => {
    type(1, 'Stock quantity', '1');
    service.onRequest = () => new Problem('UNAUTHORIZED', 'x');
    await expect(pushAll()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(column('Message')[0]).toContain('API key');
    service.onRequest = () => undefined;
    await pushAll();
    expect(service.stock.A).toBe(11);
  });

  it('stays unfinished when an earlier request may have begun it', async () => {
    type(1, 'Stock quantity', '1');
    const faults = ['response lost', new Problem('UNAUTHORIZED', 'x')] as const;
    let questions = 0;
    service.onRequest = () => faults[questions++];
    await expect(pushAll()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(isFinished(await storedPush())).toBe(false);
    await follow(await storedPush(), { isNew: false });
    expect(service.stock.A).toBe(11);
  });
});

describe('A push that the service no longer knows', () => {
  it('stays unfinished until the user abandons it', async () => {
    type(1, 'Stock quantity', '1');
    type(2, 'New sale price', '1');
    service.onRequest = (method) => {
      if (method === 'GET') service.pushes = [];
      return undefined;
    };
    // As the pane shows it, which has not read it from the sheet.
    let shown: SheetPush | undefined;
    const onChange = ({ push }: Followed) => {
      shown = push;
    };
    await expect(pushAll({ onChange })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(column('Status').slice(0, 2)).toEqual(['Waiting', 'Waiting']);
    await abandonPush(await contextIn(), shown!);
    expect(column('Status').slice(0, 2)).toEqual(['Unknown', 'Unknown']);
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
  });
});
