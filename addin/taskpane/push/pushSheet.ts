import type { Client } from '../../../shared/client.ts';
import type { Patience } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { readTable } from '../../excel/readTable.ts';
import type { TableHandle } from '../../excel/tableMemory.ts';
import { type RowChange, writeCells } from '../../excel/writeCells.ts';
import type { Language } from '../language.ts';
import type { Messages } from '../messages.ts';
import { answerCells, type ProductColumn, productKeys, type StockMode } from '../tables/productTable.ts';
import { type Outcome, type PushedRow, type PushOptions, pushProducts, type ReadyRow } from './pushProducts.ts';
import { type ProductRow, readProductRows } from './readProductRow.ts';

export type PushContext = { handle: TableHandle; messages: Messages; language: Language; patience?: Patience };

/** The rows of a product sheet, checked. @throws WorkbookProblem */
export const checkSheet = async (context: PushContext, defaultMode: StockMode): Promise<ProductRow[]> =>
  readProductRows(await readTable(context.handle, context.patience), defaultMode, context.messages, context.language);

export type PushCounts = Record<Outcome['kind'], number>;
export type PushResult = {
  counts: PushCounts;
  /** Rows that were not sent because of what is in them. */
  mistakes: number;
  /** Keys of rows that were gone when their result came. */
  missing: string[];
  /** Some rows were not sent because the push ended early. */
  stopped: boolean;
};

/**
 * Pushes the ready rows of a checked sheet and writes beside every row what became of it, while the push goes on: rows
 * whose results are in are written while the next one is being sent. Rows with a mistake are told so first.
 * @throws WorkbookProblem when the sheet cannot be written to; rows sent by then were applied
 */
export async function pushSheet(
  context: PushContext,
  rows: readonly ProductRow[],
  client: Pick<Client, 'updateproduct'>,
  options: PushOptions & { onProgress?: (done: number) => void },
): Promise<PushResult> {
  const { messages } = context;
  const writer = resultWriter(context);
  writer.add(
    rows.flatMap((row) =>
      row.kind === 'bad'
        ? [changeFor(row, messages.status.notSent, row.message, colours.notSent)]
        : row.kind === 'held'
          ? [changeFor(row, messages.status.unknown, messages.rowMessage.held, colours.unknown)]
          : [],
    ),
  );
  const ready = rows.filter((row): row is ReadyRow => row.kind === 'ready');
  // A sheet that cannot be written to (protected, say) stops the push here, before anything is sent.
  writer.add(ready.slice(0, 1).map((row) => changeFor(row, '', '', colours.applied)));
  await writer.settled();

  const counts: PushCounts = { applied: 0, refused: 0, unknown: 0, notSent: 0 };
  let done = 0;
  for await (const pushed of pushProducts(ready, client, options)) {
    counts[pushed.outcome.kind]++;
    writer.add([resultFor(pushed, messages)]);
    options.onProgress?.(++done);
    if (writer.failed()) break;
  }
  const missing = (await writer.settled()).map((key) => key.trim());
  const mistakes = rows.filter(({ kind }) => kind === 'bad').length;
  return { counts, mistakes, missing, stopped: counts.notSent > 0 };
}

/** Colours of a status, beside its word. All have a contrast of at least 4.5 to the sheet. */
const colours = { applied: '#0B6A0B', refused: '#A80000', unknown: '#8A5300', notSent: '#A80000' } as const;

const changeFor = (
  { key, number }: ProductRow,
  status: string,
  message: string,
  colour: string,
  more: Partial<Record<ProductColumn, Cell>> = {},
): RowChange => ({
  key,
  number,
  cells: { Status: status, Message: message, ...more },
  colours: { Status: colour },
});

/** What a row says after its push. */
function resultFor({ row, outcome }: PushedRow, messages: Messages): RowChange {
  const { status, rowMessage } = messages;
  const change = (message: string, more = {}) =>
    changeFor(row, status[outcome.kind], message, colours[outcome.kind], more);
  switch (outcome.kind) {
    case 'applied': {
      const answer = answerCells(outcome.product);
      if (row.mode !== 'Relative') return change(rowMessage.applied, answer);
      // A quantity that was added must not be added by the next push too.
      return { ...change(rowMessage.appliedCleared, answer), clear: { NewStockQty: row.quantity } };
    }
    case 'refused':
      return change(outcome.message === '' ? rowMessage.notApplied : outcome.message);
    case 'unknown':
      return change(row.mode === 'Relative' ? rowMessage.unknownRelative : rowMessage.unknown);
    case 'notSent':
      return change(
        {
          cancelled: rowMessage.cancelled,
          offline: rowMessage.offline,
          losses: rowMessage.stoppedAfterLosses,
          unauthorized: rowMessage.stoppedUnauthorized,
        }[outcome.reason],
      );
  }
}

/** Most results written at once: a request to Excel stays small and the screen moves. */
const AT_ONCE = 200;

/** Writes results one batch after the other, each with all that came in while the previous one was written. */
function resultWriter({ handle, patience }: PushContext) {
  const waiting: RowChange[] = [];
  const missing: string[] = [];
  let failure: { error: unknown } | undefined;
  let running: Promise<void> | undefined;

  const work = async () => {
    while (waiting.length > 0 && failure === undefined) {
      try {
        missing.push(...(await writeCells(handle, productKeys, waiting.splice(0, AT_ONCE), patience)));
      } catch (error) {
        failure = { error };
      }
    }
    running = undefined;
  };

  return {
    add(changes: readonly RowChange[]) {
      waiting.push(...changes);
      if (waiting.length > 0) running ??= work();
    },
    failed: () => failure !== undefined,
    /** When all is written: the keys no row had any more. @throws what stopped the writing */
    async settled(): Promise<string[]> {
      await running;
      if (failure !== undefined) throw failure.error;
      return missing;
    },
  };
}
