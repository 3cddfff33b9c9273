import type { Written } from '../../excel/tables/table.ts';
import type { Messages } from '../locales/en.ts';
import { formatMoment } from '../locales/language.ts';
import { usePane } from '../paneContext.ts';
import type { PullProgress } from '../pull/pulls.ts';
import type { JobState } from '../useJob.ts';
import { JobStatus } from './JobStatus.tsx';
import { Notice } from './Notice.tsx';

/** How far a pull is. */
export function pullProgress({ ageing, ledger, pulling }: Messages, { rows, reading }: PullProgress): string {
  if (reading === 'openInvoices') return ageing.reading(rows);
  return reading === 'openItems' ? ledger.readingItems(rows) : pulling(rows);
}

/** The status of a pull. */
export function PullStatus({ job, onCancel }: { job: JobState<PullProgress, Written[]>; onCancel: () => void }) {
  const { messages } = usePane();
  const running = (progress: PullProgress | undefined) => {
    if (progress === undefined) return messages.pullStarting;
    return pullProgress(messages, progress);
  };
  return (
    <JobStatus
      job={job}
      onCancel={onCancel}
      running={running}
      cancelled={messages.cancelled}
      done={(tables) => (
        <div className="section">
          {tables.map((written) => (
            <PulledTable key={written.sheetName} written={written} />
          ))}
        </div>
      )}
    />
  );
}

/** What a pull made of one sheet. */
export function PulledTable({ written }: { written: Written }) {
  const { messages, language } = usePane();
  const { work, sheetName, dataAt, rows, added, changed, removed, retained, cut, marked } = written;
  const { pulled } = messages;
  if (work === 'none') return <Notice intent="warning">{pulled.none(sheetName)}</Notice>;
  const isEmptied = work === 'refreshed' && rows === 0;
  return (
    <Notice intent={isEmptied || retained.length > 0 || cut > 0 ? 'warning' : 'success'}>
      {work === 'made'
        ? pulled.made(rows, sheetName)
        : isEmptied
          ? pulled.emptied(sheetName, removed)
          : pulled.refreshed(sheetName, rows, added, changed, removed)}
      {dataAt !== undefined && ` ${pulled.asExported(formatMoment(language, new Date(dataAt)))}`}
      {retained.length > 0 && ` ${pulled.retained(retained.slice(0, 20).join(', '))}`}
      {marked !== undefined && marked > 0 && ` ${pulled.marked(marked, added + changed)}`}
      {cut > 0 && ` ${pulled.cut(cut)}`}
    </Notice>
  );
}
