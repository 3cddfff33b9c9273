import { Button } from '@fluentui/react-button';
import { Text } from '@fluentui/react-text';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Service } from '../../../../shared/client/client.ts';
import { createExportClient } from '../../../../shared/client/exportClient.ts';
import { createPushClient } from '../../../../shared/client/pushClient.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import type { RelationExport } from '../../../../shared/resources/relationExport.ts';
import { isSameAdministration } from '../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../connections/AdministrationMark.tsx';
import { serviceOf } from '../../fetchWithRetry.ts';
import { formatMoment } from '../../locales/language.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import { pullPushedRows } from '../../pull/pullPushedRows.ts';
import { type RecordedPull, readPulls } from '../../pull/pullRecord.ts';
import { usePull } from '../../pull/usePull.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { PullStatus } from '../PullStatus.tsx';
import { usePushSheets } from '../pushSheet/usePushSheets.ts';
import { Section } from '../Section.tsx';
import { Status } from '../Status.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { PushEntry } from './PushEntry.tsx';

/** What is shown of each list at first, and what is added each time. */
const SHOWN = 10;

/** What was pushed, exported and pulled: what the service records of the administration, and what the workbook does. */
export function ActivityView({ connection }: Connected) {
  const { messages, language, reading, go, busy } = usePane();
  const texts = messages.activity;
  const { apiKey, username, identity } = connection;
  const service = useMemo(() => serviceOf({ apiKey, username }), [apiKey, username]);
  const client = useMemo(() => createPushClient(service), [service]);
  const { list, isMore, failure, readAgain, readMore } = usePushes(client);
  const [shown, setShown] = useState(SHOWN);
  const administration = useAdministration(connection);
  const { sheetOfPush } = usePushSheets(administration);
  const exports = useExports(service);
  const [pulls, setPulls] = useState<readonly RecordedPull[]>();
  const [recordFailure, setRecordFailure] = useState<unknown>();
  const { job, start, cancel } = usePull(connection);

  const readRecord = useCallback(() => {
    setRecordFailure(undefined);
    return readPulls(reading).then(setPulls, setRecordFailure);
  }, [reading]);
  useEffect(() => void readRecord(), [readRecord]);

  const insert = (push: Push) =>
    start((context) => pullPushedRows(context, client, push, language), { after: readRecord });
  const showOlder = async () => {
    if (shown + SHOWN > (list?.length ?? 0) && isMore) await readMore();
    setShown(shown + SHOWN);
  };
  const isBuiltin = identity.kind === 'builtin';
  return (
    <ViewFrame title={texts.title}>
      <PullStatus job={job} onCancel={cancel} />
      <Section title={texts.service}>
        <Text size={200} className="muted">
          {isBuiltin ? texts.seenByKeys : texts.seenByKey}
        </Text>
        <ErrorNotice error={failure} onRetry={readAgain} />
        {list === undefined && failure === undefined && <Status>{texts.looking}</Status>}
        {list?.length === 0 && (
          <>
            <Text>{texts.noPushes}</Text>
            <Button className="submit" disabledFocusable={busy} onClick={() => go('products')}>
              {messages.push.make}
            </Button>
          </>
        )}
        <ul className="list" aria-label={texts.pushes}>
          {list?.slice(0, shown).map((push) => (
            <PushEntry key={push.id} push={push} client={client}>
              {(moment) => (
                <>
                  {sheetOfPush.has(push.id) && <Text size={200}>{texts.ofSheet(sheetOfPush.get(push.id)!)}</Text>}
                  <WorkButton size="small" aria-label={texts.insertNamed(moment)} onClick={() => void insert(push)}>
                    {texts.insert}
                  </WorkButton>
                </>
              )}
            </PushEntry>
          ))}
        </ul>
        {list !== undefined && (list.length > shown || isMore) && (
          <Button className="submit" size="small" onClick={() => void showOlder()}>
            {texts.older}
          </Button>
        )}
        <ErrorNotice error={exports.failure} onRetry={exports.readAgain} />
        <Exports exports={exports.list} />
      </Section>
      <Section title={texts.workbook}>
        <Text size={200} className="muted">
          {texts.seenInFile}
        </Text>
        <ErrorNotice error={recordFailure} onRetry={() => void readRecord()} />
        {pulls?.length === 0 && (
          <>
            <Text>{texts.noPulls}</Text>
            <Button className="submit" disabledFocusable={busy} onClick={() => go('home')}>
              {messages.home.pull}
            </Button>
          </>
        )}
        <Pulls pulls={pulls ?? []} isOwn={(one) => isSameAdministration(one.administration, administration)} />
      </Section>
    </ViewFrame>
  );
}

/** The pushes of the administration, the latest first; each further page on request. */
function usePushes(client: ReturnType<typeof createPushClient>) {
  const [state, setState] = useState<{ list?: readonly Push[]; cursor: string; isMore: boolean; failure?: unknown }>({
    cursor: '',
    isMore: false,
  });
  const read = useCallback(
    async (after: string, earlier: readonly Push[], signal?: AbortSignal) => {
      try {
        const { pushes, cursor, more } = await client.page(after, signal);
        setState({ list: [...earlier, ...pushes], cursor, isMore: more === true });
      } catch (failure) {
        if (!signal?.aborted) setState((now) => ({ ...now, failure }));
      }
    },
    [client],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void read('', [], leaving.signal);
    return () => leaving.abort();
  }, [read]);
  const readMore = () => read(state.cursor, state.list ?? []);
  return { list: undefined, failure: undefined, ...state, readMore, readAgain: () => void readMore() };
}

/** The exports of the administration; none where the service makes none. */
function useExports(service: Service) {
  const [state, setState] = useState<{ list: readonly RelationExport[]; failure?: unknown }>({ list: [] });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    const leaving = new AbortController();
    createExportClient(service)
      .list(leaving.signal)
      .then(
        (list) => setState({ list }),
        (failure: unknown) => {
          const hasNone = failure instanceof Problem && ['NOT_IMPLEMENTED', 'NOT_FOUND'].includes(failure.code);
          if (!leaving.signal.aborted && !hasNone) setState({ list: [], failure });
        },
      );
    return () => leaving.abort();
  }, [service, attempt]);
  return { failure: undefined, ...state, readAgain: () => setAttempt(attempt + 1) };
}

/** The latest exports of relations. */
function Exports({ exports }: { exports: readonly RelationExport[] }) {
  const { messages, language, go, busy } = usePane();
  const texts = messages.exports;
  if (exports.length === 0) return null;
  const momentOf = ({ startedOn, date }: RelationExport) =>
    startedOn === null ? date : formatMoment(language, new Date(Number(startedOn) * 1000));
  const stateText = ({ state, relations, message }: RelationExport) => {
    if (state === 'failed') return message === '' ? texts.failed : texts.because(message);
    return state === 'running' ? texts.running : messages.labelled(texts.published, texts.relations(relations ?? 0));
  };
  return (
    <>
      <Text weight="semibold">{texts.title}</Text>
      <ul className="bullets">
        {exports.slice(0, SHOWN).map((one) => (
          <li key={`${one.date} ${one.startedOn}`}>{messages.labelled(momentOf(one), stateText(one))}</li>
        ))}
      </ul>
      <Button className="submit" size="small" disabledFocusable={busy} onClick={() => go('exports')}>
        {messages.activity.allExports}
      </Button>
    </>
  );
}

/** The pulls that the workbook remembers. @param isOwn whether one is of the administration of the pane */
function Pulls({ pulls, isOwn }: { pulls: readonly RecordedPull[]; isOwn: (one: RecordedPull) => boolean }) {
  const { messages, language } = usePane();
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <ul className="list">
        {pulls.slice(0, shown).map((one) => (
          <li key={`${one.at} ${one.sheetName}`} className="section">
            <Text>{messages.activity.pull(formatMoment(language, new Date(one.at)), one.sheetName)}</Text>
            <Text size={200} className="muted">
              {one.work === 'made' ? messages.activity.made(one.rows) : messages.activity.refreshed(one)}
            </Text>
            {!isOwn(one) && (
              <div>
                <AdministrationMark administration={one.administration} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {pulls.length > shown && (
        <Button className="submit" size="small" onClick={() => setShown(shown + SHOWN)}>
          {messages.activity.older}
        </Button>
      )}
    </>
  );
}
