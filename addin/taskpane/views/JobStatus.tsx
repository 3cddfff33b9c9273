import { Button } from '@fluentui/react-button';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Messages } from '../locales/en.ts';
import type { Language } from '../locales/words.ts';
import { usePane } from '../paneContext.ts';
import { explainWait, type JobState } from '../useJob.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from './Notice.tsx';
import { Status, StatusRegion } from './Status.tsx';
import { CancelButton } from './WorkButton.tsx';

type Props<Progress, Result> = {
  job: JobState<Progress, Result>;
  onCancel: () => void;
  /** The text while it runs. */
  running: (progress: Progress | undefined) => string;
  cancelled: string;
  done: (result: Result) => ReactNode;
  /** The text of an error, if the usual one is not enough. */
  explain?: (error: unknown) => ReactNode;
  /** How it is taken up again when it failed; by default it is done once more. */
  again?: () => void;
};

/** The progress of a job with a button to cancel it, or its result. */
export function JobStatus<Progress, Result>(props: Props<Progress, Result>) {
  const place = useRef<HTMLDivElement>(null);
  const { state } = props.job;
  // The user must see the result.
  useEffect(() => {
    if (state !== 'idle') place.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return (
    <StatusRegion ref={place}>
      <State {...props} />
    </StatusRegion>
  );
}

type Running = Extract<JobState<unknown, unknown>, { state: 'running' }>;

/** What a job does, unless it is being cancelled or waits. */
const runningText = (
  { cancelling, waiting }: Running,
  working: () => string,
  messages: Messages,
  language: Language,
) => {
  if (cancelling) return messages.cancelling;
  return waiting === undefined ? working() : explainWait(waiting, messages, language);
};

/** What a job that is mostly short does while it runs, in a line with a button that cancels it. */
export function ShortStatus({
  job,
  running,
  onCancel,
}: {
  job: JobState<unknown, unknown>;
  running: string;
  onCancel: () => void;
}) {
  const { messages, language } = usePane();
  if (job.state !== 'running') return null;
  return (
    <div className="side">
      <Status>{runningText(job, () => running, messages, language)}</Status>
      <CancelButton isCancelling={job.cancelling} onCancel={onCancel} />
    </div>
  );
}

function State<Progress, Result>(props: Props<Progress, Result>) {
  const { job, onCancel, running, cancelled, done, explain, again } = props;
  const { messages, language } = usePane();
  switch (job.state) {
    case 'idle':
      return null;
    case 'running': {
      const text = runningText(job, () => running(job.progress), messages, language);
      return (
        <div className="card">
          <progress aria-label={text} />
          <div>{text}</div>
          <Button className="submit" disabledFocusable={job.cancelling} onClick={onCancel}>
            {messages.cancel}
          </Button>
        </div>
      );
    }
    case 'cancelled':
      return <Notice intent="info">{cancelled}</Notice>;
    case 'failed':
      return <ErrorNotice error={job.error} explain={explain} onRetry={again ?? job.again} />;
    case 'done':
      return done(job.result);
  }
}
