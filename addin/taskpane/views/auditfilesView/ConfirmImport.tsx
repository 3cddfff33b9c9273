import { Checkbox } from '@fluentui/react-checkbox';
import { Text } from '@fluentui/react-text';
import { useState } from 'react';
import type { Auditfile, AuditfileChoices } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { usePane } from '../../paneContext.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';

type Props = {
  file: Auditfile;
  /** The name of the administration. */
  into: string;
  onConfirm: (choices: AuditfileChoices) => void;
  onCancel: () => void;
};

/** Asks before an import, and for what it replaces or takes with warnings. */
export function ConfirmImport({ file, into, onConfirm, onCancel }: Props) {
  const texts = usePane().messages.auditfiles;
  const [replace, setReplace] = useState(false);
  const [takeWithWarnings, setTake] = useState(false);
  const { replaces = false, contradictions = 0, entries } = file.report ?? {};
  return (
    <ConfirmDialog
      title={texts.confirmTitle}
      confirm={texts.import}
      disabled={(replaces && !replace) || (contradictions > 0 && !takeWithWarnings)}
      onConfirm={() => onConfirm({ replace, takeWithWarnings })}
      onCancel={onCancel}
    >
      <Text>{texts.confirmText(file.name, into)}</Text>
      {replaces && (
        <Checkbox
          label={texts.replace(entries?.removed ?? 0)}
          checked={replace}
          onChange={(_, { checked }) => setReplace(checked === true)}
        />
      )}
      {contradictions > 0 && (
        <Checkbox
          label={texts.take(contradictions)}
          checked={takeWithWarnings}
          onChange={(_, { checked }) => setTake(checked === true)}
        />
      )}
    </ConfirmDialog>
  );
}
