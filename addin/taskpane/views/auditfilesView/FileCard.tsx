import { Button } from '@fluentui/react-button';
import { Text } from '@fluentui/react-text';
import type { Auditfile } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { formatMoment } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { Notice } from '../Notice.tsx';
import { StatusRegion } from '../Status.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { ReportOfFile } from './ReportOfFile.tsx';
import { isWorkedOn } from './useAuditfiles.ts';

type Props = {
  file: Auditfile;
  onImport: () => void;
  onCancel: () => void;
  onErase: () => void;
  /** Left out when there is nothing to withdraw. */
  onWithdraw: (() => void) | undefined;
};

/** An audit file: its state, what it holds, and what can be done with it. */
export function FileCard({ file, onImport, onCancel, onErase, onWithdraw }: Props) {
  const { language, messages } = usePane();
  const texts = messages.auditfiles;
  const { name, state, report, message, progress, cancelling } = file;
  const moment = formatMoment(language, new Date(Number(file.endedOn ?? file.createdOn) * 1000));
  const stateText = cancelling ? messages.cancelling : texts.states[state](progress);
  const canImport = state === 'checked' && report !== null && report.problemCount === 0;
  return (
    <li className="card">
      <Text weight="semibold">{name}</Text>
      <Text size={200} className="muted">
        {moment}
        {file.by.label === '' ? '' : ` · ${file.by.label}`}
      </Text>
      {isWorkedOn(file) && <progress aria-label={stateText} value={progress} max={100} />}
      {/* It is there with the card: what changes is read out, and not a list of files that is opened. */}
      <StatusRegion className="section">
        {state === 'imported' ? (
          <Notice intent="success">{stateText}</Notice>
        ) : state === 'failed' ? (
          <Notice intent="error">{texts.failed(message)}</Notice>
        ) : (
          <div>{stateText}</div>
        )}
        {state === 'imported' && message !== '' && <Notice intent="error">{texts.notWithdrawn(message)}</Notice>}
        {report !== null && !isWorkedOn(file) && (
          <ReportOfFile report={report} isDone={state === 'imported' || state === 'withdrawn'} />
        )}
      </StatusRegion>
      {isWorkedOn(file) && (
        <Button className="submit" disabledFocusable={cancelling} onClick={onCancel}>
          {messages.cancel}
        </Button>
      )}
      {!isWorkedOn(file) && (
        <div className="side">
          {canImport && (
            <WorkButton appearance="primary" aria-label={messages.named(texts.import, name)} onClick={onImport}>
              {texts.import}
            </WorkButton>
          )}
          {onWithdraw !== undefined && (
            <WorkButton aria-label={messages.named(texts.withdraw, name)} onClick={onWithdraw}>
              {texts.withdraw}
            </WorkButton>
          )}
          {state !== 'imported' && state !== 'withdrawn' && (
            <WorkButton aria-label={messages.named(texts.erase, name)} onClick={onErase}>
              {texts.erase}
            </WorkButton>
          )}
        </div>
      )}
    </li>
  );
}
