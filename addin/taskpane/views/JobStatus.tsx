import { Button, ProgressBar } from '@fluentui/react-components';
import { type ReactNode, useEffect, useRef } from 'react';
import { explainError } from '../explainError.ts';
import { usePane } from '../paneContext.ts';
import type { JobState } from '../useJob.ts';
import { Notice } from './Notice.tsx';
import { useFormStyles } from './ViewFrame.tsx';

type Props<Progress, Result> = {
  job: JobState<Progress, Result>;
  onCancel: () => void;
  /** What is said while it runs. */
  running: (progress: Progress | undefined) => string;
  cancelled: string;
  done: (result: Result) => ReactNode;
  /** What is said of an error, where there is more to say than usual. */
  explain?: (error: unknown) => ReactNode;
};

/** How a job goes, how it ended, and a way to stop it. */
export function JobStatus<Progress, Result>(props: Props<Progress, Result>) {
  const place = useRef<HTMLDivElement>(null);
  const { state } = props.job;
  // A result that is out of sight is no result.
  useEffect(() => {
    if (state !== 'idle') place.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return (
    <div ref={place} hidden={state === 'idle'}>
      <State {...props} />
    </div>
  );
}

function State<Progress, Result>({ job, onCancel, running, cancelled, done, explain }: Props<Progress, Result>) {
  const styles = useFormStyles();
  const { messages } = usePane();
  switch (job.state) {
    case 'idle':
      return null;
    case 'running': {
      const text = job.cancelling
        ? messages.cancelling
        : job.waiting !== undefined
          ? messages.waitingFor[job.waiting]
          : running(job.progress);
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
      return <Notice intent="info">{cancelled}</Notice>;
    case 'failed':
      return <Notice intent="error">{explain?.(job.error) ?? explainError(job.error, messages)}</Notice>;
    case 'done':
      return done(job.result);
  }
}
