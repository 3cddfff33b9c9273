import { describe, expect, it } from 'vitest';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import type { MadeDocument } from '../../../shared/resources/madeDocument.ts';
import { openSheetToFill } from '../../../testing/addin/sheetToFill.ts';
import { noRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { messagesOf } from '../locales/messages.ts';
import { followPush } from '../push/followPush.ts';
import { preparePush } from '../push/preparePush.ts';
import type { SentRow } from '../push/sheetPush.ts';
import type { SheetView } from '../sheetColumns/requestColumns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { sheetKindOf } from '../sheetKinds.ts';
import { checkRequests, isSendable, selectRequests } from './checkRequests.ts';
import { requestKind } from './requestKind.ts';

const { rowMessage } = messagesOf.en;

/** The message of a document that was sent with the totals of its sheet, and made with those of the service. */
const messageOf = (expected: SentRow['expected'], made: Partial<MadeDocument>): string => {
  const sent: SentRow = { row: 2, key: 'A', endpoint: 'addsalesinvoice', request: {}, ...(expected && { expected }) };
  const document = { number: '7', ...made } as MadeDocument;
  return requestKind.applied(sent, { errorCode: '', errorMessage: '', errors: [], document }, messagesOf.en).message;
};

describe('A document that was made', () => {
  it.each([
    [
      'the same totals',
      { totalExclTax: '100.00', totalInclTax: '121.00' },
      { totalExclTax: '100', totalInclTax: '121.0' },
    ],
    ['totals that its sheet could not compute', {}, { totalExclTax: '100', totalInclTax: '121' }],
    ['no totals in the response', { totalExclTax: '100.00' }, {}],
  ])('with %s says that it was made', (_, expected, made) => {
    expect(messageOf(expected, made)).toBe(rowMessage.made);
  });

  it.each([
    [
      'without tax',
      { totalExclTax: '100.00', totalInclTax: '121.00' },
      { totalExclTax: '100.01', totalInclTax: '121.00' },
      '100.00',
    ],
    [
      'with tax',
      { totalExclTax: '100.00', totalInclTax: '121.00' },
      { totalExclTax: '100.00', totalInclTax: '121.01' },
      '121.00',
    ],
  ])('with another total %s says what its sheet computed', (_, expected, made, computed) => {
    expect(messageOf(expected, made)).toBe(rowMessage.madeOtherwise(computed));
  });

  it('writes that total as its language does', () => {
    const texts = Object.values(messagesOf).map((messages) => messages.rowMessage.madeOtherwise('1210.50'));
    expect(texts.map((text) => /(?:sheet|feuille|blad), ([\d.,\s]+\d)/.exec(text)![1]!.replace(/\s/g, ' '))).toEqual([
      '1,210.50',
      '1 210,50',
      '1.210,50',
    ]);
  });
});

/** Prepares a push of what is ready in a sheet. */
async function preparedIn(view: SheetView, rows: readonly Readonly<Record<string, Cell>>[], format: string) {
  const filled = await openSheetToFill(view, rows.length);
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of Object.entries(cells)) filled.put(row, column, cell, format);
  }
  const handle = await filled.handle();
  const context = { handle, kind: sheetKindOf(handle), messages: messagesOf.en, retry: noRetry };
  const administration = { id: 'c1', label: 'Bakkerij Jansen' };
  const sheet = requestSheets[view];
  const checked = await checkRequests(context, { sheet, taxRates: new Map() }, undefined, administration);
  const ready = checked.filter(isSendable).filter(({ kind }) => kind === 'ready');
  const push = await preparePush(context, selectRequests(checked, ready, sheet, context), administration, undefined);
  const outcomes = async () =>
    (await readTable(handle, noRetry)).map(({ cells }) => [cells.get('Status'), cells.get('Message')]);
  const checkAgain = () => checkRequests(context, { sheet, taxRates: new Map() }, undefined, administration);
  return { context, filled, push, outcomes, checkAgain };
}

describe('A row that was emptied while its document was pushed', () => {
  it('says nothing more, and that of the others stays', async () => {
    const line = { Document: '1', CustomerNumber: '7', ProductNumber: 'A', Quantity: 1, UnitPriceExclTax: 100 };
    const further = { Document: '1', ProductNumber: 'B', Quantity: 1, UnitPriceExclTax: 10 };
    const note = { Status: 'my note' };
    const { context, filled, push, outcomes, checkAgain } = await preparedIn(
      'salesInvoiceRows',
      [line, further, note],
      'General',
    );
    const { status } = messagesOf.en;
    expect(await outcomes()).toEqual([
      [status.waiting, ''],
      [status.waiting, ''],
      ['my note', ''],
    ]);
    for (const column of Object.keys(further)) filled.put(1, column, '', 'General');
    // While the push runs its rows do wait.
    await checkAgain();
    expect((await outcomes())[1]).toEqual([status.waiting, '']);
    const none = { errorCode: '', errorMessage: '', errors: [] };
    const client = {
      begin: async () => ({ id: 'p1' }),
      changes: async () => ({
        push: { state: 'ended', stopped: '' },
        rows: [{ ...none, row: push.rows[0]!.row, state: 'applied', document: { number: '101' } }],
        cursor: '2',
      }),
    } as unknown as PushClient;
    const { signal } = new AbortController();
    await followPush(context, push, client, { signal, cancel: signal, isNew: true, sleep: async () => {} });
    await checkAgain();
    expect((await outcomes()).slice(1)).toEqual([
      ['', ''],
      ['my note', ''],
    ]);
  });
});

describe('An invoice whose response was lost', () => {
  it.each([
    ['found', { state: 'applied', document: { number: '101' } }, ['Applied', rowMessage.made]],
    [
      'not found',
      { state: 'unknown', errorCode: 'NOT_FOUND_YET', errorMessage: 'Not found at 14:05.' },
      ['Unknown', `${rowMessage.unknownMade} Not found at 14:05.`],
    ],
  ])('shows that it was %s when the service has looked for it', async (_, result, shown) => {
    const line = { Document: '1', CustomerNumber: '7', ProductNumber: 'A', Quantity: 1, UnitPriceExclTax: 100 };
    const { context, push, outcomes } = await preparedIn('salesInvoiceRows', [line], 'General');
    expect(push.rows).toHaveLength(1);
    const { row } = push.rows[0]!;
    const none = { errorCode: '', errorMessage: '', errors: [] };
    // The outcome is unknown before the service looks for it, which takes some time.
    const answers = [
      { push: { state: 'running', stopped: '' }, rows: [{ ...none, row, state: 'unknown' }], cursor: '2', more: false },
      { push: { state: 'running', stopped: '' }, rows: [], cursor: '2', more: false },
      { push: { state: 'ended', stopped: '' }, rows: [{ ...none, row, ...result }], cursor: '3', more: false },
    ];
    const client = {
      begin: async () => ({ id: 'p1' }),
      changes: async () => answers.shift()!,
    } as unknown as PushClient;
    const { signal } = new AbortController();
    await followPush(context, push, client, { signal, cancel: signal, isNew: true, sleep: async () => {} });
    expect([await outcomes(), answers]).toEqual([[shown], []]);
  });
});

describe('Rows that are requests of their own with the same key', () => {
  /** @returns status and message of each row */
  const prepared = async (view: SheetView, rows: readonly Readonly<Record<string, Cell>>[], format = '@') =>
    (await preparedIn(view, rows, format)).outcomes();
  const { status, cell } = messagesOf.en;
  const product = (ArticleNumber: string) => ({ ArticleNumber, NewName: 'Table', CategoryName: 'Wood' });

  it('each say why they are not sent', async () => {
    expect(await prepared('newProductRows', [product('A'), product('A'), product('B')])).toEqual([
      [status.notSent, expect.stringContaining('is in row 3 too')],
      [status.notSent, expect.stringContaining('is in row 2 too')],
      [status.waiting, ''],
    ]);
  });

  it('each say what is wrong with that', async () => {
    const line = { Document: 46_023, Quantity: 1 };
    const refused = [status.notSent, expect.stringContaining(cell.naturesOfText.date)];
    expect(await prepared('salesInvoiceRows', [line, line], 'dd-mm-yyyy')).toEqual([refused, refused]);
  });

  it('still say what was made', async () => {
    const rows = [{ ...product('A'), Status: status.applied }, product('A')];
    const statuses = (await prepared('newProductRows', rows)).map(([one]) => one);
    expect(statuses).toEqual([status.applied, status.notSent]);
  });
});
