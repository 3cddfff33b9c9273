import { Text } from '@fluentui/react-text';
import { type Administration, isSameAdministration, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { usePane } from '../paneContext.ts';
import { ConfirmDialog } from '../views/ConfirmDialog.tsx';
import { AdministrationMark } from './AdministrationMark.tsx';
import type { Connection } from './connections.ts';
import { useComparison } from './EvidenceList.tsx';
import { compareCredentials, compareSheets, type Evidence, sourcesOf, verdictOn } from './evidence.ts';

type Props = {
  /** The administration that may be opened by another key now. */
  earlier: Administration;
  /** The connection that it was opened with, if this browser still has it. */
  old: Connection | undefined;
  /** The connection with the new key. */
  made: Connection;
  /** The button that says no. */
  deny: string;
  onConfirm: () => void;
  onDeny: () => void;
};

/**
 * Asks whether a key of a remote administration replaced an earlier one. A service does not tell whose its books are, so
 * the lists that the two keys read are compared; when the earlier key is gone, the rows of its sheets with the lists.
 */
export function ReplacedKey({ earlier, old, made, deny, onConfirm, onDeny }: Props) {
  const { messages } = usePane();
  const texts = messages.sameAdministration;
  const { evidence, shown } = useComparison((signal) => compareWithEarlier(earlier, old, made, signal));
  const isShown = evidence !== undefined && !['none', 'contradicted'].includes(verdictOn(evidence));
  return (
    <ConfirmDialog
      title={texts.replacedTitle}
      confirm={texts.replacedYes}
      deny={deny}
      disabled={!isShown}
      onConfirm={onConfirm}
      onCancel={onDeny}
    >
      <Text>{texts.replacedQuestion}</Text>
      <div>
        <AdministrationMark administration={earlier} />
      </div>
      {shown}
    </ConfirmDialog>
  );
}

async function compareWithEarlier(
  earlier: Administration,
  old: Connection | undefined,
  made: Connection,
  signal: AbortSignal,
): Promise<Evidence[]> {
  const present = sourcesOf(made);
  const byCredentials =
    old === undefined ? undefined : await compareCredentials(sourcesOf(old), present, signal).catch(() => undefined);
  if (byCredentials !== undefined) return byCredentials;
  const tables = await tablesInWorkbook();
  const ofEarlier = tables.filter(({ memory }) => isSameAdministration(memory.administration, earlier));
  return compareSheets(ofEarlier, present);
}
