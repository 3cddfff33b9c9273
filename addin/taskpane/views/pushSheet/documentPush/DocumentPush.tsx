import { Text } from '@fluentui/react-text';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { pushRulesOf } from '../../../../../shared/api.ts';
import { createClient, type Service } from '../../../../../shared/client/client.ts';
import { createLedgerClient } from '../../../../../shared/client/ledgerClient.ts';
import { wordsFor } from '../../../connections/connections.ts';
import {
  type CheckedRequest,
  checkRequests,
  isSendable,
  type SendableRequest,
  selectRequests,
} from '../../../documentSheet/checkRequests.ts';
import { entryErrors } from '../../../documentSheet/entryEffects.ts';
import type { Reading } from '../../../documentSheet/readRequests.ts';
import { ratesOf } from '../../../documentSheet/requestTotals.ts';
import { explainError } from '../../../explainError.ts';
import { serviceOf } from '../../../fetchWithRetry.ts';
import { usePane } from '../../../paneContext.ts';
import { countOf } from '../../../push/sheetPush.ts';
import type { RequestSheet } from '../../../sheetColumns/requestColumns.ts';
import { sheetKindOf } from '../../../sheetKinds.ts';
import { useJob } from '../../../useJob.ts';
import { ErrorNotice } from '../../ErrorNotice.tsx';
import { ShortStatus } from '../../JobStatus.tsx';
import { Notice } from '../../Notice.tsx';
import { WorkButton } from '../../WorkButton.tsx';
import { CheckStatus } from '../CheckStatus.tsx';
import type { PanelProps } from '../panelProps.ts';
import { type CheckRows, useSheetCheck } from '../useSheetCheck.ts';
import { CheckedRequests } from './CheckedRequests.tsx';
import { type Choice, ConfirmRequests } from './ConfirmRequests.tsx';
import { EInvoiceWarnings } from './EInvoiceWarnings.tsx';
import { EntryEffects } from './EntryEffects.tsx';

/** The rows that the user is asked about. */
type Question = { rows: readonly CheckedRequest[]; chosen: readonly SendableRequest[] };

/** Checks a sheet with documents or new products, shows what will be made, and begins its push. */
export function DocumentPush({ sheet, ...props }: PanelProps & { sheet: RequestSheet }) {
  const { handle, administration, connection, pushing, isPaused, canPush, pushes, onPushed } = props;
  const { messages } = usePane();
  const texts = messages.documentPush;
  const push = pushing.shown?.push;
  const rates = useTaxRates(sheet, connection);
  const { taxRates } = rates;
  const isEntries = sheet.endpoint === 'addjournalentry';
  // A remote service makes its own e-invoices, by rules that are not known here.
  const makesInvoices = sheet.endpoint === 'addsalesinvoice' && connection.identity.kind === 'builtin';
  const { apiKey, username } = connection;
  const service = useMemo(() => serviceOf({ apiKey, username }), [apiKey, username]);
  const errorsOf = useRef<Reading['errorsOf']>(undefined);
  const [notRead, setNotRead] = useState<unknown>();
  const [checks, setChecks] = useState(0);
  const checkRows = useCallback<CheckRows<CheckedRequest[]>>(
    async (handle, push, retry, moment) => {
      if (isEntries && moment !== 'typing') {
        const read = await readEntryErrors(service, retry.signal);
        errorsOf.current = read.errorsOf;
        setNotRead(read.failure);
        setChecks((before) => before + 1);
      }
      const context = { handle, kind: sheetKindOf(handle), messages, retry };
      return checkRequests(
        context,
        { sheet, taxRates, errorsOf: errorsOf.current },
        push,
        administration,
        moment === 'typing',
      );
    },
    [messages, sheet, taxRates, administration, service, isEntries],
  );
  const checking = useSheetCheck(handle, isPaused, push, checkRows, isEntries);
  const [question, setQuestion] = useState<Question>();
  const looking = useJob<never, number>();

  /** Checks the sheet again, since it may have changed, and asks about its requests. */
  const checkAndAsk = async (isWanted: (row: SendableRequest) => boolean) => {
    const rows = (await checking.check(pushing.review))?.rows ?? [];
    const chosen = rows.filter(isSendable).filter(isWanted);
    if (chosen.length > 0) setQuestion({ rows, chosen });
  };
  const begin = async ({ rows, choices }: Choice) => {
    setQuestion(undefined);
    if (question === undefined) return;
    const context = { handle, kind: sheetKindOf(handle), messages };
    if (await pushing.begin(selectRequests(question.rows, rows, sheet, context), choices)) onPushed();
  };
  const lookAgain = () =>
    looking.start(async ({ signal }) => {
      if (push === undefined) return 0;
      await pushes.lookAgain(push.id, signal);
      const reviewed = await pushing.review(signal);
      return countOf(push, 'unknown') - (reviewed === undefined ? 0 : countOf(reviewed, 'unknown'));
    });
  if (!canPush) return null;
  const rows = checking.checked?.rows ?? [];
  const ofKind = (kind: CheckedRequest['kind']) => rows.filter((row) => row.kind === kind);
  const [held, repeated] = [ofKind('held').length, ofKind('repeated').length];
  const ready = ofKind('ready').length;
  const mayBeFound = push !== undefined && push.id !== '' && countOf(push, 'unknown') > 0;
  return (
    <>
      <CheckStatus checking={checking} />
      <ErrorNotice
        error={isEntries ? notRead : rates.failure}
        explain={(error) => texts.notRead(explainError(error, messages))}
        onRetry={isEntries ? () => void checking.check() : rates.readAgain}
      />
      {held > 0 && (
        <Notice intent="warning">
          {texts.held(held)}
          {mayBeFound && (
            <div>
              <WorkButton size="small" onClick={lookAgain}>
                {texts.lookAgain}
              </WorkButton>
            </div>
          )}
          <div>
            <WorkButton size="small" onClick={() => checkAndAsk(({ kind }) => kind === 'held')}>
              {texts.sendHeld(held)}
            </WorkButton>
          </div>
        </Notice>
      )}
      <ShortStatus job={looking.job} running={texts.lookingAgain} onCancel={looking.cancel} />
      {looking.job.state === 'done' && <Notice intent="info">{texts.lookedAgain(looking.job.result)}</Notice>}
      {looking.job.state === 'failed' && <ErrorNotice error={looking.job.error} onRetry={lookAgain} />}
      {repeated > 0 && (
        <Notice intent="warning">
          {texts.repeated(repeated)}
          <div>
            <WorkButton size="small" onClick={() => checkAndAsk(({ kind }) => kind === 'repeated')}>
              {texts.sendRepeated(repeated)}
            </WorkButton>
          </div>
        </Notice>
      )}
      {checking.checked !== undefined && (
        <CheckedRequests
          sheetId={handle.sheetId}
          rows={rows}
          effects={
            <>
              {isEntries && <EntryEffects rows={ofKind('ready')} connection={connection} check={checks} />}
              {makesInvoices && <EInvoiceWarnings rows={rows} connection={connection} />}
            </>
          }
          submit={
            ready === 0 ? (
              <Text>{texts.nothing}</Text>
            ) : (
              <WorkButton appearance="primary" onClick={() => checkAndAsk(({ kind }) => kind === 'ready')}>
                {texts.submit(ready, wordsFor(administration))}
              </WorkButton>
            )
          }
        />
      )}
      {question !== undefined && (
        <ConfirmRequests
          chosen={question.chosen}
          administration={administration}
          isRemote={connection.identity.kind === 'remote'}
          isFirst={!connection.pushedBefore}
          onCancel={() => setQuestion(undefined)}
          onConfirm={begin}
        />
      )}
    </>
  );
}

/** What the books say of entries, or why they could not be read: then the service says it when they are sent. */
async function readEntryErrors(
  service: Service,
  signal: AbortSignal | undefined,
): Promise<{ errorsOf?: Reading['errorsOf']; failure?: unknown }> {
  try {
    return { errorsOf: entryErrors(await createLedgerClient(service).figures({}, signal)) };
  } catch (failure) {
    signal?.throwIfAborted();
    return { failure };
  }
}

const noRates: Parameters<typeof ratesOf>[0] = [];

/** The percentages of the tax codes, for the totals; none until they are read, and where they could not be read. */
function useTaxRates({ endpoint }: RequestSheet, { apiKey, username }: PanelProps['connection']) {
  const [codes, setCodes] = useState(noRates);
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const hasTotals = pushRulesOf(endpoint).sums.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    if (!hasTotals) return;
    const leaving = new AbortController();
    const service = serviceOf({ apiKey, username });
    setFailure(undefined);
    createClient(service.base, service.credential, service.fetch)
      .listtaxcodes({}, leaving.signal)
      .then(setCodes, (error: unknown) => leaving.signal.aborted || setFailure(error));
    return () => leaving.abort();
  }, [apiKey, username, hasTotals, attempt]);
  const taxRates = useMemo(() => ratesOf(codes, endpoint), [codes, endpoint]);
  return { taxRates, failure, readAgain: () => setAttempt(attempt + 1) };
}
