import { Field } from '@fluentui/react-field';
import { Radio, RadioGroup } from '@fluentui/react-radio';
import { Text } from '@fluentui/react-text';
import { useMemo } from 'react';
import { usePane } from '../../../paneContext.ts';
import { isSendable, type ProductRow, type SendableRow } from '../../../productSheet/readProductRow.ts';
import { keysOf, type SheetPush } from '../../../push/sheetPush.ts';
import type { StockMode } from '../../../sheetColumns/productTable.ts';
import { WorkButton } from '../../WorkButton.tsx';
import { CheckStatus } from '../CheckStatus.tsx';
import type { SheetChecking } from '../useSheetCheck.ts';
import { CheckedRows } from './CheckedRows.tsx';

type Props = {
  checking: SheetChecking<ProductRow[]>;
  push: SheetPush | undefined;
  defaultMode: StockMode;
  onDefaultMode: (mode: StockMode) => void;
  connectedTo: string;
  onPush: (isWanted: (row: SendableRow) => boolean) => void;
};

/** The check of a sheet between two pushes: its rows, and the buttons that push them. */
export function SheetCheck({ checking, push, defaultMode, onDefaultMode, connectedTo, onPush }: Props) {
  const { messages, busy } = usePane();
  const texts = messages.push;
  const { checked } = checking;
  const isRetry = useMemo(() => isRetryOf(push), [push]);
  const [retries, repeated, ready] = useMemo(() => {
    const countOf = (isCounted: (row: SendableRow) => boolean): number => {
      let count = 0;
      for (const row of checked?.rows ?? []) if (isSendable(row) && isCounted(row)) count++;
      return count;
    };
    return [countOf(isRetry), countOf(isRepeated), countOf(isReady)] as const;
  }, [checked, isRetry]);
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
          <Radio value="Relative" label={messages.codes.Relative} />
          <Radio value="Absolute" label={messages.codes.Absolute} />
        </RadioGroup>
      </Field>
      {repeated > 0 && <WorkButton onClick={() => onPush(isRepeated)}>{texts.repeatAgain(repeated)}</WorkButton>}
      <CheckStatus checking={checking} />
      {checked !== undefined && (
        <CheckedRows
          rows={checked.rows}
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
      )}
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
