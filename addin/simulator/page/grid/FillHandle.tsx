import { type PointerEvent, useState } from 'react';
import type { Area } from '../../workbook/cells/address.ts';
import { surroundingRegion } from '../../workbook/changes/edge.ts';
import { clipToUse } from '../../workbook/changes/enter.ts';
import { filledTo } from '../../workbook/changes/fill.ts';
import { usePage } from '../pageContext.ts';
import type { GridView } from './useGridView.ts';

type Props = { grid: GridView; focus: () => void };

/** Half the size of the handle, in pixels. */
const HALF = 4;

/**
 * The square at the corner of the selection. Dragged, it fills the cells that it passes; a double click fills down as
 * far as there are cells beside them. The keyboard has Ctrl+D and Ctrl+R.
 */
export const FillHandle = ({ grid, focus }: Props) => {
  const { workbook, actions } = usePage();
  const sheet = workbook.active;
  const { selection } = sheet;
  const [target, setTarget] = useState<Area>();
  const source = clipToUse(sheet, selection);
  // Whole rows and columns have no corner to drag.
  if (source.rows !== selection.rows || source.columns !== selection.columns) return null;
  const { geometry, extent, boxOf, cellUnder } = grid;

  const boxAround = (area: Area) => {
    const first = boxOf(area);
    const last = boxOf({
      row: Math.min(area.row + area.rows, extent.rows) - 1,
      column: Math.min(area.column + area.columns, extent.columns) - 1,
    });
    return {
      left: first.left,
      top: first.top,
      width: last.left + last.width - first.left,
      height: last.top + last.height - first.top,
    };
  };

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    focus();
    const element = event.currentTarget;
    element.setPointerCapture(event.pointerId);
    const done = new AbortController();
    const { signal } = done;
    let filled = source;
    const onMove = (move: globalThis.PointerEvent) => {
      filled = filledTo(source, cellUnder(move));
      setTarget(filled);
    };
    const onEnd = (end: globalThis.PointerEvent) => {
      done.abort();
      setTarget(undefined);
      const isLarger = filled.rows > source.rows || filled.columns > source.columns;
      if (end.type === 'pointerup' && isLarger) actions.fillTo(filled, end.ctrlKey || end.metaKey);
    };
    element.addEventListener('pointermove', onMove, { signal });
    element.addEventListener('pointerup', onEnd, { signal });
    element.addEventListener('pointercancel', onEnd, { signal });
  };

  const fillDown = () => {
    const region = surroundingRegion(sheet, source);
    const rows = region.row + region.rows - source.row;
    if (rows > source.rows) actions.fillTo({ ...source, rows }, false);
  };

  const box = boxAround(source);
  if (geometry.rows[source.row + source.rows] === undefined || box.width === 0 || box.height === 0) return null;
  return (
    <>
      {target && <div className="filled" style={boxAround(target)} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys fill too. */}
      <div
        className="fill-handle"
        style={{ left: box.left + box.width - HALF, top: box.top + box.height - HALF }}
        onPointerDown={drag}
        onDoubleClick={(event) => {
          event.stopPropagation();
          fillDown();
        }}
      />
    </>
  );
};
