import { explainError } from '../../explainError.ts';
import { usePane } from '../../paneContext.ts';
import type { AllProgress, RefreshedAll } from '../../pull/refreshAll.ts';
import type { JobState } from '../../useJob.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { PulledTable, pullProgress } from '../PullStatus.tsx';

/** The status of refreshing all sheets, and its one result. */
export function RefreshStatus({ job, onCancel }: { job: JobState<AllProgress, RefreshedAll>; onCancel: () => void }) {
  const { messages } = usePane();
  const running = (progress: AllProgress | undefined) => {
    if (progress === undefined) return messages.pullStarting;
    const { question } = progress;
    const state = progress.rows === 0 ? messages.pullStarting : pullProgress(messages, progress);
    return `${messages.refreshedAll.now(question.place, question.all, question.sheetName)} ${state}`;
  };
  return (
    <JobStatus
      job={job}
      onCancel={onCancel}
      running={running}
      cancelled={messages.cancelled}
      done={(result) => <Result result={result} />}
    />
  );
}

function Result({ result: { refreshed, failed, left } }: { result: RefreshedAll }) {
  const { messages } = usePane();
  const texts = messages.refreshedAll;
  const sumOf = (count: 'added' | 'changed' | 'removed') => refreshed.reduce((sum, one) => sum + one[count], 0);
  const marked = refreshed.reduce((sum, one) => sum + (one.marked ?? 0), 0);
  // What a person has to read of one sheet; of the others the sum is enough.
  const special = refreshed.filter(
    ({ work, rows, retained, cut }) => work !== 'refreshed' || rows === 0 || retained.length > 0 || cut > 0,
  );
  return (
    <div className="section">
      <Notice intent={failed.length + left.length > 0 ? 'warning' : 'success'}>
        {texts.done(refreshed.length, sumOf('added'), sumOf('changed'), sumOf('removed'))}
        {marked > 0 && ` ${messages.pulled.marked(marked, sumOf('added') + sumOf('changed'))}`}
      </Notice>
      {failed.map(({ sheetName, error }) => (
        <Notice key={sheetName} intent="error">
          {texts.failed(sheetName)} {explainError(error, messages)}
        </Notice>
      ))}
      {left.length > 0 && <Notice intent="info">{texts.left(left)}</Notice>}
      {special.map((written) => (
        <PulledTable key={written.sheetName} written={written} />
      ))}
    </div>
  );
}
