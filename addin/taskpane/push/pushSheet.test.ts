import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unreachable } from '../../../shared/client/client.ts';
import { fieldError } from '../../../shared/fieldErrors.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Cell } from '../../excel/cell.ts';
import { readNotes, storeNotes } from '../../excel/notes.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { noRetry, openTestWorkbook, type TestWorkbook } from '../../excel/testWorkbook.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import type { Language } from '../locales/messages.ts';
import { messagesOf } from '../locales/messages.ts';
import { makeProductSheet } from '../productSheet.ts';
import {
  abandonPush,
  checkSheet,
  type Followed,
  type FollowOptions,
  followPush,
  preparePush,
  rowsAppliedElsewhere,
} from './pushSheet.ts';
import { isSendable, type SendableRow } from './readProductRow.ts';
import { reviewPush } from './reviewPush.ts';
import {
  countOf,
  intendedPush,
  isFinished,
  readSheetPush,
  type SheetPush,
  storeProgress,
  storeSheetPush,
} from './sheetPush.ts';
import { type Fault, openPushService, type TestPushService } from './testPushService.ts';
import type { PushContext } from './writeResults.ts';

/*
 * A push from the sheet to the service and back: a simulated workbook under Microsoft's own client, a service over
 * HTTP.
 */

const administration = { id: 'c1', label: 'Bakkerij Jansen' };
const SHEET = 'Products to change';

let excel: TestWorkbook;
let service: TestPushService;
beforeEach(async () => {
  excel = openTestWorkbook();
  service = await openPushService({ A: 10, B: 10, C: 10, D: 10 });
  await makeProductSheet(messagesOf.en, administration, 'Relative', ['A', 'B', 'C', 'D', 'NOPE']);
});
afterEach(() => service.close());

const column = (heading: string): Cell[] => {
  const [headings, ...rows] = excel.cells(SHEET);
  const index = headings!.indexOf(heading);
  return rows.map((cells) => cells[index]!);
};
const type = (row: number, heading: string, text: string) =>
  excel.type(SHEET, row, excel.cells(SHEET)[0]!.indexOf(heading), text);
/** What the sheet says of each article. */
const resultOf = (article: string, heading: string): Cell =>
  column(heading)[column('Article number').indexOf(article)] ?? '';

const contextIn = async (language: Language = 'en'): Promise<PushContext> => {
  const handle = (await tablesInWorkbook()).find(({ memory }) => memory.view === 'products')!;
  return { handle, messages: messagesOf[language], retry: noRetry };
};

const isReady = ({ kind }: SendableRow): boolean => kind === 'ready';

/** What the pane does up to where it sends. */
const prepare = async (
  isWanted = isReady,
  confirmedAt = new Date(),
  to = administration,
  language: Language = 'en',
) => {
  const context = await contextIn(language);
  const latest = await readSheetPush(context.handle);
  const previous = latest && (await reviewPush(context, latest, service.client));
  const rows = await checkSheet(context, 'Relative', previous, to);
  const chosen = rows.filter(isSendable).filter(isWanted);
  return preparePush(context, rows, chosen, to, previous, { now: () => confirmedAt });
};

type Looks = Partial<FollowOptions> & { language?: Language };
const follow = async (push: SheetPush, { language = 'en', ...options }: Looks = {}) =>
  followPush(await contextIn(language), push, service.client, {
    signal: new AbortController().signal,
    cancel: new AbortController().signal,
    isNew: true,
    sleep: async () => {},
    ...options,
  });

const pushAll = async (options: Looks = {}) =>
  follow(await prepare(isReady, new Date(), administration, options.language), options);

/** The pane is opened again: nothing is left but the workbook. */
const reopened = async (): Promise<SheetPush> => (await readSheetPush((await contextIn()).handle))!;

describe('a push', () => {
  it('sends the good rows and says beside every row what became of it', async () => {
    type(1, 'New sale price', '12.5');
    type(1, 'Stock quantity', '3');
    type(2, 'New sale price', 'abc');
    type(3, 'Stock quantity', '7');
    type(3, 'Stock change', 'Absolute');
    type(5, 'New sale price', '1');
    const push = await pushAll();
    expect(['applied', 'refused', 'unknown', 'cancelled'].map((state) => countOf(push, state as 'applied'))).toEqual([
      2, 1, 0, 0,
    ]);
    expect(service.stock).toEqual({ A: 13, B: 10, C: 7, D: 10 });
    expect(column('Status').slice(0, 5)).toEqual(['Applied', 'Not sent', 'Applied', '', 'Refused']);
    expect(column('Message')[1]).toBe('New sale price: expected a number such as 12.50, found “abc”');
    expect(column('Message')[4]).toBe('Article number: no product has “NOPE”');
    expect(column('Stock now').slice(0, 3)).toEqual([13, '', 7]);
    expect(column('Sale price now').slice(0, 3)).toEqual([12.5, '', 1]);
  });

  it('says so in Dutch, as far as the pane has words for it', async () => {
    type(5, 'New sale price', '1');
    await pushAll({ language: 'nl' });
    expect(column('Status')[4]).toBe('Geweigerd');
    expect(column('Message')[4]).toBe('Artikelnummer: geen artikel heeft “NOPE”');
  });

  it('says of rows that they wait, before anything is sent', async () => {
    type(1, 'New sale price', '1');
    await prepare();
    expect(column('Status')[0]).toBe('Waiting');
    expect(service.questions).toEqual([]);
  });

  it('writes results while others are still waited for', async () => {
    for (const row of [1, 2, 3]) type(row, 'New sale price', '1');
    service.atOnce = 1;
    const seen: Cell[][] = [];
    await pushAll({ sleep: async () => void seen.push(column('Status').slice(0, 3)) });
    expect(seen).toEqual([
      ['Applied', 'Waiting', 'Waiting'],
      ['Applied', 'Applied', 'Waiting'],
    ]);
  });

  it('finds its rows again when they are sorted and others are put between', async () => {
    for (const [index, price] of ['1', '2', '3', '4'].entries()) type(index + 1, 'New sale price', price);
    service.atOnce = 1;
    const table = excel.sheet(SHEET).tables[0]!;
    const price = table.columns.findIndex(({ name }) => name === 'New sale price');
    let ascending = false;
    service.onQuestion = () => {
      sortTable(table, [{ key: price, ascending }], false);
      ascending = !ascending;
      return undefined;
    };
    await pushAll();
    for (const article of ['A', 'B', 'C', 'D']) expect(resultOf(article, 'Status')).toBe('Applied');
    expect(['A', 'B', 'C', 'D'].map((article) => resultOf(article, 'Sale price now'))).toEqual([1, 2, 3, 4]);
    expect(resultOf('NOPE', 'Status')).toBe('');
  });

  it('names the rows that were gone when their result came', async () => {
    type(1, 'New sale price', '1');
    service.onQuestion = () => void type(1, 'Article number', 'Z');
    expect((await pushAll()).missing).toEqual(['A']);
    expect(column('Status')[0]).toBe('Waiting');
  });

  it('needs no column for the EAN when every row has an article number', async () => {
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem(SHEET).tables.getItemAt(0).columns.getItem('EAN').delete();
      await context.sync();
    });
    type(1, 'Stock quantity', '3');
    await pushAll();
    expect(column('Status')[0]).toBe('Applied');
    expect(column('Stock quantity')[0]).toBe('');
  });

  it('sends nothing, and remembers nothing, when the sheet is protected', async () => {
    type(1, 'New sale price', '1');
    excel.sheet(SHEET).protection = { options: {} };
    await expect(prepare()).rejects.toMatchObject({ code: 'PROTECTED' });
    expect(await reopened()).toBeUndefined();
  });
});

describe('a quantity that was added', () => {
  it('cannot be added again: it is emptied', async () => {
    type(1, 'Stock quantity', '3');
    await pushAll();
    expect(column('Stock quantity')[0]).toBe('');
    expect((await prepare()).rows).toEqual([]);
    expect(service.stock.A).toBe(13);
  });

  it('stays when the person typed another one meanwhile', async () => {
    type(1, 'Stock quantity', '3');
    service.onQuestion = () => void type(1, 'Stock quantity', '4');
    await pushAll();
    expect(column('Stock quantity')[0]).toBe(4);
    service.onQuestion = () => undefined;
    await pushAll();
    expect(service.stock.A).toBe(17);
  });

  it('is emptied by the pane that is opened later', async () => {
    type(1, 'Stock quantity', '3');
    const away = new AbortController();
    service.onQuestion = (method) => {
      if (method === 'GET') away.abort();
      return undefined;
    };
    await expect(pushAll({ signal: away.signal })).rejects.toMatchObject({ name: 'AbortError' });
    service.onQuestion = () => undefined;
    expect(column('Stock quantity')[0]).toBe(3);
    await follow(await reopened(), { isNew: false });
    expect(column('Stock quantity')[0]).toBe('');
    expect(service.carriedOut).toHaveLength(1);
  });
});

describe('a quantity that is back after it was added', () => {
  /** What Ctrl+Z does to what an add-in wrote: the quantity stands there again, beside whatever was there before. */
  const undo = (status: string) => {
    type(1, 'Stock quantity', '3');
    type(1, 'Status', status);
  };
  beforeEach(async () => {
    type(1, 'Stock quantity', '3');
    await pushAll();
    expect(service.stock.A).toBe(13);
  });

  it('says in its row how much was added', () => {
    expect(column('Message')[0]).toContain('3 added');
  });

  it.each(['', 'Waiting', 'Applied', 'my note'])('is not added again unasked, beside the status %j', async (status) => {
    undo(status);
    expect((await prepare()).rows).toEqual([]);
    expect(column('Status')[0]).toBe('Not sent');
    expect(column('Message')[0]).toContain('was added before');
  });

  it('is not added again by a pane opened later, after pushes of other rows', async () => {
    type(2, 'New sale price', '4');
    await pushAll();
    undo('');
    expect((await prepare()).rows).toEqual([]);
    type(1, 'Stock quantity', '3.0');
    expect((await prepare()).rows).toEqual([]);
  });

  it('is added once more when the person says that it is another delivery', async () => {
    undo('');
    await follow(await prepare(({ kind }) => kind === 'repeated'));
    expect(service.stock.A).toBe(16);
    undo('');
    expect((await prepare()).rows).toEqual([]);
  });

  it('is no obstacle to another quantity, to one that is set, or to another administration', async () => {
    type(1, 'Stock quantity', '4');
    expect((await prepare()).rows).toHaveLength(1);
    type(1, 'Stock quantity', '3');
    expect((await prepare(isReady, new Date(), { id: 'c2', label: 'Other' })).rows).toHaveLength(1);
    type(1, 'Stock change', 'Absolute');
    expect((await prepare()).rows).toHaveLength(1);
  });
});

describe('rows that were applied', () => {
  it('are not sent again until something in them changes', async () => {
    type(1, 'New sale price', '1');
    type(2, 'New sale price', '2');
    type(2, 'Stock quantity', '5');
    type(3, 'Stock quantity', '6');
    type(3, 'Stock change', 'Absolute');
    await pushAll();
    expect((await prepare()).rows).toEqual([]);
    type(1, 'New sale price', '1.5');
    expect((await prepare()).rows.map(({ update }) => update)).toEqual([{ ArticleNumber: 'A', NewSalePrice: '1.5' }]);
  });

  it('are remembered over several pushes, and over the last value each was applied with', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    type(1, 'New sale price', '2');
    type(2, 'New sale price', '9');
    await pushAll();
    expect((await prepare()).rows).toEqual([]);
    type(1, 'New sale price', '1');
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['A']);
  });

  it('are sent all the same when the person empties their status', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    type(1, 'Status', '');
    expect((await prepare()).rows).toHaveLength(1);
  });

  it('are sent to another administration', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    expect((await prepare(isReady, new Date(), { id: 'c2', label: 'Other' })).rows).toHaveLength(1);
  });

  it('are sent again when a later push of other values ended unknown', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    type(1, 'New sale price', '2');
    service.unknown.add('A');
    await pushAll();
    type(1, 'New sale price', '1');
    expect((await prepare()).rows).toHaveLength(1);
  });
});

describe('a row whose outcome is unknown', () => {
  it('is held back when it adds, until the person decides', async () => {
    type(1, 'Stock quantity', '3');
    type(2, 'New sale price', '2');
    service.unknown = new Set(['A', 'B']);
    const push = await pushAll();
    expect(countOf(push, 'unknown')).toBe(2);
    expect(column('Status').slice(0, 2)).toEqual(['Unknown', 'Unknown']);
    expect(column('Stock quantity')[0]).toBe(3);
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
    expect(column('Status')[0]).toBe('Unknown');
    type(1, 'Status', '');
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['A', 'B']);
  });

  it('is sent again when the person asks for the held ones', async () => {
    type(1, 'Stock quantity', '3');
    service.unknown = new Set(['A']);
    await pushAll();
    service.unknown.clear();
    await follow(await prepare(({ kind }) => kind === 'held'));
    expect(column('Status')[0]).toBe('Applied');
    expect(service.stock.A).toBe(16);
  });
});

describe('a quantity that may have been added', () => {
  /** The articles whose rows the next push would send without a word. */
  const wouldSend = async () => (await prepare()).rows.map(({ update }) => update.ArticleNumber);
  const deleteColumn = (heading: string) =>
    Excel.run(async (context) => {
      context.workbook.worksheets.getItem(SHEET).tables.getItemAt(0).columns.getItem(heading).delete();
      await context.sync();
    });
  /** The article number is another one while the result of its row comes. */
  const pushWhileGone = async () => {
    service.onQuestion = (method) => void (method === 'GET' && type(1, 'Article number', 'Z'));
    await pushAll();
    service.onQuestion = () => undefined;
    type(1, 'Article number', 'A');
  };
  beforeEach(() => type(1, 'Stock quantity', '3'));

  it('is emptied though an EAN was typed into its row while the push ran', async () => {
    service.onQuestion = (method) => void (method === 'GET' && type(1, 'EAN', '871'));
    const push = await pushAll();
    expect(push.missing).toEqual([]);
    expect([column('Status')[0], column('Stock quantity')[0]]).toEqual(['Applied', '']);
    expect(await wouldSend()).toEqual([]);
  });

  it('is emptied when its row is back that was gone when its result came', async () => {
    await pushWhileGone();
    expect(await wouldSend()).toEqual([]);
    expect([column('Status')[0], column('Stock quantity')[0]]).toEqual(['Applied', '']);
    // From here on the same number is a new delivery, when the person says so.
    type(1, 'Stock quantity', '3');
    expect(await wouldSend()).toEqual([]);
    await follow(await prepare(({ kind }) => kind === 'repeated'));
    expect(service.stock.A).toBe(16);
  });

  it('is held back when its row was gone when it became unknown', async () => {
    service.unknown.add('A');
    await pushWhileGone();
    expect(column('Status')[0]).toBe('Waiting');
    expect(await wouldSend()).toEqual([]);
    expect(column('Status')[0]).toBe('Unknown');
  });

  it('is not sent when its row was changed between the confirmation and the push', async () => {
    const context = await contextIn();
    const rows = await checkSheet(context, 'Relative', undefined, administration);
    type(1, 'EAN', '871');
    const push = await preparePush(context, rows, rows.filter(isSendable), administration, undefined);
    expect([push.rows, push.missing]).toEqual([[], ['A']]);
  });

  it('is held back though a mistake was made in its row and put right since', async () => {
    service.unknown.add('A');
    await pushAll();
    type(1, 'New sale price', 'abc');
    type(2, 'New sale price', '5');
    expect(countOf(await pushAll(), 'applied')).toBe(1);
    expect(column('Status').slice(0, 2)).toEqual(['Unknown', 'Applied']);
    expect(column('Message')[0]).toContain('abc');
    type(1, 'New sale price', '12.50');
    expect(await wouldSend()).toEqual([]);
  });

  it('is held back when it was to be tried again and the push was stopped before it', async () => {
    type(2, 'Stock quantity', '3');
    service.unknown = new Set(['A', 'B']);
    await pushAll();
    service.unknown.clear();
    service.atOnce = 1;
    const cancel = new AbortController();
    const again = await prepare(({ kind }) => kind === 'held');
    await follow(again, { cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(column('Status').slice(0, 2)).toEqual(['Applied', 'Unknown']);
    expect(await wouldSend()).toEqual([]);
    expect(service.stock).toMatchObject({ A: 16, B: 13 });
  });

  it('is held back when it was to be tried again and the push was refused whole, or the row', async () => {
    service.unknown.add('A');
    await pushAll();
    service.onQuestion = (method) => (method === 'POST' ? new Problem('UNAUTHORIZED', 'x') : undefined);
    await expect(follow(await prepare(({ kind }) => kind === 'held'))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    service.onQuestion = () => undefined;
    expect(column('Status')[0]).toBe('Unknown');
    delete service.stock.A;
    await follow(await prepare(({ kind }) => kind === 'held'));
    expect(column('Status')[0]).toBe('Refused');
    expect(await wouldSend()).toEqual([]);
  });

  it('is held back when the column with the statuses was deleted', async () => {
    service.unknown.add('A');
    await pushAll();
    await deleteColumn('Status');
    expect(await wouldSend()).toEqual([]);
  });

  it.each([
    ['its status', 'Status', '', ['A']],
    ['its quantity', 'Stock quantity', '', []],
  ])('is a matter of the past when the person empties %s', async (_, heading, text, sent) => {
    service.unknown.add('A');
    await pushWhileGone();
    type(1, heading, text);
    expect(await wouldSend()).toEqual(sent);
    expect((await reopened()).unconfirmed).toEqual([]);
  });

  it('is a matter of the past when the person types another quantity', async () => {
    service.unknown.add('A');
    await pushWhileGone();
    type(1, 'Stock quantity', '4');
    expect((await prepare()).rows.map(({ update }) => update)).toEqual([
      { ArticleNumber: 'A', NewStockQty: '4', StockUpdateMode: 'Relative' },
    ]);
  });

  it('is known after other pushes, however many', async () => {
    service.unknown.add('A');
    await pushWhileGone();
    for (const price of ['5', '6']) {
      type(2, 'New sale price', price);
      await pushAll();
    }
    type(1, 'Status', 'my note');
    expect(await wouldSend()).toEqual([]);
  });

  it('is known of a push that was kept in the form that named no unconfirmed', async () => {
    type(2, 'Stock quantity', '4');
    service.unknown.add('A');
    service.onQuestion = (method) => void (method === 'GET' && type(2, 'Article number', 'Z'));
    await pushAll();
    service.onQuestion = () => undefined;
    const { handle } = await contextIn();
    const [text] = await readNotes(handle.sheetId, ['Ledgerline push']);
    const { unconfirmed: _, ...earlier } = JSON.parse(text!) as Record<string, unknown>;
    await storeNotes(handle.sheetId, { 'Ledgerline push': JSON.stringify(earlier) });
    type(1, 'Status', 'my note');
    type(2, 'Article number', 'B');
    expect(await wouldSend()).toEqual([]);
    expect(column('Stock quantity').slice(0, 2)).toEqual([3, '']);
  });
});

describe('whatever a person does to a row while its quantity is on its way', () => {
  const edits = {
    'an EAN': () => type(1, 'EAN', '871'),
    'no EAN': () => type(1, 'EAN', ''),
    'another number': () => type(1, 'Article number', 'Z'),
    'its own number': () => type(1, 'Article number', 'A'),
    'a mistake': () => type(1, 'New sale price', 'abc'),
    'a price': () => type(1, 'New sale price', '5'),
    'a note': () => type(1, 'Status', 'my note'),
    'another product': () => type(2, 'New sale price', '7'),
  };
  type Edit = keyof typeof edits;
  const edit = fc.constantFrom(...(Object.keys(edits) as Edit[]));
  const round = fc.record({
    before: fc.array(edit, { maxLength: 2 }),
    during: fc.array(edit, { maxLength: 2 }),
    unknown: fc.boolean(),
    cancelled: fc.boolean(),
  });

  it('no quantity is added twice unless the person says so', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        excel = openTestWorkbook();
        await makeProductSheet(messagesOf.en, administration, 'Relative', ['A', 'B', 'C', 'D', 'NOPE']);
        Object.assign(service, { stock: { A: 10, B: 10, C: 10, D: 10 }, pushes: [], atOnce: 1 });
        type(1, 'Stock quantity', '3');
        for (const { before, during, unknown, cancelled } of [...rounds, ...rounds]) {
          for (const name of before) edits[name]();
          service.unknown = new Set(unknown ? ['A'] : []);
          const cancel = new AbortController();
          if (cancelled) cancel.abort();
          const push = await prepare();
          service.onQuestion = (method) => {
            if (method === 'GET') for (const name of during) edits[name]();
            return undefined;
          };
          await follow(push, { cancel: cancel.signal });
          service.onQuestion = () => undefined;
        }
        expect([10, 13]).toContain(service.stock.A);
      }),
      { numRuns: 40 },
    ),
  );
});

describe('an answer that came in after all', () => {
  beforeEach(() => {
    type(1, 'Stock quantity', '3');
    service.unknown.add('A');
  });
  const outcome = () => [column('Status')[0], column('Stock quantity')[0], service.stock.A];

  it('while the push still runs is told, and the quantity emptied', async () => {
    type(2, 'New sale price', '1');
    service.atOnce = 1;
    await pushAll({ sleep: async () => service.learn('A', 'applied') });
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it('is found before a row is tried again, which is not added twice then', async () => {
    const push = await pushAll();
    expect(countOf(push, 'unknown')).toBe(1);
    service.learn('A', 'applied');
    expect((await prepare(({ kind }) => kind === 'held')).rows).toEqual([]);
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it('is found after other pushes too', async () => {
    await pushAll();
    type(2, 'New sale price', '1');
    await pushAll();
    service.learn('A', 'applied');
    expect((await prepare(({ kind }) => kind === 'held')).rows).toEqual([]);
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it.each([0, 1])('that is a refusal frees the row, after %i other pushes', async (others) => {
    await pushAll();
    for (let other = 0; other < others; other++) {
      type(2, 'New sale price', String(other + 1));
      await pushAll();
    }
    service.learn('A', 'refused');
    const again = await prepare(({ kind, key }) => kind === 'ready' && key.trim() === 'A');
    expect(again.rows).toHaveLength(1);
    expect(again.unconfirmed).toEqual([]);
  });

  it('is not waited for when there is no network', async () => {
    await pushAll();
    service.learn('A', 'applied');
    service.onQuestion = () => 'lost';
    expect((await prepare(({ kind }) => kind === 'held')).rows).toHaveLength(1);
  });
});

describe('a push that is cancelled', () => {
  it('leaves what was not sent as it was', async () => {
    for (const row of [1, 2, 3]) type(row, 'Stock quantity', '1');
    service.atOnce = 1;
    const cancel = new AbortController();
    const push = await pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
    expect(column('Status').slice(0, 3)).toEqual(['Applied', 'Not sent', 'Not sent']);
    expect(column('Stock quantity').slice(0, 3)).toEqual(['', 1, 1]);
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['B', 'C']);
  });

  it('before the service could be reached is not begun at all', async () => {
    type(1, 'Stock quantity', '1');
    const cancel = new AbortController();
    service.onQuestion = (method) => (method === 'POST' ? 'lost' : undefined);
    const push = await pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(countOf(push, 'cancelled')).toBe(1);
    expect(service.pushes).toEqual([]);
  });

  it('is cancelled at the service too when only the answer to its beginning was lost', async () => {
    for (const row of [1, 2]) type(row, 'Stock quantity', '1');
    const cancel = new AbortController();
    let isFirst = true;
    service.onQuestion = (method) => {
      const fault = isFirst && method === 'POST' ? 'answer lost' : undefined;
      isFirst = false;
      return fault;
    };
    const push = await pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(countOf(push, 'cancelled')).toBe(2);
    expect(service.pushes.map(({ stopped }) => stopped)).toEqual(['CANCELLED']);
  });

  it('while there is no network is cancelled when the pane is opened later', async () => {
    for (const row of [1, 2, 3]) type(row, 'Stock quantity', '1');
    service.atOnce = 1;
    const cancel = new AbortController();
    const away = new AbortController();
    let pauses = 0;
    const sleep = async () => {
      pauses++;
      if (pauses === 1) {
        service.onQuestion = () => 'lost';
        cancel.abort();
      } else away.abort();
    };
    await expect(pushAll({ cancel: cancel.signal, signal: away.signal, sleep })).rejects.toMatchObject({
      name: 'AbortError',
    });
    service.onQuestion = () => undefined;
    const push = await follow(await reopened(), { isNew: false });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
  });
});

describe('a network that fails', () => {
  it('is waited for, longer each time, and told of', async () => {
    type(1, 'Stock quantity', '1');
    let failures = 0;
    service.onQuestion = (method) => (method === 'GET' && ++failures <= 7 ? 'lost' : undefined);
    const pauses: number[] = [];
    const errors: unknown[] = [];
    await pushAll({
      sleep: async (milliseconds) => void pauses.push(milliseconds),
      onChange: ({ error }: Followed) => void errors.push(error),
    });
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(errors.filter((error) => error instanceof Unreachable)).toHaveLength(7);
    expect(errors.at(-1)).toBeUndefined();
    expect(column('Status')[0]).toBe('Applied');
  });

  it('cannot make a push begin twice', async () => {
    type(1, 'Stock quantity', '1');
    let questions = 0;
    service.onQuestion = () => [undefined, 'answer lost', 'lost', 'answer lost'][++questions] as 'lost' | undefined;
    await pushAll();
    expect(service.pushes).toHaveLength(1);
    expect(service.stock.A).toBe(11);
  });

  it('does not give up when a service asks for time', async () => {
    type(1, 'Stock quantity', '1');
    const refusals = [
      new Problem('RATE_LIMIT', 'x', { headers: { 'Retry-After': '30' } }),
      new Problem('UNAVAILABLE', 'x'),
    ];
    service.onQuestion = () => refusals.shift();
    const pauses: number[] = [];
    await pushAll({ sleep: async (milliseconds) => void pauses.push(milliseconds) });
    expect(pauses.slice(0, 2)).toEqual([2000, 4000]);
    expect(service.stock.A).toBe(11);
  });
});

describe('a pane that is closed', () => {
  it('between the confirmation and the answer finds its push again, and begins no other', async () => {
    type(1, 'Stock quantity', '1');
    const away = new AbortController();
    service.onQuestion = () => {
      away.abort();
      return 'answer lost';
    };
    await expect(pushAll({ signal: away.signal })).rejects.toMatchObject({ name: 'AbortError' });
    service.onQuestion = () => undefined;
    // What the person types meanwhile is for the next push: sent is what was confirmed.
    type(1, 'New sale price', '99');
    await follow(await reopened(), { isNew: false });
    expect(service.pushes).toHaveLength(1);
    expect(service.stock.A).toBe(11);
    expect(service.carriedOut[0]).not.toHaveProperty('NewSalePrice');
    expect((await prepare()).rows.map(({ update }) => update)).toEqual([{ ArticleNumber: 'A', NewSalePrice: '99' }]);
  });

  it('before anything was sent sends it when it is opened the same day, and not later', async () => {
    type(1, 'Stock quantity', '1');
    const begunAt = new Date('2026-03-02T09:00:00Z');
    await prepare(isReady, begunAt);
    const afterADay = await follow(await reopened(), { isNew: false, now: () => new Date('2026-03-03T09:00:01Z') });
    expect(countOf(afterADay, 'unknown')).toBe(1);
    expect(service.pushes).toEqual([]);
    expect(column('Stock quantity')[0]).toBe(1);
    type(1, 'Status', '');
    await prepare(isReady, begunAt);
    await follow(await reopened(), { isNew: false, now: () => new Date('2026-03-02T17:00:00Z') });
    expect(service.stock.A).toBe(11);
  });

  it('finds its push after days too, when it was begun', async () => {
    type(1, 'Stock quantity', '1');
    const away = new AbortController();
    service.onQuestion = () => {
      away.abort();
      return 'answer lost';
    };
    await expect(pushAll({ signal: away.signal })).rejects.toMatchObject({ name: 'AbortError' });
    service.onQuestion = () => undefined;
    const daysLater = new Date(Date.now() + 5 * 86_400_000);
    await follow(await reopened(), { isNew: false, now: () => daysLater });
    expect(service.pushes).toHaveLength(1);
    expect(column('Status')[0]).toBe('Applied');
  });

  it('halfway goes on where it was', async () => {
    for (const row of [1, 2, 3, 4]) type(row, 'New sale price', '1');
    service.atOnce = 2;
    const away = new AbortController();
    await expect(pushAll({ signal: away.signal, sleep: async () => away.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const halfway = await reopened();
    expect(halfway.states).toEqual(['applied', 'applied', 'waiting', 'waiting']);
    type(1, 'Status', 'my note');
    expect(isFinished(await follow(halfway, { isNew: false }))).toBe(true);
    expect(column('Status').slice(0, 4)).toEqual(['my note', 'Applied', 'Applied', 'Applied']);
  });
});

describe('whatever gets lost, and whenever the pane is closed', () => {
  type FaultKind = 'none' | Fault | 'closed';
  const faultKind = fc.constantFrom<FaultKind>(
    'none',
    'lost',
    'answer lost',
    'closed',
    new Problem('UNAVAILABLE', 'x'),
  );

  it('every quantity is added once, and its row says so', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(faultKind, { maxLength: 10 }),
        fc.integer({ min: 1, max: 3 }),
        async (mishaps, atOnce) => {
          excel = openTestWorkbook();
          await makeProductSheet(messagesOf.en, administration, 'Relative', ['A', 'B', 'C', 'D', 'NOPE']);
          Object.assign(service, { stock: { A: 10, B: 10, C: 10, D: 10 }, pushes: [], atOnce });
          for (const row of [1, 2, 3, 5]) type(row, 'Stock quantity', String(row));
          let away = new AbortController();
          const coming = [...mishaps];
          service.onQuestion = () => {
            const next = coming.shift();
            if (next === 'closed') away.abort();
            return next === 'none' || next === 'closed' ? undefined : next;
          };
          let push = await prepare();
          for (let isNew = true; !isFinished(push); isNew = false) {
            away = new AbortController();
            const look = follow(push, { signal: away.signal, isNew });
            await look.catch((error) => expect(error).toBe(away.signal.reason));
            push = await reopened();
          }
          expect(service.stock).toEqual({ A: 11, B: 12, C: 13, D: 10 });
          expect(column('Status').slice(0, 5)).toEqual(['Applied', 'Applied', 'Applied', '', 'Refused']);
          expect(column('Stock quantity').slice(0, 5)).toEqual(['', '', '', '', 5]);
        },
      ),
      { numRuns: 25 },
    ),
  );
});

describe('a cell that is being edited', () => {
  it('is waited for, and told of', async () => {
    type(1, 'New sale price', '1');
    service.onQuestion = (method) => {
      excel.workbook.editing = method === 'GET';
      return undefined;
    };
    const failures: unknown[] = [];
    await pushAll({
      sleep: async () => {
        excel.workbook.editing = false;
        service.onQuestion = () => undefined;
      },
      onChange: ({ error }) => void failures.push(error),
    });
    expect(failures).toContainEqual(expect.objectContaining({ code: 'CELL_BEING_EDITED' }));
    expect(column('Status')[0]).toBe('Applied');
  });
});

describe('a push the service refuses whole', () => {
  it('says beside its rows why, and that nothing was sent', async () => {
    for (const row of [1, 2]) type(row, 'New sale price', '1');
    service.onQuestion = () =>
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
      'Nothing of the push was sent: the service refused it.',
      'New sale price: at most 4 characters, there are 9',
    ]);
    expect(isFinished(await reopened())).toBe(true);
  });

  it('for its key says so, and can be pushed once the key is right', async () => {
    type(1, 'Stock quantity', '1');
    service.onQuestion = () => new Problem('UNAUTHORIZED', 'x');
    await expect(pushAll()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(column('Message')[0]).toContain('API key');
    service.onQuestion = () => undefined;
    await pushAll();
    expect(service.stock.A).toBe(11);
  });

  it('after an earlier beginning may have arrived stays as it is', async () => {
    type(1, 'Stock quantity', '1');
    const faults = ['answer lost', new Problem('UNAUTHORIZED', 'x')] as const;
    let questions = 0;
    service.onQuestion = () => faults[questions++];
    await expect(pushAll()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(isFinished(await reopened())).toBe(false);
    await follow(await reopened(), { isNew: false });
    expect(service.stock.A).toBe(11);
  });
});

describe('a push the service no longer knows', () => {
  it('stays as it is until the person gives up on its results', async () => {
    type(1, 'Stock quantity', '1');
    type(2, 'New sale price', '1');
    service.onQuestion = (method) => {
      if (method === 'GET') service.pushes = [];
      return undefined;
    };
    await expect(pushAll()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(column('Status').slice(0, 2)).toEqual(['Waiting', 'Waiting']);
    await abandonPush(await contextIn(), await reopened());
    expect(column('Status').slice(0, 2)).toEqual(['Unknown', 'Unknown']);
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
  });
});

describe('a workbook that was closed without saving', () => {
  it('is told which rows a push it does not know of may have added already', async () => {
    type(1, 'Stock quantity', '1');
    type(2, 'Stock quantity', '1');
    type(5, 'Stock quantity', '1');
    const rows = (await prepare()).rows;
    await follow(await reopened());
    // As it was saved before the push.
    excel = openTestWorkbook();
    await makeProductSheet(messagesOf.en, administration, 'Relative', ['A', 'C', 'NOPE']);
    for (const row of [1, 2, 3]) type(row, 'Stock quantity', '1');
    const now = (await checkSheet(await contextIn(), 'Relative', undefined, administration)).filter(isSendable);
    const suspects = await rowsAppliedElsewhere(now, await service.client.list(), service.client);
    expect(rows).toHaveLength(3);
    expect(suspects.map(({ key }) => key.trim())).toEqual(['A']);
  });

  it('knows the earlier pushes of its sheets', async () => {
    for (const price of ['1', '2', '3']) {
      type(1, 'New sale price', price);
      await pushAll();
    }
    const { id, earlier } = await reopened();
    expect([...earlier, id]).toEqual(['push-1', 'push-2', 'push-3']);
  });
});

describe('a second window of the same workbook', () => {
  it('cannot write the results of a push that another one has gone on from', async () => {
    for (const row of [1, 2]) type(row, 'Stock quantity', '1');
    service.atOnce = 1;
    const away = new AbortController();
    const stale = await prepare();
    // The other window takes the push over, ends it and begins the next.
    await follow(await reopened());
    type(3, 'New sale price', '2');
    const next = await prepare();
    await expect(follow(stale, { isNew: false, signal: away.signal })).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect((await reopened()).idempotencyKey).toBe(next.idempotencyKey);
    expect(column('Status').slice(0, 3)).toEqual(['Applied', 'Applied', 'Waiting']);
    await follow(await reopened(), { isNew: false });
    expect(column('Status')[2]).toBe('Applied');
    expect(service.stock).toMatchObject({ A: 11, B: 11 });
  });

  it('cannot begin a push over one that was begun since it looked', async () => {
    type(1, 'Stock quantity', '1');
    const context = await contextIn();
    const rows = await checkSheet(context, 'Relative', undefined, administration);
    const chosen = rows.filter(isSendable);
    const first = await prepare();
    await expect(preparePush(context, rows, chosen, administration, undefined)).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect((await reopened()).idempotencyKey).toBe(first.idempotencyKey);
  });

  it('that writes in the very moment between reading and writing is not undone', async () => {
    type(1, 'Stock quantity', '1');
    const push = await prepare();
    const { handle } = await contextIn();
    const properties = excel.sheet(SHEET).customProperties;
    const theirs = (await readSheetPush(handle))!;
    let isDone = false;
    excel.watch((_, body) => {
      // Just before the request that writes.
      if (!isDone && body.includes('"Add"')) {
        isDone = true;
        const [name, { key, value }] = [...properties].find(([, { value: text }]) => text.includes('"version"'))!;
        properties.set(name, { key, value: value.replace(/"version":\d+/, '"version":77') });
      }
      return undefined;
    });
    await expect(storeProgress(handle, { ...push, cursor: 'mine' })).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect(await reopened()).toEqual({ ...theirs, stored: { ...theirs.stored, version: 77 } });
  });
});

describe('what a sheet remembers of a push', () => {
  it('is no credential', async () => {
    type(1, 'Stock quantity', '1');
    const connection = { ...administration, username: 'jo@example.com', apiKey: 'SECRET-KEY' };
    await follow(await prepare(isReady, new Date(), connection));
    const kept = excel.workbook.sheets.flatMap((sheet) => JSON.stringify([...sheet.customProperties.values()])).join();
    expect(kept).toContain('push-1');
    expect(kept).not.toMatch(/SECRET-KEY|jo@example\.com/);
    expect(JSON.stringify(await reopened())).not.toMatch(/SECRET-KEY|jo@example\.com/);
  });

  it('holds ten thousand rows, in properties no longer than a cell', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      number: index + 2,
      key: `ART-${10_000 + index} `,
      kind: 'ready' as const,
      hidden: false,
      known: {},
      update: { ArticleNumber: `ART-${10_000 + index}`, NewSalePrice: `${(index * 7919) % 1000}.${index % 100}` },
      mode: null,
      quantity: '',
    }));
    const context = await contextIn();
    const push = await storeSheetPush(context.handle, intendedPush(rows, administration, undefined, 'key', new Date()));
    expect(await readSheetPush(context.handle)).toEqual(push);
    const lengths = [...excel.sheet(SHEET).customProperties.values()].map(({ value }) => String(value).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(32_767);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(300_000);
    // A smaller push leaves nothing of it.
    await storeSheetPush(context.handle, intendedPush(rows.slice(0, 2), administration, push, 'other', new Date()));
    expect([...excel.sheet(SHEET).customProperties.keys()]).toHaveLength(5);
  });
});
