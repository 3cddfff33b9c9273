import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { noRetry, type Retry } from '../../../excel/batch.ts';
import { followChanges } from '../../../excel/selection.ts';
import { findRowsBelow, includeRowsBelow, type RowsBelow } from '../../../excel/tables/rowsBelow.ts';
import type { TableHandle } from '../../../excel/tables/tableMemory.ts';
import type { SheetPush } from '../../push/sheetPush.ts';
import { useJob } from '../../useJob.ts';

type Read<Rows> = { handle: TableHandle; rows: Rows };

/** The rows of a sheet, checked, and filled rows below its table. */
type CheckedSheet<Rows> = Read<Rows> & { below: RowsBelow | undefined };

export type SheetChecking<Rows> = ReturnType<typeof useSheetCheck<Rows>>;

/** Reads the latest push of a sheet. */
type ReadPush = (signal: AbortSignal) => Promise<SheetPush | undefined>;

/** Reads and checks the rows of a sheet. */
export type CheckRows<Rows> = (
  handle: TableHandle,
  /** The latest push of the sheet. */
  push: SheetPush | undefined,
  retry: Retry,
  /** Whether they are checked to be sent now, or while somebody types in the sheet. */
  moment?: 'sending' | 'typing',
) => Promise<Rows>;

/**
 * Checks the rows of a sheet whenever it, its push or its rules change, and on request.
 * @param isPaused whether no push of the sheet runs: otherwise nothing is checked
 * @param push the latest push of the sheet
 * @param checksTyping whether they are checked too whenever somebody changed cells of the sheet
 */
export function useSheetCheck<Rows>(
  handle: TableHandle,
  isPaused: boolean,
  push: SheetPush | undefined,
  checkRows: CheckRows<Rows>,
  checksTyping = false,
) {
  const including = useJob<never, void>();
  const { job, start, cancel } = useJob<never, CheckedSheet<Rows>>();
  const [typed, setTyped] = useState<CheckedSheet<Rows>>();
  /** The checks that were begun, apart from those of typing. */
  const begun = useRef<Promise<unknown>>(undefined);
  const check = useCallback(
    async (readPush?: ReadPush, also?: (read: Read<Rows>, signal: AbortSignal) => Promise<unknown>) => {
      setTyped(undefined);
      const checking = start(async ({ retry, signal }) => {
        const latest = readPush === undefined ? push : await readPush(signal);
        const rows = await checkRows(handle, latest, retry, readPush === undefined ? undefined : 'sending');
        const below = await findRowsBelow(handle, retry);
        await also?.({ handle, rows }, signal);
        // What was begun before the user cancelled may have ended all the same.
        signal.throwIfAborted();
        return { handle, rows, below };
      });
      begun.current = Promise.all([begun.current, checking]);
      return checking;
    },
    [start, handle, push, checkRows],
  );

  const checkTyped = useEffectEvent(async () => {
    // A push runs: the sheet is checked when it has ended.
    if (!isPaused) return;
    const before = begun.current;
    const rows = await checkRows(handle, push, noRetry, 'typing');
    const below = await findRowsBelow(handle, noRetry);
    if (begun.current === before) setTyped({ handle, rows, below });
  });
  // Before the first check, and while the sheet is checked: what is typed then is in no other check.
  useEffect(() => {
    if (!checksTyping) return;
    return followChanges(handle.sheetId, async () => {
      await begun.current;
      await checkTyped();
    });
  }, [handle, checksTyping]);
  useEffect(() => {
    if (isPaused) void check();
  }, [check, isPaused]);

  // The latest result stays visible while the sheet is checked again, and when that is cancelled, and so does the button
  // that has the focus.
  const [latest, setLatest] = useState<CheckedSheet<Rows>>();
  const result = typed ?? (job.state === 'done' ? job.result : undefined);
  useEffect(() => {
    if (result !== undefined) setLatest(result);
  }, [result]);
  const shown = result ?? (job.state === 'running' || job.state === 'cancelled' ? latest : undefined);

  return {
    checked: shown?.handle === handle ? shown : undefined,
    job,
    cancel,
    /**
     * @param readPush reads the latest push of the sheet; the rows are then checked to be sent
     * @param also what else is read before the check has ended
     * @returns the checked sheet; undefined when the check failed or was cancelled
     */
    check,
    /** Includes rows below the table in it, and checks it again. */
    includeRows({ handle, below }: CheckedSheet<Rows>) {
      if (below === undefined) return;
      void including.start(
        ({ retry }) => includeRowsBelow(handle, below, retry),
        () => check(),
      );
    },
    including: including.job,
  };
}
