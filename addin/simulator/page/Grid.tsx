// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the million rows that are not in sight.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ChartLayer } from '../charts/ChartLayer.tsx';
import { autofitColumns } from '../workbook/autofit.ts';
import { type Area, boundingArea, columnName, MAX_COLUMNS, MAX_ROWS, wholeSheet } from '../workbook/cells/address.ts';
import { columnOf, usedArea } from '../workbook/sheet.ts';
import { select } from '../workbook/sheets.ts';
import { type Table, type TableColumn, tableAt } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Actions } from './actions.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import type { Draft } from './editing/draft.ts';
import {
  COLUMN_HEADER_HEIGHT,
  extentOf,
  geometryOf,
  indexAt,
  pointsOf,
  ROW_HEADER_WIDTH,
  span,
} from './editing/geometry.ts';
import { moveSelection, type Position } from './editing/moves.ts';
import { cellId, GridRow } from './GridRow.tsx';
import { Menu } from './Menu.tsx';
import type { Words } from './words.ts';

type Props = {
  ref: Ref<HTMLDivElement>;
  workbook: Workbook;
  words: Words;
  actions: Actions;
  draft: Draft | undefined;
  onEdit: (changes: Pick<Draft, 'mode' | 'place'> & { text?: string }) => void;
  onChange: (text: string) => void;
  onCommit: (key?: string, shift?: boolean) => boolean;
  onCancel: () => void;
};

/** Rows drawn above and below what is in sight, so that scrolling does not outrun drawing. */
const OVERSCAN_ROWS = 8;

type Point = { x: number; y: number };

/** The cells of the active sheet. Only what is in sight is drawn. */
export const Grid = ({ ref, workbook, words, actions, draft, onEdit, onChange, onCommit, onCancel }: Props) => {
  const sheet = workbook.active;
  const { selection, activeCell, frozen } = sheet;
  const scroller = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);
  const [view, setView] = useState({ top: 0, left: 0, width: 1200, height: 800 });
  const [columnMenu, setColumnMenu] = useState<{ table: Table; column: TableColumn; at: Point }>();
  const [cellsMenu, setCellsMenu] = useState<Point>();
  useImperativeHandle(ref, () => scroller.current!);

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
      setView({
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  /** Scrolls until a cell is in sight, not hidden behind frozen rows and columns. */
  const reveal = useCallback(
    ({ row, column }: Position) => {
      const element = scroller.current!;
      const { rows, columns } = geometry;
      if (row >= frozen.rows && row < rows.length - 1) {
        const room = element.clientHeight - COLUMN_HEADER_HEIGHT;
        if (rows[row]! < element.scrollTop + frozenHeight) element.scrollTop = rows[row]! - frozenHeight;
        else if (rows[row + 1]! > element.scrollTop + room) element.scrollTop = rows[row + 1]! - room;
      }
      if (column >= frozen.columns && column < columns.length - 1) {
        const room = element.clientWidth - ROW_HEADER_WIDTH;
        if (columns[column]! < element.scrollLeft + frozenWidth) element.scrollLeft = columns[column]! - frozenWidth;
        else if (columns[column + 1]! > element.scrollLeft + room) element.scrollLeft = columns[column + 1]! - room;
      }
    },
    [frozen, frozenHeight, frozenWidth, geometry],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the active cell scrolls to it.
  useEffect(() => reveal(activeCell), [sheet, activeCell.row, activeCell.column]);

  const visibleRows = span(
    geometry.rows,
    view.top + frozenHeight - OVERSCAN_ROWS * 20,
    view.top + view.height - COLUMN_HEADER_HEIGHT + OVERSCAN_ROWS * 20,
  );
  const visibleColumns = span(geometry.columns, view.left + frozenWidth, view.left + view.width - ROW_HEADER_WIDTH);

  const rows: number[] = [];
  for (let row = 0; row < frozen.rows; row += 1) rows.push(row);
  for (let row = Math.max(frozen.rows, visibleRows.first); row <= visibleRows.last; row += 1) rows.push(row);
  if (draft && !rows.includes(draft.row)) rows.push(draft.row);

  const columns: number[] = [];
  for (let column = 0; column < frozen.columns; column += 1) columns.push(column);
  for (let column = Math.max(frozen.columns, visibleColumns.first); column <= visibleColumns.last; column += 1) {
    columns.push(column);
  }

  const openColumnMenu = (row: number, column: number): boolean => {
    const table = tableAt(sheet, row, column);
    const tableColumn = table?.columns[column - table.area.column];
    if (!table?.showFilterButton || !tableColumn || table.area.row !== row) return false;
    const cell = document.getElementById(cellId(row, column))?.getBoundingClientRect();
    setColumnMenu({ table, column: tableColumn, at: { x: cell?.left ?? 200, y: cell?.bottom ?? 200 } });
    return true;
  };

  const choose = (area: Area, active?: Position) => select(sheet, area, active);
  const cellArea = ({ row, column }: Position): Area => ({ row, column, rows: 1, columns: 1 });

  const extendTo = (position: Position) => choose(boundingArea(cellArea(activeCell), cellArea(position)), activeCell);

  /** The cell at a point of the screen; beyond the edges the nearest. */
  const cellUnder = (event: PointerEvent): Position => {
    const box = scroller.current!.getBoundingClientRect();
    const x = event.clientX - box.left - ROW_HEADER_WIDTH;
    const y = event.clientY - box.top - COLUMN_HEADER_HEIGHT;
    return {
      row: indexAt(geometry.rows, y < frozenHeight ? Math.max(0, y) : y + view.top),
      column: indexAt(geometry.columns, x < frozenWidth ? Math.max(0, x) : x + view.left),
    };
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const target = event.target as HTMLElement;
    if (event.button !== 0 || target.closest('textarea')) return;
    const header = target.closest<HTMLElement>('[data-column-header],[data-row-header],[data-corner]');
    const menuButton = target.closest<HTMLElement>('[data-column-menu]');
    const resizer = target.closest<HTMLElement>('[data-resize]');
    if (resizer) return resize(event, Number(resizer.dataset.resize));
    const cell = target.closest<HTMLElement>('[data-row]');
    if (!header && !cell) return;
    event.preventDefault();
    if (!onCommit()) return;
    scroller.current!.focus({ preventScroll: true });
    if (cell && menuButton) {
      openColumnMenu(Number(cell.dataset.row), Number(cell.dataset.column));
    } else if (cell) {
      const position = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
      if (event.shiftKey) extendTo(position);
      else choose(cellArea(position));
      dragging.current = true;
    } else if (header?.dataset.columnHeader !== undefined) {
      const column = Number(header.dataset.columnHeader);
      const area = { row: 0, column, rows: MAX_ROWS, columns: 1 };
      choose(
        event.shiftKey ? boundingArea({ ...area, column: activeCell.column }, area) : area,
        event.shiftKey ? activeCell : undefined,
      );
    } else if (header?.dataset.rowHeader !== undefined) {
      const row = Number(header.dataset.rowHeader);
      const area = { row, column: 0, rows: 1, columns: MAX_COLUMNS };
      choose(
        event.shiftKey ? boundingArea({ ...area, row: activeCell.row }, area) : area,
        event.shiftKey ? activeCell : undefined,
      );
    } else choose(wholeSheet);
  };

  const resize = (event: PointerEvent<HTMLDivElement>, column: number) => {
    event.preventDefault();
    const element = event.currentTarget;
    element.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const width = geometry.columns[column + 1]! - geometry.columns[column]!;
    const drag = (move: globalThis.PointerEvent) => {
      columnOf(sheet, column).width = pointsOf(Math.max(8, width + move.clientX - start));
      workbook.emit({ kind: 'layout', sheet });
    };
    element.addEventListener('pointermove', drag);
    element.addEventListener('pointerup', () => element.removeEventListener('pointermove', drag), { once: true });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (draft && draft.place === 'cell') return;
    const { key, shiftKey, altKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    const handled = (): void => {
      event.preventDefault();
    };
    if (altKey && key === 'ArrowDown') {
      if (openColumnMenu(activeCell.row, activeCell.column)) handled();
      return;
    }
    if (altKey) return;
    if (key === 'F2') {
      handled();
      return onEdit({ mode: 'edit', place: 'cell' });
    }
    if (key === 'Delete' || key === 'Backspace') {
      handled();
      return key === 'Delete' ? actions.clear() : onEdit({ mode: 'enter', place: 'cell', text: '' });
    }
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
      handled();
      const cell = document.getElementById(cellId(activeCell.row, activeCell.column))?.getBoundingClientRect();
      return setCellsMenu({ x: cell?.left ?? 200, y: cell?.bottom ?? 200 });
    }
    if (key === ' ' && (ctrl || shiftKey)) {
      handled();
      return choose(
        ctrl ? { ...selection, row: 0, rows: MAX_ROWS } : { ...selection, column: 0, columns: MAX_COLUMNS },
        activeCell,
      );
    }
    if (ctrl) {
      const shortcuts: Record<string, () => void> = {
        a: () =>
          choose(used && selection.rows < MAX_ROWS ? boundingArea(used, cellArea(activeCell)) : wholeSheet, activeCell),
        t: actions.formatAsTable,
        l: actions.formatAsTable,
        y: actions.redo,
        z: shiftKey ? actions.redo : actions.undo,
        '+': selection.rows === MAX_ROWS ? actions.insertColumns : actions.insertRows,
        '=': selection.rows === MAX_ROWS ? actions.insertColumns : actions.insertRows,
        '-': selection.rows === MAX_ROWS ? actions.deleteColumns : actions.deleteRows,
      };
      const shortcut = shortcuts[key.toLowerCase()];
      if (shortcut) {
        handled();
        return shortcut();
      }
    }
    const page = Math.max(2, Math.floor((view.height - COLUMN_HEADER_HEIGHT - frozenHeight) / 20));
    const moved = moveSelection(sheet, { key, ctrl, shift: shiftKey, page });
    if (moved) {
      handled();
      const limit = ({ row, column }: Position) => ({
        row: ctrl ? Math.min(row, extent.rows - 1) : row,
        column: ctrl ? Math.min(column, extent.columns - 1) : column,
      });
      const last = limit({
        row: moved.selection.row + moved.selection.rows - 1,
        column: moved.selection.column + moved.selection.columns - 1,
      });
      const first = limit(moved.selection);
      choose(boundingArea(cellArea(first), cellArea(last)), limit(moved.activeCell));
      if (shiftKey) {
        reveal({
          row: moved.selection.row === activeCell.row ? last.row : first.row,
          column: moved.selection.column === activeCell.column ? last.column : first.column,
        });
      }
      return;
    }
    if (key.length === 1 && !ctrl) {
      handled();
      onEdit({ mode: 'enter', place: 'cell', text: key });
    }
  };

  const onClipboard = (event: ClipboardEvent, work: (clipboard: DataTransfer) => void) => {
    if (draft) return;
    event.preventDefault();
    work(event.clipboardData);
  };

  const lastSelected = {
    row: selection.row + selection.rows - 1,
    column: selection.column + selection.columns - 1,
  };
  const inSight = rows.includes(activeCell.row) && columns.includes(activeCell.column);
  const closeMenus = useCallback(() => {
    setColumnMenu(undefined);
    setCellsMenu(undefined);
    scroller.current?.focus({ preventScroll: true });
  }, []);

  return (
    <>
      <ChartLayer
        sheet={sheet}
        view={view}
        corner={{ left: ROW_HEADER_WIDTH, top: COLUMN_HEADER_HEIGHT }}
        label={words.chart}
      />
      <div
        ref={scroller}
        id="grid"
        className={sheet.gridlines ? 'grid' : 'grid plain'}
        role="grid"
        aria-label={words.grid(sheet.name)}
        aria-rowcount={extent.rows + 1}
        aria-colcount={extent.columns + 1}
        aria-multiselectable="true"
        aria-activedescendant={inSight && !draft ? cellId(activeCell.row, activeCell.column) : undefined}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={(event) => {
          if (!dragging.current) return;
          const under = cellUnder(event);
          // Not before the pointer has left the cell: capturing it hides from a double click where it happened.
          if (under.row !== activeCell.row || under.column !== activeCell.column) {
            event.currentTarget.setPointerCapture(event.pointerId);
          }
          extendTo(under);
        }}
        onPointerUp={() => {
          dragging.current = false;
        }}
        onPointerCancel={() => {
          dragging.current = false;
        }}
        onDoubleClick={(event) => {
          const target = event.target as HTMLElement;
          const resizer = target.closest<HTMLElement>('[data-resize]');
          if (resizer)
            autofitColumns(sheet, { row: 0, column: Number(resizer.dataset.resize), rows: MAX_ROWS, columns: 1 });
          else if (target.closest('[data-row]') && !target.closest('textarea,button'))
            onEdit({ mode: 'edit', place: 'cell' });
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
          if (cell) {
            const position = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
            const within =
              position.row >= selection.row &&
              position.row <= lastSelected.row &&
              position.column >= selection.column &&
              position.column <= lastSelected.column;
            if (!within) choose(cellArea(position));
          }
          setCellsMenu({ x: event.clientX, y: event.clientY });
        }}
        onKeyDown={onKeyDown}
        onCopy={(event) => onClipboard(event, (clipboard) => actions.copy(clipboard))}
        onCut={(event) => onClipboard(event, (clipboard) => actions.copy(clipboard, true))}
        onPaste={(event) => onClipboard(event, actions.paste)}
      >
        <div
          role="rowgroup"
          className="canvas"
          style={{
            width: geometry.columns.at(-1)! + ROW_HEADER_WIDTH,
            height: geometry.rows.at(-1)! + COLUMN_HEADER_HEIGHT,
          }}
        >
          <div role="row" aria-rowindex={1} className="column-headers" style={{ height: COLUMN_HEADER_HEIGHT }}>
            <div
              role="columnheader"
              aria-colindex={1}
              data-corner=""
              className="corner"
              style={{ width: ROW_HEADER_WIDTH }}
            >
              <span className="for-screen-readers">{words.corner}</span>
            </div>
            {columns.map((column) => {
              const width = geometry.columns[column + 1]! - geometry.columns[column]!;
              if (width === 0) return null;
              const within = column >= selection.column && column <= lastSelected.column;
              return (
                <div
                  key={column}
                  role="columnheader"
                  aria-colindex={column + 2}
                  data-column-header={column}
                  className={`column-header${within ? ' in-selection' : ''}${column < frozen.columns ? ' frozen' : ''}`}
                  style={{ left: ROW_HEADER_WIDTH + geometry.columns[column]!, width }}
                >
                  {columnName(column)}
                  <span className="resize" data-resize={column} aria-hidden="true" />
                </div>
              );
            })}
          </div>
          {rows.map((row) => {
            const height = geometry.rows[row + 1]! - geometry.rows[row]!;
            if (height === 0) return null;
            const within = row >= selection.row && row <= lastSelected.row;
            return (
              <GridRow
                key={row}
                sheet={sheet}
                row={row}
                top={COLUMN_HEADER_HEIGHT + geometry.rows[row]!}
                height={height}
                frozen={row < frozen.rows}
                starts={geometry.columns}
                frozenColumns={frozen.columns}
                firstColumn={visibleColumns.first}
                lastColumn={visibleColumns.last}
                selectedFrom={within ? selection.column : undefined}
                selectedTo={within ? lastSelected.column : undefined}
                activeColumn={row === activeCell.row ? activeCell.column : undefined}
                draft={draft && draft.row === row && draft.sheet === sheet ? draft : undefined}
                words={words}
                contentVersion={contentVersion}
                onChange={onChange}
                onCommit={onCommit}
                onCancel={onCancel}
              />
            );
          })}
        </div>
      </div>
      {columnMenu && <ColumnMenu {...columnMenu} words={words} actions={actions} onClose={closeMenus} />}
      {cellsMenu && (
        <Menu
          label={words.cells}
          at={cellsMenu}
          onClose={closeMenus}
          items={[
            { label: words.insertRows, onSelect: actions.insertRows },
            { label: words.deleteRows, onSelect: actions.deleteRows },
            { label: words.insertColumns, onSelect: actions.insertColumns },
            { label: words.deleteColumns, onSelect: actions.deleteColumns },
            { label: words.clearContents, onSelect: actions.clear },
            { label: words.formatAsTable, onSelect: actions.formatAsTable },
          ]}
        />
      )}
    </>
  );
};
