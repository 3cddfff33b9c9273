import { type Connected, usePane } from '../../paneContext.ts';
import { trialBalance } from '../../pulledLists/trialBalance.ts';
import { BehindBalances } from './BehindBalances.tsx';
import { ListView } from './ListView.tsx';

/** Pulls a trial balance, and the entries behind the selected accounts of one. */
export function TrialBalanceView({ connection }: Connected) {
  const { messages } = usePane();
  return (
    <ListView connection={connection} list={trialBalance}>
      <BehindBalances connection={connection} hint={messages.ledger.hint} />
    </ListView>
  );
}
