import { Text } from '@fluentui/react-text';
import { useEffect, useState } from 'react';
import { createLedgerClient } from '../../../../../shared/client/ledgerClient.ts';
import type { LedgerFigures } from '../../../../../shared/resources/generalLedger/ledgerFigures.ts';
import { dateIn, writeDate } from '../../../../../shared/wire/calendarDate.ts';
import type { Connection } from '../../../connections/connections.ts';
import { type EffectBalances, effectBalances, entryEffects } from '../../../documentSheet/entryEffects.ts';
import type { RowRequest } from '../../../documentSheet/readRequests.ts';
import { fetchOnce, serviceOf } from '../../../fetchWithRetry.ts';
import { formatDecimal } from '../../../locales/language.ts';
import { usePane } from '../../../paneContext.ts';
import { TIME_ZONE } from '../../../pulledLists/list.ts';
import { ErrorNotice } from '../../ErrorNotice.tsx';

/** The most accounts that are shown. */
const MAX_ACCOUNTS = 50;

type Props = {
  rows: readonly Pick<RowRequest, 'request'>[];
  connection: Pick<Connection, 'apiKey' | 'username'>;
  /** Another one for each check that somebody asks for: others may have booked since. */
  check: number;
};

/** The accounts as they are now, with their balances for entries of some days. */
type Accounts = EffectBalances & { kind: 'read'; days: string; accounts: LedgerFigures['accounts'] };

/** What journal entries change on the trial balance, before they are sent. */
export function EntryEffects({ rows, connection: { apiKey, username }, check }: Props) {
  const { messages, language } = usePane();
  const texts = messages.documentPush.effects;
  const requests = rows.map(({ request }) => request);
  const today = dateIn(TIME_ZONE, new Date());
  const days = JSON.stringify([today, ...new Set(requests.map(({ EntryDate = '' }) => EntryDate))].sort());
  const [read, setRead] = useState<Accounts | { kind: 'failed'; failure: unknown }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other days, another attempt and another check ask again.
  useEffect(() => {
    const leaving = new AbortController();
    const ledger = createLedgerClient(serviceOf({ apiKey, username }, fetchOnce));
    Promise.all([effectBalances(ledger, requests, today, leaving.signal), ledger.figures({}, leaving.signal)])
      // The balances have only accounts with an opening or movements.
      .then(([balances, { accounts }]) => setRead({ kind: 'read', days, ...balances, accounts }))
      .catch((failure) => leaving.signal.aborted || setRead({ kind: 'failed', failure }));
    return () => leaving.abort();
  }, [apiKey, username, days, attempt, check]);
  if (rows.length === 0 || read === undefined) return null;
  if (read.kind === 'failed') return <ErrorNotice error={read.failure} onRetry={() => setAttempt(attempt + 1)} />;
  // Those of other days are no balances of these.
  if (read.days !== days) return null;
  const effects = entryEffects(requests, read.balances, read.accounts);
  const { years } = read;
  const title = years === undefined ? texts.title : texts.titleOfYears(writeDate(years.from), writeDate(years.to));
  const amount = (decimal: string) => formatDecimal(language, decimal, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach it to scroll it
    <section className="wide" tabIndex={0} aria-label={title}>
      <table className="effects">
        <caption>{title}</caption>
        <thead>
          <tr>
            {[texts.account, texts.before, texts.change, texts.after].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {effects.slice(0, MAX_ACCOUNTS).map(({ account, name, before, change, after }) => (
            <tr key={account}>
              <th scope="row">{`${account} ${name}`}</th>
              <td>{amount(before)}</td>
              <td>{amount(change)}</td>
              <td>{amount(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {effects.length > MAX_ACCOUNTS && (
        <Text size={200}>{messages.documentPush.more(effects.length - MAX_ACCOUNTS)}</Text>
      )}
    </section>
  );
}
