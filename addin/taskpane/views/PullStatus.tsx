import type { Written } from '../../excel/tables/table.ts';
import { usePane } from '../paneContext.ts';
import type { JobState } from '../useJob.ts';
import { JobStatus } from './JobStatus.tsx';
import { Notice } from './Notice.tsx';

/** The status of a pull. Its progress is the number of received rows. */
export function PullStatus({ job, onCancel }: { job: JobState<number, Written[]>; onCancel: () => void }) {
  const { messages } = usePane();
  return (
    <JobStatus
      job={job}
      onCancel={onCancel}
      running={(rows) => (rows === undefined ? messages.pullStarting : messages.pulling(rows))}
      cancelled={messages.cancelled}
      done={(tables) => tables.map((written) => <PulledTable key={written.sheetName} written={written} />)}
    />
  );
}

function PulledTable({ written }: { written: Written }) {
  const { messages } = usePane();
  const { sheetName, rows, added, changed, removed, retained, cut } = written;
  const { pulled } = messages;
  const isNew = added === rows && changed === 0 && removed === 0 && retained.length === 0;
  return (
    <Notice intent={retained.length > 0 || cut > 0 ? 'warning' : 'success'}>
      {isNew ? pulled.made(rows, sheetName) : pulled.refreshed(sheetName, rows, added, changed, removed)}
      {rows === 0 && ` ${pulled.none}`}
      {retained.length > 0 && ` ${pulled.retained(retained.slice(0, 20).join(', '))}`}
      {cut > 0 && ` ${pulled.cut(cut)}`}
    </Notice>
  );
}
