import { useCallback, useEffect, useState } from 'react';
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

/** What the selected rows name now, each once, that of the active cell first. @param maxRows of the first ones */
export async function readSelectedNames(
  { isWanted, keys, nameOf }: SelectedNames,
  maxRows?: number,
): Promise<readonly string[]> {
  const rows = await readSelectedRows(isWanted, keys, maxRows);
  return [...new Set(rows.map(({ cells, table }) => nameOf(cells, table)))].filter((name) => name !== '');
}

/** What the selected rows name, each once, that of the active cell first. */
export function useSelectedRows({ isWanted, keys, nameOf }: SelectedNames): readonly string[] {
  return useSelected(useCallback(() => readSelectedNames({ isWanted, keys, nameOf }), [isWanted, keys, nameOf]));
}

/** What is read of the selection, again whenever that moves. @param read may not change from one call to the next */
export function useSelected(read: () => Promise<readonly string[]>): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    let latest = 0;
    const readAgain = async () => {
      const reading = ++latest;
      const next = await read();
      if (isShown && reading === latest) setFound((now) => (now.join() === next.join() ? now : next));
    };
    const stop = followSelection(() => void readAgain());
    return () => {
      isShown = false;
      stop();
    };
  }, [read]);
  return found;
}
