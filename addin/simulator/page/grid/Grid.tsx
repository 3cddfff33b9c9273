// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the million rows that are not in sight.
import { type ClipboardEvent, type Ref, useCallback, useImperativeHandle, useRef, useState } from 'react';
import { columnLetters } from '../../../../shared/spreadsheet.ts';
import { ChartLayer } from '../../charts/ChartLayer.tsx';
import { type Table, type TableColumn, tableAt } from '../../workbook/table.ts';
import type { Workbook } from '../../workbook/workbook.ts';
import type { Actions } from '../actions.ts';
import type { Draft } from '../editing/draft.ts';
import type { Position } from '../editing/moves.ts';
import { Menu } from '../Menu.tsx';
import type { Words } from '../words.ts';
import { CellField } from './CellField.tsx';
import { ColumnHeaders } from './ColumnHeaders.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { cellId, GridRow } from './GridRow.tsx';
import { COLUMN_HEADER_HEIGHT, ROW_HEADER_WIDTH } from './geometry.ts';
import { useGridKeys } from './useGridKeys.ts';
import { useGridPointer } from './useGridPointer.ts';
import { useGridView } from './useGridView.ts';

type Props = {
  /** The field that has the focus when the grid has it. */
  ref: Ref<HTMLTextAreaElement>;
  workbook: Workbook;
  words: Words;
  actions: Actions;
  draft: Draft | undefined;
  leaving: boolean;
  onLeaving: (leaving: boolean) => void;
  onEdit: (changes: Pick<Draft, 'mode' | 'place'> & { text?: string }) => void;
  onChange: (text: string) => void;
  onCommit: (key?: string, shift?: boolean) => boolean;
  onCancel: () => void;
};

type Point = { x: number; y: number };

/** Right below a cell, on the screen. */
const belowCell = ({ row, column }: Position): Point => {
  const cell = document.getElementById(cellId(row, column))?.getBoundingClientRect();
  return { x: cell?.left ?? 200, y: cell?.bottom ?? 200 };
};

/** The cells of the active sheet. Only what is in sight is drawn. */
export const Grid = (props: Props) => {
  const { ref, workbook, words, actions, draft, leaving, onLeaving, onEdit, onChange, onCommit, onCancel } = props;
  const sheet = workbook.active;
  const { selection, activeCell, frozen } = sheet;
  const grid = useGridView(workbook);
  const { scroller, geometry, extent, columns } = grid;
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current!);
  const [columnMenu, setColumnMenu] = useState<{ table: Table; column: TableColumn; at: Point }>();
  const [cellsMenu, setCellsMenu] = useState<Point>();

  const focus = useCallback(() => field.current?.focus({ preventScroll: true }), []);
  const closeMenus = useCallback(() => {
    setColumnMenu(undefined);
    setCellsMenu(undefined);
    focus();
  }, [focus]);

  const openColumnMenu = (position: Position): boolean => {
    const table = tableAt(sheet, position.row, position.column);
    const column = table?.columns[position.column - table.area.column];
    if (!table?.showFilterButton || !column || table.area.row !== position.row) return false;
    setColumnMenu({ table, column, at: belowCell(position) });
    return true;
  };

  const pointer = useGridPointer({
    sheet,
    grid,
    focus,
    onEdit,
    onCommit,
    openColumnMenu,
    openCellsMenu: setCellsMenu,
  });
  const onKeyDown = useGridKeys({
    sheet,
    grid,
    actions,
    draft,
    leaving,
    onLeaving,
    onEdit,
    openColumnMenu,
    openCellsMenu: () => setCellsMenu(belowCell(activeCell)),
  });
  const onClipboard = (event: ClipboardEvent, work: (clipboard: DataTransfer) => void) => {
    if (draft) return;
    event.preventDefault();
    work(event.clipboardData);
  };

  const rows = draft && !grid.rows.includes(draft.row) ? [...grid.rows, draft.row] : grid.rows;
  const inCell = draft?.place === 'cell' ? draft : undefined;
  const at = inCell ?? activeCell;
  const lastRow = selection.row + selection.rows - 1;
  const lastColumn = selection.column + selection.columns - 1;
  const inSight = rows.includes(activeCell.row) && columns.includes(activeCell.column);

  return (
    <>
      <ChartLayer
        sheet={sheet}
        view={grid.view}
        corner={{ left: ROW_HEADER_WIDTH, top: COLUMN_HEADER_HEIGHT }}
        label={words.chart}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what happens in the cells and their field comes here. */}
      <div
        ref={scroller}
        className={sheet.gridlines ? 'grid' : 'grid plain'}
        {...pointer}
        onKeyDown={onKeyDown}
        onBlur={() => leaving && onLeaving(false)}
        onCopy={(event) => onClipboard(event, (clipboard) => actions.copy(clipboard))}
        onCut={(event) => onClipboard(event, (clipboard) => actions.copy(clipboard, true))}
        onPaste={(event) => onClipboard(event, actions.paste)}
      >
        <div
          id="grid"
          role="grid"
          aria-label={words.grid(sheet.name)}
          aria-rowcount={extent.rows + 1}
          aria-colcount={extent.columns + 1}
          aria-multiselectable="true"
          tabIndex={-1}
          onFocus={focus}
          className="canvas"
          style={{
            width: geometry.columns.at(-1)! + ROW_HEADER_WIDTH,
            height: geometry.rows.at(-1)! + COLUMN_HEADER_HEIGHT,
          }}
        >
          <ColumnHeaders sheet={sheet} columns={columns} starts={geometry.columns} words={words} />
          {rows.map((row) => {
            const height = geometry.rows[row + 1]! - geometry.rows[row]!;
            if (height === 0) return null;
            const within = row >= selection.row && row <= lastRow;
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
                firstColumn={grid.visibleColumns.first}
                lastColumn={grid.visibleColumns.last}
                selectedFrom={within ? selection.column : undefined}
                selectedTo={within ? lastColumn : undefined}
                activeColumn={row === activeCell.row ? activeCell.column : undefined}
                draft={draft && draft.row === row && draft.sheet === sheet ? draft : undefined}
                words={words}
                contentVersion={workbook.contentVersion}
              />
            );
          })}
        </div>
        <CellField
          ref={field}
          label={inCell ? words.editCell(`${columnLetters(at.column)}${at.row + 1}`) : words.activeCell}
          draft={inCell}
          box={grid.boxOf(at)}
          activeCell={inSight ? cellId(activeCell.row, activeCell.column) : undefined}
          onType={(text) => (draft ? onChange(text) : onEdit({ mode: 'enter', place: 'cell', text }))}
          onCommit={onCommit}
          onCancel={onCancel}
        />
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
