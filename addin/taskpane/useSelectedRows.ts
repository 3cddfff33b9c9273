import { useEffect, useState } from 'react';
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
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    let latest = 0;
    const read = async () => {
      const reading = ++latest;
      const next = await readSelectedNames({ isWanted, keys, nameOf });
      if (!isShown || reading !== latest) return;
      setNames((now) => (now.join() === next.join() ? now : next));
    };
    void read();
    const stop = followSelection(() => void read());
    return () => {
      isShown = false;
      stop();
    };
  }, [isWanted, keys, nameOf]);
  return names;
}
