import { describe, expect, it } from 'vitest';
import { fieldError } from '../../../shared/fieldErrors.ts';
import { Problem } from '../../../shared/problem.ts';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { abandonPush, type Followed } from './followPush.ts';
import { isFinished, type SheetPush } from './sheetPush.ts';

const sheet = productSheets();

describe('A push that the service refuses as a whole', () => {
  it('writes the error beside the refused row, and beside the others that nothing was sent', async () => {
    for (const row of [1, 2]) sheet.type(row, 'New sale price', '1');
    sheet.service.onRequest = () =>
      new Problem('INVALID_REQUEST', 'x', {
        errors: [
          fieldError('rows[1].update.NewSalePrice', 'ROW_REFUSED', {
            row: 3,
            errors: [fieldError('NewSalePrice', 'TEXT_TOO_LONG', { max: 4, length: 9 })],
          }),
        ],
      });
    await expect(sheet.pushAll()).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Not sent', 'Refused']);
    expect(sheet.column('Message').slice(0, 2)).toEqual([
      'Not sent: the service refused the whole push.',
      'New sale price: at most 4 characters, there are 9',
    ]);
    expect(isFinished(await sheet.storedPush())).toBe(true);
  });

  it('can be repeated with the right API key after the key was refused', async () => {
    sheet.type(1, 'Stock quantity', '1');
    sheet.service.onRequest = () => new Problem('UNAUTHORIZED', 'x');
    await expect(sheet.pushAll()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(sheet.column('Message')[0]).toContain('API key');
    sheet.service.onRequest = () => undefined;
    await sheet.pushAll();
    expect(sheet.service.stock.A).toBe(11);
  });

  it('says of an archived administration why nothing was sent', async () => {
    sheet.type(1, 'Stock quantity', '1');
    sheet.service.onRequest = () => new Problem('FORBIDDEN', 'x');
    await expect(sheet.pushAll()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(sheet.column('Message')[0]).toBe('Not sent: the administration is archived, or this API key may only read.');
  });

  it('stays unfinished when an earlier request may have begun it', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const faults = ['response lost', new Problem('UNAUTHORIZED', 'x')] as const;
    let questions = 0;
    sheet.service.onRequest = () => faults[questions++];
    await expect(sheet.pushAll()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(isFinished(await sheet.storedPush())).toBe(false);
    await sheet.follow(await sheet.storedPush(), { isNew: false });
    expect(sheet.service.stock.A).toBe(11);
  });
});

describe('A push that the service no longer knows', () => {
  it('stays unfinished until the user abandons it', async () => {
    sheet.type(1, 'Stock quantity', '1');
    sheet.type(2, 'New sale price', '1');
    sheet.service.onRequest = (method) => {
      if (method === 'GET') sheet.service.pushes = [];
      return undefined;
    };
    // As the pane shows it, which has not read it from the sheet.
    let shown: SheetPush | undefined;
    const onChange = ({ push }: Followed) => {
      shown = push;
    };
    await expect(sheet.pushAll({ onChange })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Waiting', 'Waiting']);
    await abandonPush(await sheet.contextIn(), shown!);
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Unknown', 'Unknown']);
    expect((await sheet.prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
  });
});
