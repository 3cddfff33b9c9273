import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Position } from '../../workbook/cells/address.ts';
import { usedArea } from '../../workbook/sheet.ts';
import type { Workbook } from '../../workbook/workbook.ts';
import { COLUMN_HEADER_HEIGHT, extentOf, geometryOf, indexAt, ROW_HEADER_WIDTH, span } from './geometry.ts';

/** Pixels of rows that are drawn above and below those in sight, so that scrolling shows no empty rows. */
const OVERSCAN = 160;

/** The indexes of the frozen rows or columns, and of those in sight: none of hidden ones. */
const drawn = (starts: Float64Array, frozen: number, { first, last }: { first: number; last: number }): number[] => {
  const indexes: number[] = [];
  const add = (from: number, to: number) => {
    for (let index = from; index < to; index += 1) if (starts[index + 1]! > starts[index]!) indexes.push(index);
  };
  add(0, frozen);
  add(Math.max(frozen, first), last + 1);
  return indexes;
};

/** The elements of the rows in sight: the key of each, and the row from which their places are counted. */
type RowElements = { keys: ReadonlyMap<number, number>; unused: number; origin: number };

/**
 * A row keeps its element. When many rows come into sight at once, all elements get other rows, in the same order and at
 * the same places: new elements would take several times as long.
 */
const useRowElements = (rows: readonly number[], frozen: number): RowElements => {
  const before = useRef<RowElements>({ keys: new Map(), unused: 0, origin: 0 });
  const { keys, unused, origin } = before.current;
  const added = rows.filter((row) => !keys.has(row)).length;
  if (added === 0 && rows.length === keys.size) return before.current;
  const areOther = added > rows.length / 4;
  const free = [...keys.values()];
  let next = unused;
  const now = new Map(rows.map((row, at) => [row, (areOther ? free[at] : keys.get(row)) ?? next++]));
  before.current = { keys: now, unused: next, origin: areOther ? (rows[frozen] ?? 0) : origin };
  return before.current;
};

/** The scroll position that brings a row or column into sight, within so much room beside the headers. */
const scrolledTo = (starts: Float64Array, index: number, frozen: number, position: number, room: number): number => {
  if (index < frozen || index >= starts.length - 1) return position;
  const first = starts[index]! - (starts[frozen] ?? 0);
  return first < position ? first : Math.max(position, starts[index + 1]! - room);
};

/**
 * The active sheet on the screen: its sizes, the rows and columns to draw, and scrolling to a cell.
 * @param isEditing whether an entry is being typed into the active cell
 */
export const useGridView = (workbook: Workbook, isEditing: boolean) => {
  const sheet = workbook.active;
  const { activeCell, frozen } = sheet;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, width: 1200, height: 800, overscan: OVERSCAN });

  const { contentVersion } = workbook;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet changes in place; its version tells.
  const used = useMemo(() => usedArea(sheet, false), [sheet, contentVersion]);
  const extent = extentOf(used, activeCell);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const geometry = useMemo(() => geometryOf(sheet, extent), [sheet, contentVersion, extent.rows, extent.columns]);
  const frozenHeight = geometry.rows[frozen.rows] ?? 0;
  const frozenWidth = geometry.columns[frozen.columns] ?? 0;

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () =>
      setView(({ top }) => ({
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
        // Who scrolls farther at once sees none of them.
        overscan: Math.abs(element.scrollTop - top) > OVERSCAN ? 0 : OVERSCAN,
      }));
    // It reports the first size as well, when that is known anyway.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  /** Scrolls until a cell is in sight, not hidden behind frozen rows and columns. */
  const reveal = ({ row, column }: Position) => {
    const element = scroller.current!;
    const [height, width] = [element.clientHeight - COLUMN_HEADER_HEIGHT, element.clientWidth - ROW_HEADER_WIDTH];
    element.scrollTop = scrolledTo(geometry.rows, row, frozen.rows, element.scrollTop, height);
    element.scrollLeft = scrolledTo(geometry.columns, column, frozen.columns, element.scrollLeft, width);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the active cell scrolls to it.
  useEffect(() => reveal(activeCell), [sheet, activeCell.row, activeCell.column]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the begin of an entry scrolls to its cell.
  useEffect(() => {
    if (isEditing) reveal(activeCell);
  }, [isEditing]);

  const visibleRows = span(
    geometry.rows,
    view.top + frozenHeight - view.overscan,
    view.top + view.height - COLUMN_HEADER_HEIGHT + view.overscan,
  );
  const { first, last } = span(geometry.columns, view.left + frozenWidth, view.left + view.width - ROW_HEADER_WIDTH);
  // The same list for the same columns, so that memoised rows are not drawn again.
  const columns = useMemo(
    () => drawn(geometry.columns, frozen.columns, { first, last }),
    [geometry, frozen.columns, first, last],
  );
  const rows = drawn(geometry.rows, frozen.rows, visibleRows);
  const frozenRows = rows.filter((row) => row < frozen.rows);
  const elements = useRowElements(rows, frozenRows.length);

  /** The box of a cell on the canvas. Frozen cells move along when the grid scrolls. */
  const boxOf = ({ row, column }: Position) => ({
    left: ROW_HEADER_WIDTH + geometry.columns[column]! + (column < frozen.columns ? view.left : 0),
    top: COLUMN_HEADER_HEIGHT + geometry.rows[row]! + (row < frozen.rows ? view.top : 0),
    width: geometry.columns[column + 1]! - geometry.columns[column]!,
    height: geometry.rows[row + 1]! - geometry.rows[row]!,
  });

  /** The cell under the pointer; outside of the grid the nearest one. */
  const cellUnder = ({ clientX, clientY }: { clientX: number; clientY: number }): Position => {
    const box = scroller.current!.getBoundingClientRect();
    const x = clientX - box.left - ROW_HEADER_WIDTH;
    const y = clientY - box.top - COLUMN_HEADER_HEIGHT;
    return {
      row: indexAt(geometry.rows, y < frozenHeight ? Math.max(0, y) : y + view.top),
      column: indexAt(geometry.columns, x < frozenWidth ? Math.max(0, x) : x + view.left),
    };
  };

  return {
    scroller,
    view,
    used,
    extent,
    geometry,
    frozenHeight,
    frozenWidth,
    rows,
    frozenRows,
    elements,
    columns,
    reveal,
    boxOf,
    cellUnder,
    /** How many rows Page Up and Page Down move. */
    pageRows: Math.max(2, Math.floor((view.height - COLUMN_HEADER_HEIGHT - frozenHeight) / 20)),
  };
};

export type GridView = ReturnType<typeof useGridView>;
