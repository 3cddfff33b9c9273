// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the million rows that are not in sight.
import { type ClipboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { ChartLayer } from '../../sheetCharts/ChartLayer.tsx';
import { columnName, type Position } from '../../workbook/cells/address.ts';
import { tableAt } from '../../workbook/table.ts';
import type { CellEditor } from '../editing/useCellEditor.ts';
import { choicesOf } from '../editing/validation.ts';
import type { Point } from '../Menu.tsx';
import { usePage } from '../pageContext.ts';
import { CellField } from './CellField.tsx';
import { ColumnHeaders } from './ColumnHeaders.tsx';
import { FillHandle } from './FillHandle.tsx';
import { GridMenu, type OpenMenu } from './GridMenu.tsx';
import { cellId, GridRow } from './GridRow.tsx';
import { COLUMN_HEADER_HEIGHT, ROW_HEADER_WIDTH } from './geometry.ts';
import { useGridKeys } from './useGridKeys.ts';
import { useGridPointer } from './useGridPointer.ts';
import { useGridView } from './useGridView.ts';

type Props = {
  /** The field that has the focus when the grid has it. */
  ref: Ref<HTMLTextAreaElement>;
  editor: CellEditor;
};

/** The point of the screen right below a cell. */
const belowCell = ({ row, column }: Position): Point => {
  const cell = document.getElementById(cellId(row, column))?.getBoundingClientRect();
  return { x: cell?.left ?? 200, y: cell?.bottom ?? 200 };
};

/** The cells of the active sheet. Only those in sight are drawn. */
export const Grid = ({ ref, editor }: Props) => {
  const { workbook, messages, actions } = usePage();
  const { draft, tabLeaves, setTabLeaves } = editor;
  const sheet = workbook.active;
  const { selection, activeCell } = sheet;
  const grid = useGridView(workbook, draft?.sheet === sheet);
  const { geometry, extent, columns } = grid;
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current!);
  const [menu, setMenu] = useState<OpenMenu>();

  const focus = () => field.current?.focus({ preventScroll: true });
  const closeMenu = () => {
    setMenu(undefined);
    focus();
  };

  // What an add-in shows meanwhile is not what the menu was opened for.
  useEffect(() => {
    if (menu === undefined || menu.sheet === sheet) return;
    setMenu(undefined);
    // Not from somebody who is in the pane.
    if (document.activeElement === document.body) focus();
  });

  const openColumnMenu = (position: Position): boolean => {
    const table = tableAt(sheet, position.row, position.column);
    const column = table?.columns[position.column - table.area.column];
    if (!table?.showFilterButton || !column || table.area.row !== position.row) return false;
    setMenu({ sheet, at: belowCell(position), header: { table, column } });
    return true;
  };
  const openChoices = (position: Position): boolean => {
    const texts = choicesOf(sheet, position);
    if (texts === undefined || texts.length === 0) return false;
    setMenu({ sheet, at: belowCell(position), choices: { cell: position, texts } });
    return true;
  };
  const openCellsMenu = (at = belowCell(activeCell)) => setMenu({ sheet, at });

  const tools = { grid, editor, focus, openColumnMenu, openChoices, openCellsMenu };
  const pointer = useGridPointer(tools);
  const onKeyDown = useGridKeys(tools);
  const onClipboard = (work: (clipboard: DataTransfer) => void) => (event: ClipboardEvent) => {
    if (draft) return;
    event.preventDefault();
    work(event.clipboardData);
  };

  const rows = draft && !grid.rows.includes(draft.row) ? [...grid.rows, draft.row] : grid.rows;
  const origin = geometry.rows[grid.elements.origin] ?? 0;
  const drawRow = (row: number, from: number) => (
    <GridRow
      key={grid.elements.keys.get(row) ?? 'edited'}
      sheet={sheet}
      row={row}
      top={geometry.rows[row]! - from}
      geometry={geometry}
      columns={columns}
      selection={row >= selection.row && row < selection.row + selection.rows ? selection : undefined}
      activeColumn={row === activeCell.row ? activeCell.column : undefined}
      draft={draft && draft.row === row && draft.sheet === sheet ? draft : undefined}
      contentVersion={workbook.contentVersion}
    />
  );
  const edited = draft?.place === 'cell' ? draft : undefined;
  const at = edited ?? activeCell;
  const isInSight = rows.includes(activeCell.row) && columns.includes(activeCell.column);

  return (
    <>
      <ChartLayer
        sheet={sheet}
        view={grid.view}
        corner={{ left: ROW_HEADER_WIDTH, top: COLUMN_HEADER_HEIGHT }}
        label={messages.chart}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the events of the cells and their field come here. */}
      <div
        ref={grid.scroller}
        className={sheet.gridlines ? 'grid' : 'grid plain'}
        {...pointer}
        onKeyDown={onKeyDown}
        onBlur={() => tabLeaves && setTabLeaves(false)}
        onCopy={onClipboard((clipboard) => actions.copy(clipboard))}
        onCut={onClipboard((clipboard) => actions.copy(clipboard, true))}
        onPaste={onClipboard(actions.paste)}
      >
        <div
          id="grid"
          role="grid"
          aria-label={messages.grid(sheet.name)}
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
          <ColumnHeaders sheet={sheet} columns={columns} starts={geometry.columns} />
          {grid.frozenRows.map((row) => drawRow(row, -COLUMN_HEADER_HEIGHT))}
          <div role="rowgroup" className="rows" style={{ transform: `translateY(${origin + COLUMN_HEADER_HEIGHT}px)` }}>
            {rows.slice(grid.frozenRows.length).map((row) => drawRow(row, origin))}
          </div>
        </div>
        <CellField
          ref={field}
          label={edited ? messages.editCell(`${columnName(at.column)}${at.row + 1}`) : messages.activeCell}
          editor={editor}
          box={grid.boxOf(at)}
          activeCell={isInSight ? cellId(activeCell.row, activeCell.column) : undefined}
        />
        {draft === undefined && <FillHandle grid={grid} focus={focus} />}
      </div>
      {menu?.sheet === sheet && <GridMenu {...menu} onClose={closeMenu} />}
    </>
  );
};
