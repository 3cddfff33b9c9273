import { MAX_ROWS } from '../workbook/cells/address.ts';
import { cellAt, forEachCell, isBlank, isHiddenRow } from '../workbook/sheet.ts';
import { bodyArea, tableAt } from '../workbook/table.ts';
import { setCalculationMode } from '../workbook/workbook.ts';
import type { CellEditor } from './editing/useCellEditor.ts';
import { type Page, usePage } from './pageContext.ts';

/** Characters of a note in the status bar: all of it is at its cell. */
const MAX_NOTE = 200;

type Props = { message: string; editor: CellEditor };

/** The number of selected cells with values, and the average and the sum of the numbers among them, with labels. */
const summary = ({ workbook: { active, locale }, messages }: Page): [string, string][] => {
  let [count, numbers, sum] = [0, 0, 0];
  forEachCell(active, active.selection, (cell, row) => {
    if (isBlank(cell) || isHiddenRow(active, row)) return;
    count += 1;
    if (typeof cell.value !== 'number') return;
    numbers += 1;
    sum += cell.value;
  });
  if (count < 2) return [];
  const show = (value: number) => value.toLocaleString(locale.tag, { maximumFractionDigits: 9 });
  if (numbers === 0) return [[messages.count, show(count)]];
  return [
    [messages.average, show(sum / numbers)],
    [messages.count, show(count)],
    [messages.sum, show(Number(sum.toPrecision(15)))],
  ];
};

/** The number of rows that the filters of the active table show. */
const filtered = ({ workbook: { active }, messages }: Page): string => {
  const table = tableAt(active, active.activeCell.row, active.activeCell.column);
  if (!table || table.filters.size === 0) return '';
  const body = bodyArea(table);
  const rows = active.rows.slice(body.row, Math.min(body.row + body.rows, MAX_ROWS));
  return messages.filtered(body.rows - rows.filter((row) => row?.filtered).length, body.rows);
};

/** Why the function in the active cell failed, or else its note. */
const messageOfCell = ({ workbook: { active } }: Page): string | undefined => {
  const cell = cellAt(active, active.activeCell.row, active.activeCell.column);
  const note = cell?.note?.text;
  return cell?.message ?? (note && note.length > MAX_NOTE ? `${note.slice(0, MAX_NOTE)}…` : note);
};

export const StatusBar = ({ message, editor: { draft, tabLeaves } }: Props) => {
  const page = usePage();
  const { messages } = page;
  const { workbook } = page;
  const state = draft ? messages[draft.mode] : messages.ready;
  return (
    <footer className="status-bar">
      <span role="status" className={message ? 'refusal' : undefined}>
        {message || (tabLeaves && messages.leaving) || (!draft && messageOfCell(page)) || filtered(page) || state}
      </span>
      {workbook.calculationMode === 'Manual' && !draft && (
        <span className="calculation">
          {workbook.isCalculationDue && (
            <button type="button" aria-keyshortcuts="F9" onClick={() => workbook.calculateDue()}>
              {messages.calculate}
            </button>
          )}
          <button type="button" onClick={() => setCalculationMode(workbook, 'Automatic')}>
            {messages.calculateAutomatically}
          </button>
        </span>
      )}
      <dl data-testid="summary">
        {summary(page).map(([label, value]) => (
          <div key={label}>
            <dt>{label}:</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </footer>
  );
};
