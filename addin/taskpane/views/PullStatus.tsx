import { Button, ProgressBar } from '@fluentui/react-components';
import type { Written } from '../../excel/table.ts';
import { explainError } from '../explainError.ts';
import { usePane } from '../paneContext.ts';
import type { JobState } from '../useJob.ts';
import { Notice } from './Notice.tsx';
import { useFormStyles } from './ViewFrame.tsx';

/** How a pull goes, how it ended, and a way to stop it. Progress counts the rows that came in. */
export function PullStatus({ job, onCancel }: { job: JobState<number, Written[]>; onCancel: () => void }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  switch (job.state) {
    case 'idle':
      return null;
    case 'running': {
      const text = job.waiting
        ? messages.waitingForCell
        : job.cancelling
          ? messages.cancelling
          : job.progress === undefined
            ? messages.pullStarting
            : messages.pulling(count(job.progress), job.progress === 1);
      return (
        <div className={styles.card}>
          <ProgressBar aria-label={text} />
          <div role="status">{text}</div>
          <Button className={styles.submit} disabled={job.cancelling} onClick={onCancel}>
            {messages.cancel}
          </Button>
        </div>
      );
    }
    case 'cancelled':
      return <Notice intent="info">{messages.cancelled}</Notice>;
    case 'failed':
      return <Notice intent="error">{explainError(job.error, messages)}</Notice>;
    case 'done':
      return job.result.map((written) => <PulledTable key={written.sheetName} written={written} />);
  }
}

function PulledTable({ written }: { written: Written }) {
  const { messages, count } = usePane();
  const { sheetName, rows, added, changed, removed, kept, cut } = written;
  const { pulled } = messages;
  const isNew = added === rows && changed === 0 && removed === 0 && kept.length === 0;
  return (
    <Notice intent={kept.length > 0 || cut > 0 ? 'warning' : 'success'}>
      {isNew
        ? pulled.made(count(rows), rows === 1, sheetName)
        : pulled.refreshed(sheetName, count(rows), rows === 1, count(added), count(changed), count(removed))}
      {rows === 0 && ` ${pulled.none}`}
      {kept.length > 0 && ` ${pulled.kept(kept.slice(0, 20).join(', '))}`}
      {cut > 0 && ` ${pulled.cut(count(cut))}`}
    </Notice>
  );
}
