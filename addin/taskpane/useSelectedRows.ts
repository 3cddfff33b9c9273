import { useCallback, useEffect, useState } from 'react';
import { defaultRetry, type Retry } from '../excel/batch.ts';
import { followSelection } from '../excel/selection.ts';
import { readSelectedRows, type SelectedRow } from '../excel/tables/selectedRows.ts';
import type { TableHandle } from '../excel/tables/tableMemory.ts';

/** What rows name. None of its members may change from one call to the next. */
export type SelectedNames = {
  /** Whether the rows of a table count. */
  isWanted: (handle: TableHandle) => boolean;
  /** The columns that have the names. */
  keys: readonly string[];
  /** What a row names; "" for nothing. */
  nameOf: (row: SelectedRow['cells'], table: TableHandle) => string;
};

/**
 * What the selected rows name now, each once, that of the active cell first.
 * @param maxRows of the first ones
 * @param whileEdited how to wait for the end of a cell that is being edited
 */
export async function readSelectedNames(
  { isWanted, keys, nameOf }: SelectedNames,
  maxRows?: number,
  whileEdited?: Retry,
): Promise<readonly string[]> {
  const rows = await readSelectedRows(isWanted, keys, maxRows, whileEdited);
  return [...new Set(rows.map(({ cells, table }) => nameOf(cells, table)))].filter((name) => name !== '');
}

/** What the selected rows name, each once, that of the active cell first. */
export function useSelectedRows({ isWanted, keys, nameOf }: SelectedNames): readonly string[] {
  return useSelected(
    useCallback((retry) => readSelectedNames({ isWanted, keys, nameOf }, undefined, retry), [isWanted, keys, nameOf]),
  );
}

/**
 * What is read of the selection, again whenever that moves; nothing while a cell is being edited that was selected just
 * before.
 * @param read may not change from one call to the next
 */
export function useSelected(read: (retry: Retry) => Promise<readonly string[]>): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    let latest = new AbortController();
    const readAgain = async () => {
      latest.abort();
      latest = new AbortController();
      const { signal } = latest;
      const show = (next: readonly string[]) => {
        if (!signal.aborted) setFound((now) => (now.join() === next.join() ? now : next));
      };
      // Nothing moves when the cell is finished by Escape.
      show(await read({ ...defaultRetry, signal, onWaiting: (reason) => reason !== undefined && show([]) }));
    };
    const stop = followSelection(() => void readAgain());
    return () => {
      latest.abort();
      stop();
    };
  }, [read]);
  return found;
}
