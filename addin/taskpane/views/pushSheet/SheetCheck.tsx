import { Button, Field, Radio, RadioGroup, Text } from '@fluentui/react-components';
import { usePane } from '../../paneContext.ts';
import { isSendable, type SendableRow } from '../../push/readProductRow.ts';
import { keysOf, type SheetPush } from '../../push/sheetPush.ts';
import type { StockMode } from '../../sheetColumns/productTable.ts';
import type { JobWait } from '../../useJob.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Notice } from '../Notice.tsx';
import { useFormStyles } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { CheckedRows } from './CheckedRows.tsx';
import type { CheckedSheet, SheetChecking } from './useSheetCheck.ts';

type Props = {
  checking: SheetChecking;
  push: SheetPush | undefined;
  defaultMode: StockMode;
  onDefaultMode: (mode: StockMode) => void;
  connectedTo: string;
  onPush: (isWanted: (row: SendableRow) => boolean) => void;
};

/** The check of a sheet between two pushes: its rows, and the buttons that push them. */
export function SheetCheck(props: Props) {
  const { checking, push, defaultMode, onDefaultMode, onPush } = props;
  const { messages, busy } = usePane();
  const texts = messages.push;
  const { checked, job } = checking;
  const sendable = checked?.rows.filter(isSendable) ?? [];
  const isRetry = isRetryOf(push);
  const retries = sendable.filter(isRetry).length;
  const repeated = sendable.filter(isRepeated).length;
  return (
    <>
      {retries > 0 && <WorkButton onClick={() => onPush(isRetry)}>{texts.retry(retries)}</WorkButton>}
      <Field label={texts.defaultMode}>
        <RadioGroup
          layout="horizontal"
          value={defaultMode}
          aria-disabled={busy}
          onChange={(_, { value }) => !busy && onDefaultMode(value as StockMode)}
        >
          <Radio value="Relative" label={messages.products.relative} />
          <Radio value="Absolute" label={messages.products.absolute} />
        </RadioGroup>
      </Field>
      {repeated > 0 && <WorkButton onClick={() => onPush(isRepeated)}>{texts.repeatAgain(repeated)}</WorkButton>}
      <WorkButton onClick={() => checking.check()}>{texts.check}</WorkButton>
      {job.state === 'running' && <Checking waiting={job.waiting} onCancel={checking.cancel} />}
      {job.state === 'failed' && <ErrorNotice error={job.error} />}
      {checked !== undefined && <Checked {...props} checked={checked} />}
    </>
  );
}

function Checking({ waiting, onCancel }: { waiting: JobWait | undefined; onCancel: () => void }) {
  const styles = useFormStyles();
  const { messages } = usePane();
  return (
    <div className={styles.side}>
      <Text role="status">{waiting === undefined ? messages.push.checking : messages.waitingFor[waiting]}</Text>
      {waiting && <Button onClick={onCancel}>{messages.cancel}</Button>}
    </div>
  );
}

function Checked({ checking, checked, connectedTo, onPush }: Props & { checked: CheckedSheet }) {
  const texts = usePane().messages.push;
  const { below, rows } = checked;
  const ready = rows.filter(isSendable).filter(isReady).length;
  return (
    <>
      {below !== undefined && (
        <Notice intent="warning">
          {texts.below(below.first, below.last)}
          <div>
            <WorkButton size="small" onClick={() => checking.includeRows(checked)}>
              {texts.includeRows(1 + below.last - below.first)}
            </WorkButton>
          </div>
        </Notice>
      )}
      <ErrorNotice error={checking.includeFailure} />
      <CheckedRows
        rows={rows}
        submit={
          ready === 0 ? (
            <Text>{texts.nothing}</Text>
          ) : (
            <WorkButton appearance="primary" onClick={() => onPush(isReady)}>
              {texts.submit(ready, connectedTo)}
            </WorkButton>
          )
        }
      />
    </>
  );
}

const isReady = ({ kind }: SendableRow): boolean => kind === 'ready';
const isRepeated = ({ kind }: SendableRow): boolean => kind === 'repeated';

/** Whether "try again" sends a row: it was refused or unknown in the latest push, or is held back. */
const isRetryOf = (push: SheetPush | undefined): ((row: SendableRow) => boolean) => {
  const keys = push === undefined ? new Set() : keysOf(push, 'refused', 'unknown');
  return ({ kind, key }) => kind === 'held' || (kind === 'ready' && keys.has(key));
};
