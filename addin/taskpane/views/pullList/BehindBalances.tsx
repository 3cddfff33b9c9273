import { Text } from '@fluentui/react-components';
import { useMemo } from 'react';
import { textOfCell } from '../../../excel/cell.ts';
import { isSameAdministration } from '../../../excel/tables/tableMemory.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import { pullList } from '../../pull/pulls.ts';
import { usePull } from '../../pull/usePull.ts';
import { accountCard } from '../../pulledLists/accountCard.ts';
import type { Question } from '../../pulledLists/list.ts';
import { TRIAL_BALANCE } from '../../pulledLists/trialBalance.ts';
import { type SelectedNames, useSelectedRows } from '../../useSelectedRows.ts';
import { PullStatus } from '../PullStatus.tsx';
import { Section } from '../Section.tsx';
import { useFormStyles } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';

type Props = Pick<Connected, 'connection'> & {
  /** Shown while no account is selected. */
  hint?: string;
};

/** An account in a trial balance, and the period of that sheet. */
type Selected = { account: string; query: Question };

/** Brings in the entries behind the selected accounts of a trial balance, of its period. */
export function BehindBalances({ connection, hint }: Props) {
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.ledger;
  const selected = useSelectedAccounts(connection);
  const { job, start, cancel } = usePull(connection);
  const [first] = selected;
  if (first === undefined && job.state === 'idle') {
    return hint === undefined ? null : (
      <Text size={200} className={styles.muted}>
        {hint}
      </Text>
    );
  }
  const accounts = selected.map(({ account }) => account).join(', ');
  return (
    <Section card title={accounts === '' ? texts.showEntries : texts.selected(accounts)}>
      {first !== undefined && (
        <WorkButton
          onClick={() => start((context) => pullList(context, accountCard, { ...first.query, Accounts: accounts }))}
        >
          {texts.showEntries}
        </WorkButton>
      )}
      <PullStatus job={job} onCancel={cancel} />
    </Section>
  );
}

function useSelectedAccounts(connection: Connected['connection']): readonly Selected[] {
  const administration = useAdministration(connection);
  const names = useMemo(
    (): SelectedNames => ({
      isWanted: ({ memory }) =>
        memory.view === TRIAL_BALANCE && isSameAdministration(memory.administration, administration),
      keys: ['Number'],
      nameOf: (row, { memory: { query } }) => {
        const account = textOfCell(row.get('Number') ?? '').trim();
        // Results without an account have a dash. The user may have typed other texts there, lists and ranges too.
        return /^[^\s,;|:*–]+$/.test(account) ? JSON.stringify({ account, query } satisfies Selected) : '';
      },
    }),
    [administration],
  );
  const found = useSelectedRows(names);
  return useMemo(() => found.map((text): Selected => JSON.parse(text)), [found]);
}
