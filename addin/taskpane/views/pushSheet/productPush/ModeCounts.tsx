import { groupBy } from '../../../../../shared/groupBy.ts';
import { usePane } from '../../../paneContext.ts';
import type { SendableRow } from '../../../productSheet/readProductRow.ts';

/** How many rows add to a stock, set it, or do not change it. */
export function ModeCounts({ rows }: { rows: readonly SendableRow[] }) {
  const texts = usePane().messages.push;
  const byMode = groupBy(rows, ({ mode }) => mode);
  const counts = [
    { mode: 'Relative' as const, text: texts.relativeCount },
    { mode: 'Absolute' as const, text: texts.absoluteCount },
    { mode: null, text: texts.withoutStock },
  ].map(({ mode, text }) => ({ mode, text, count: byMode.get(mode)?.length ?? 0 }));
  return (
    <ul className="bullets">{counts.map(({ mode, text, count }) => count > 0 && <li key={mode}>{text(count)}</li>)}</ul>
  );
}
