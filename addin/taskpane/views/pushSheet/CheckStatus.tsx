import { usePane } from '../../paneContext.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { ShortStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { WorkButton } from '../WorkButton.tsx';
import type { SheetChecking } from './useSheetCheck.ts';

/** The button that checks a sheet again, the check that runs, its error, and filled rows below the table. */
export function CheckStatus<Rows>({ checking }: { checking: SheetChecking<Rows> }) {
  const { messages } = usePane();
  const texts = messages.push;
  const { checked, job, including } = checking;
  return (
    <>
      <WorkButton onClick={() => checking.check()}>{texts.check}</WorkButton>
      <ShortStatus job={job} running={texts.checking} onCancel={checking.cancel} />
      {job.state === 'failed' && <ErrorNotice error={job.error} onRetry={job.again} />}
      {checked?.below !== undefined && (
        <Notice intent="warning">
          {texts.below(checked.below.first, checked.below.last)}
          <div>
            <WorkButton size="small" onClick={() => checking.includeRows(checked)}>
              {texts.includeRows(1 + checked.below.last - checked.below.first)}
            </WorkButton>
          </div>
        </Notice>
      )}
      {including.state === 'failed' && <ErrorNotice error={including.error} onRetry={including.again} />}
    </>
  );
}
