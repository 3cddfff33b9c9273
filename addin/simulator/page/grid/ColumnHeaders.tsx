// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the columns that are not in sight.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field of the active cell has the focus.
import { columnLetters } from '../../../../shared/spreadsheet.ts';
import type { Sheet } from '../../workbook/sheet.ts';
import type { Words } from '../words.ts';
import { COLUMN_HEADER_HEIGHT, ROW_HEADER_WIDTH } from './geometry.ts';

type Props = { sheet: Sheet; columns: number[]; starts: Float64Array; words: Words };

/** The letters above the columns in sight. */
export const ColumnHeaders = ({ sheet: { selection, frozen }, columns, starts, words }: Props) => (
  <div role="row" aria-rowindex={1} className="column-headers" style={{ height: COLUMN_HEADER_HEIGHT }}>
    <div role="columnheader" aria-colindex={1} data-corner="" className="corner" style={{ width: ROW_HEADER_WIDTH }}>
      <span className="for-screen-readers">{words.corner}</span>
    </div>
    {columns.map((column) => {
      const width = starts[column + 1]! - starts[column]!;
      if (width === 0) return null;
      const within = column >= selection.column && column < selection.column + selection.columns;
      return (
        <div
          key={column}
          role="columnheader"
          aria-colindex={column + 2}
          data-column-header={column}
          className={`column-header${within ? ' in-selection' : ''}${column < frozen.columns ? ' frozen' : ''}`}
          style={{ left: ROW_HEADER_WIDTH + starts[column]!, width }}
        >
          {columnLetters(column)}
          <span className="resize" data-resize={column} aria-hidden="true" />
        </div>
      );
    })}
  </div>
);
