// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the columns that are not in sight.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field of the active cell has the focus.
import { columnName } from '../../workbook/cells/address.ts';
import type { Sheet } from '../../workbook/sheet.ts';
import { usePage } from '../pageContext.ts';
import { COLUMN_HEADER_HEIGHT, ROW_HEADER_WIDTH } from './geometry.ts';

type Props = { sheet: Sheet; columns: readonly number[]; starts: Float64Array };

/** The letters above the columns that are drawn. */
export const ColumnHeaders = ({ sheet: { selection, frozen }, columns, starts }: Props) => (
  <div role="row" aria-rowindex={1} className="column-headers" style={{ height: COLUMN_HEADER_HEIGHT }}>
    <div role="columnheader" aria-colindex={1} data-corner="" className="corner" style={{ width: ROW_HEADER_WIDTH }}>
      <span className="for-screen-readers">{usePage().messages.corner}</span>
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
          {columnName(column)}
          <span className="resize" data-resize={column} aria-hidden="true" />
        </div>
      );
    })}
  </div>
);
