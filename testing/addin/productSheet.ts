import { afterEach, beforeEach } from 'vitest';
import { noRetry } from '../../addin/excel/batch.ts';
import type { Cell } from '../../addin/excel/cell.ts';
import { tablesInWorkbook } from '../../addin/excel/tables/tableMemory.ts';
import { messagesOf } from '../../addin/taskpane/locales/messages.ts';
import type { Language } from '../../addin/taskpane/locales/words.ts';
import { checkProducts, selectProducts } from '../../addin/taskpane/productSheet/checkProducts.ts';
import { makeProductSheet } from '../../addin/taskpane/productSheet/makeProductSheet.ts';
import { productKind } from '../../addin/taskpane/productSheet/productKind.ts';
import { isSendable, type SendableRow } from '../../addin/taskpane/productSheet/readProductRow.ts';
import { type FollowOptions, followPush } from '../../addin/taskpane/push/followPush.ts';
import { preparePush } from '../../addin/taskpane/push/preparePush.ts';
import { reviewPush } from '../../addin/taskpane/push/reviewPush.ts';
import type { SheetPush } from '../../addin/taskpane/push/sheetPush.ts';
import { readSheetPush } from '../../addin/taskpane/push/storedPush.ts';
import type { PushContext } from '../../addin/taskpane/push/writeResults.ts';
import { openPushService, type TestPushService } from './pushService.ts';
import { openTestWorkbook, type TestWorkbook } from './workbook.ts';

/*
 * A product sheet in a simulated workbook under Microsoft's own client, and a service over HTTP that its rows are pushed
 * to.
 */

const administration = { id: 'c1', label: 'Bakkerij Jansen' };
const SHEET = 'Products to change';

const isReady = ({ kind }: SendableRow): boolean => kind === 'ready';

type Options = Partial<FollowOptions> & { language?: Language };

/** Gives each test of a file a new service and a new sheet. To be called at the top of the file. */
export function productSheets() {
  let excel: TestWorkbook;
  let service: TestPushService;
  beforeEach(async () => {
    service = await openPushService({ A: 10, B: 10, C: 10, D: 10 });
    await open();
  });
  afterEach(() => service.close());

  /** Opens a new workbook with a product sheet, which makes those of earlier pushes unreachable. */
  async function open(articles: readonly string[] = ['A', 'B', 'C', 'D', 'NOPE']): Promise<void> {
    excel = openTestWorkbook();
    const rows = articles.map((ArticleNumber) => ({ ArticleNumber }));
    await makeProductSheet(messagesOf.en, administration, 'Relative', rows);
  }

  async function contextIn(language: Language = 'en'): Promise<PushContext> {
    const handle = (await tablesInWorkbook()).find(({ memory }) => memory.view === 'products')!;
    return { handle, kind: productKind, messages: messagesOf[language], retry: noRetry };
  }

  /** Reviews the previous push, checks the sheet and prepares a push of some rows, as the pane does before it sends. */
  async function prepare(
    isWanted = isReady,
    confirmedAt = new Date(),
    to = administration,
    language: Language = 'en',
  ): Promise<SheetPush> {
    const context = await contextIn(language);
    const latest = await readSheetPush(context.handle, productKind);
    const previous = latest && (await reviewPush(context, latest, service.client));
    const rows = await checkProducts(context, 'Relative', previous, to);
    const chosen = rows.filter(isSendable).filter(isWanted);
    const selection = selectProducts(rows, chosen, context.messages);
    return preparePush(context, selection, to, previous, { now: () => confirmedAt });
  }

  const follow = async (push: SheetPush, { language = 'en', ...options }: Options = {}): Promise<SheetPush> =>
    followPush(await contextIn(language), push, service.client, {
      signal: new AbortController().signal,
      cancel: new AbortController().signal,
      isNew: true,
      sleep: async () => {},
      ...options,
    });

  return {
    name: SHEET,
    administration,
    get excel() {
      return excel;
    },
    get service() {
      return service;
    },
    open,
    contextIn,

    /** The cells of a column, by its heading. */
    column(heading: string): Cell[] {
      const [headings, ...rows] = excel.cells(SHEET);
      const index = headings!.indexOf(heading);
      return rows.map((cells) => cells[index]!);
    },

    /** Types into a cell as the user does; the heading is row 0. */
    type: (row: number, heading: string, text: string) =>
      excel.type(SHEET, row, excel.cells(SHEET)[0]!.indexOf(heading), text),

    deleteColumn: (heading: string) =>
      Excel.run(async (context) => {
        context.workbook.worksheets.getItem(SHEET).tables.getItemAt(0).columns.getItem(heading).delete();
        await context.sync();
      }),

    isReady,
    isHeld: ({ kind }: SendableRow): boolean => kind === 'held',
    isRepeated: ({ kind }: SendableRow): boolean => kind === 'repeated',
    prepare,
    follow,
    pushAll: async (options: Options = {}): Promise<SheetPush> =>
      follow(await prepare(isReady, new Date(), administration, options.language), options),

    /** The push that the sheet stores, as a reopened pane reads it. */
    storedPush: async (): Promise<SheetPush> => (await readSheetPush((await contextIn()).handle, productKind))!,

    /** The article numbers of the rows that the next push would send without a confirmation. */
    articlesToSend: async () => (await prepare()).rows.map(({ request }) => request.ArticleNumber),
  };
}
