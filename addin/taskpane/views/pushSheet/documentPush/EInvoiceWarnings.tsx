import { Text } from '@fluentui/react-text';
import { useEffect, useState } from 'react';
import { checkEInvoices } from '../../../../../shared/client/documentClient.ts';
import { type FieldError, type Found, found, refused } from '../../../../../shared/fieldErrors.ts';
import type { Connection } from '../../../connections/connections.ts';
import type { CheckedRequest } from '../../../documentSheet/checkRequests.ts';
import { explainField } from '../../../explainFields.ts';
import { fetchOnce, serviceOf } from '../../../fetchWithRetry.ts';
import { usePane } from '../../../paneContext.ts';
import { ErrorNotice } from '../../ErrorNotice.tsx';
import { Notice } from '../../Notice.tsx';

/** The most invoices that are looked at. */
const MAX_LOOKED_AT = 500;
/** The most invoices that are named with a reason. */
const MAX_NAMED = 10;

type Props = { rows: readonly CheckedRequest[]; connection: Pick<Connection, 'apiKey' | 'username'> };

/** Leaves out what does not matter for it, and may be long. */
const withoutTexts = (name: string, value: unknown): unknown =>
  ['Invoice_Attachment', 'InvoiceNotes', 'PackingSlipNotes', 'Description'].includes(name) ? undefined : value;

/** An invoice, and why it could not become an e-invoice. */
type Finding = { name: string; errors: readonly FieldError[] };

/** What rows of a sheet lack for their invoices to become e-invoices; they can be made all the same. */
export function EInvoiceWarnings({ rows, connection: { apiKey, username } }: Props) {
  const { messages } = usePane();
  const texts = messages.documentPush;
  const [looked, setLooked] = useState<Found<readonly Finding[], unknown>>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    const leaving = new AbortController();
    const chosen = rows.filter(({ kind }) => kind === 'ready').slice(0, MAX_LOOKED_AT);
    const requests = chosen.map(({ request }) => JSON.parse(JSON.stringify(request, withoutTexts)) as object);
    checkEInvoices(serviceOf({ apiKey, username }, fetchOnce), requests, leaving.signal)
      .then((all) => setLooked(found(chosen.map(({ key }, at) => ({ name: key, errors: all[at] ?? [] })))))
      .catch((failure) => leaving.signal.aborted || setLooked(refused(failure)));
    return () => leaving.abort();
  }, [rows, apiKey, username, attempt]);
  if (looked === undefined) return null;
  if (looked.kind === 'refused') return <ErrorNotice error={looked.reason} onRetry={() => setAttempt(attempt + 1)} />;
  const lacking = looked.value.filter(({ errors }) => errors.length > 0);
  const named = new Map<string, string[]>();
  for (const { name, errors } of lacking) {
    for (const error of errors) {
      const reason = explainField(error, messages);
      named.set(reason, [...(named.get(reason) ?? []), name]);
    }
  }
  const ready = rows.filter(({ kind }) => kind === 'ready').length;
  return (
    <>
      {lacking.length > 0 && (
        <Notice intent="info">
          <strong>{texts.noEInvoice(lacking.length)}</strong>
          <ul className="bullets">
            {[...named].map(([reason, names]) => (
              <li key={reason}>{texts.lacksForEInvoice(reason, names.slice(0, MAX_NAMED), names.length)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {ready > MAX_LOOKED_AT && <Text>{texts.eInvoicesLookedAt(MAX_LOOKED_AT)}</Text>}
    </>
  );
}
