import { useCallback, useEffect, useState } from 'react';
import type { ProductClient } from '../../../../shared/client/productClient.ts';
import { findRowsBelow, includeRowsBelow, type RowsBelow } from '../../../excel/tables/rowsBelow.ts';
import type { Administration, TableHandle } from '../../../excel/tables/tableMemory.ts';
import { usePane } from '../../paneContext.ts';
import { refreshPresent } from '../../productSheet/presentProducts.ts';
import { checkSheet } from '../../push/preparePush.ts';
import { isSendable, type ProductRow } from '../../push/readProductRow.ts';
import type { SheetPush } from '../../push/sheetPush.ts';
import type { StockMode } from '../../sheetColumns/productTable.ts';
import { useJob } from '../../useJob.ts';

/** The rows of a product sheet, checked, and filled rows below its table. */
export type CheckedSheet = { handle: TableHandle; rows: ProductRow[]; below: RowsBelow | undefined };

export type SheetChecking = ReturnType<typeof useSheetCheck>;

/**
 * Checks the rows of a sheet whenever it, its push or the default mode changes, and on request.
 * @param isPaused whether no push of the sheet runs: otherwise nothing is checked
 * @param push the latest push of the sheet
 */
export function useSheetCheck(
  handle: TableHandle | undefined,
  defaultMode: StockMode,
  administration: Administration,
  isPaused: boolean,
  push: SheetPush | undefined,
) {
  const { messages } = usePane();
  const including = useJob<never, void>();
  const { job, start, cancel } = useJob<never, CheckedSheet>();
  const check = useCallback(
    async (readPush: () => Promise<SheetPush | undefined> = async () => push, products?: ProductClient) =>
      handle &&
      start(async ({ retry }) => {
        const latest = await readPush();
        const readRows = () => checkSheet({ handle, messages, retry }, defaultMode, latest, administration);
        if (products !== undefined) {
          const changed = (await readRows()).filter(isSendable);
          await refreshPresent(handle, changed, products, retry);
        }
        return { handle, rows: await readRows(), below: await findRowsBelow(handle, retry) };
      }),
    [start, messages, handle, defaultMode, administration, push],
  );
  useEffect(() => {
    if (isPaused) void check();
  }, [check, isPaused]);

  // The latest result stays visible while the sheet is checked again, and so does the button that has the focus.
  const [latest, setLatest] = useState<CheckedSheet>();
  const result = job.state === 'done' ? job.result : undefined;
  useEffect(() => {
    if (result !== undefined) setLatest(result);
  }, [result]);
  const shown = result ?? (job.state === 'running' ? latest : undefined);

  return {
    checked: shown?.handle === handle ? shown : undefined,
    job,
    cancel,
    /**
     * @param readPush reads the latest push of the sheet
     * @param products reads the present values of changed rows first
     * @returns the checked sheet; undefined when the check failed or was cancelled
     */
    check,
    /** Includes rows below the table in it, and checks it again. */
    async includeRows({ handle, below }: CheckedSheet) {
      if (below === undefined) return;
      await including.start(({ retry }) => includeRowsBelow(handle, below, retry));
      await check();
    },
    includeFailure: including.job.state === 'failed' ? including.job.error : undefined,
  };
}
