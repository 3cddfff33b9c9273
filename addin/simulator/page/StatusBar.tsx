import { MAX_ROWS } from '../workbook/cells/address.ts';
import { forEachCell, isBlank } from '../workbook/sheet.ts';
import { bodyArea, tableAt } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Draft } from './editing/draft.ts';
import type { Words } from './words.ts';

type Props = { workbook: Workbook; words: Words; message: string; draft: Draft | undefined; leaving: boolean };

const summary = (workbook: Workbook, words: Words): [string, string][] => {
  const { active } = workbook;
  let count = 0;
  let numbers = 0;
  let sum = 0;
  forEachCell(active, active.selection, (cell, row) => {
    if (isBlank(cell) || active.rows[row]?.hidden || active.rows[row]?.filtered) return;
    count += 1;
    if (typeof cell.value !== 'number') return;
    numbers += 1;
    sum += cell.value;
  });
  if (count < 2) return [];
  const show = (value: number) =>
    value.toLocaleString(workbook.locale.language === 'nl' ? 'nl-NL' : 'en-US', { maximumFractionDigits: 9 });
  const parts: [string, string][] = [[words.count, show(count)]];
  if (numbers > 0) parts.unshift([words.average, show(sum / numbers)]);
  if (numbers > 0) parts.push([words.sum, show(Number(sum.toPrecision(15)))]);
  return parts;
};

const filtered = (workbook: Workbook, words: Words): string => {
  const { active } = workbook;
  const table = tableAt(active, active.activeCell.row, active.activeCell.column);
  if (!table || table.filters.size === 0) return '';
  const body = bodyArea(table);
  const rows = active.rows.slice(body.row, Math.min(body.row + body.rows, MAX_ROWS));
  return words.filtered(body.rows - rows.filter((row) => row?.filtered).length, body.rows);
};

export const StatusBar = ({ workbook, words, message, draft, leaving }: Props) => {
  const state = draft ? (draft.mode === 'enter' ? words.enter : words.edit) : words.ready;
  return (
    <footer className="status-bar">
      <span role="status" className={message ? 'refusal' : undefined}>
        {message || (leaving && words.leaving) || filtered(workbook, words) || state}
      </span>
      <dl data-testid="summary">
        {summary(workbook, words).map(([label, value]) => (
          <div key={label}>
            <dt>{label}:</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </footer>
  );
};
