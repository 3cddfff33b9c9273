import { Badge, Button, Text } from '@fluentui/react-components';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import type { RelationExport } from '../../../shared/resources/relationExport.ts';
import type { Written } from '../../excel/tables/table.ts';
import { explainError } from '../explainError.ts';
import { fetchOnce, fetchWithRetry, serviceOf } from '../fetchWithRetry.ts';
import { formatMoment } from '../locales/language.ts';
import type { Language } from '../locales/messages.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { pullRelations } from '../pull/pulls.ts';
import { refreshContext } from '../pull/refreshContext.ts';
import { type SavedWorkbook, saveWorkbook } from '../pull/saveWorkbook.ts';
import { useJob } from '../useJob.ts';
import { JobStatus } from './JobStatus.tsx';
import { Notice } from './Notice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';

type Looked = { exports: RelationExport[] } | { failure: unknown };

/** The exports of the relations: to bring in as a table, or to download as a workbook. */
export function ExportsView({ connection, client }: Connected) {
  const styles = useFormStyles();
  const { language, messages, busy } = usePane();
  const texts = messages.exports;
  const service = useMemo(() => serviceOf(connection, fetchWithRetry(fetchOnce)), [connection]);
  const exports = useMemo(() => createExportClient(service), [service]);
  const [looked, setLooked] = useState<Looked>();
  const pulling = useJob<number, Written[]>();
  const saving = useJob<never, SavedWorkbook>();

  const look = useCallback(
    async (signal?: AbortSignal) => {
      setLooked(undefined);
      const found = await exports.list(signal).then(
        (list) => ({ exports: list }),
        (failure: unknown) => ({ failure }),
      );
      if (!signal?.aborted) setLooked(found);
    },
    [exports],
  );
  useEffect(() => {
    const leaving = new AbortController();
    look(leaving.signal);
    return () => leaving.abort();
  }, [look]);

  const list = looked !== undefined && 'exports' in looked ? looked.exports : [];
  const latest = list.find(({ state }) => state === 'published');

  const insert = ({ date }: RelationExport) => {
    saving.reset();
    pulling.start((tools) =>
      pullRelations(
        refreshContext(connection, client, messages, tools),
        // The table of the latest moves on when it is refreshed; that of an older one stays what it was.
        date === latest?.date ? {} : { date },
      ),
    );
  };
  const save = (one: RelationExport) => {
    pulling.reset();
    saving.start(({ signal }) => saveWorkbook(service, one, signal));
  };

  return (
    <ViewFrame title={texts.title}>
      <Text className={styles.muted}>{texts.explanation}</Text>
      <PullStatus job={pulling.job} onCancel={pulling.cancel} />
      <JobStatus
        job={saving.job}
        onCancel={saving.cancel}
        running={() => texts.downloading}
        cancelled={texts.notDownloaded}
        done={({ fileName, where }) => (
          <Notice intent="success">
            {where === 'downloads' ? texts.downloaded(fileName) : texts.opened(fileName)}
          </Notice>
        )}
      />
      {looked === undefined && <div role="status">{texts.looking}</div>}
      {looked !== undefined && 'failure' in looked && (
        <Notice intent="error">{explainError(looked.failure, messages)}</Notice>
      )}
      {looked !== undefined && 'exports' in looked && list.length === 0 && <Notice intent="info">{texts.none}</Notice>}
      <ul className={styles.list}>
        {list.map((one) => {
          const moment = momentOf(one, language);
          return (
            <li key={`${one.date} ${one.startedOn}`} className={styles.card}>
              <div className={styles.side}>
                <Text weight="semibold">{moment}</Text>
                {one === latest && <Badge appearance="tint">{texts.latest}</Badge>}
              </div>
              <State one={one} />
              {one.state === 'published' && (
                <div className={styles.side}>
                  <Button
                    appearance={one === latest ? 'primary' : 'secondary'}
                    disabledFocusable={busy}
                    aria-label={texts.insertNamed(moment)}
                    onClick={() => insert(one)}
                  >
                    {texts.insert}
                  </Button>
                  <Button disabledFocusable={busy} aria-label={texts.downloadNamed(moment)} onClick={() => save(one)}>
                    {texts.download}
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {looked !== undefined && (
        <Button className={styles.submit} disabledFocusable={busy} onClick={() => look()}>
          {texts.again}
        </Button>
      )}
    </ViewFrame>
  );
}

const momentOf = ({ startedOn, date }: RelationExport, language: Language): string =>
  startedOn === null ? date : formatMoment(language, new Date(Number(startedOn) * 1000));

/** Where an export is, in words, and what it found. */
function State({ one }: { one: RelationExport }) {
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.exports;
  const relations = one.relations ?? 0;
  switch (one.state) {
    case 'published':
      return (
        <>
          <Text>
            {texts.published}: {texts.relations(relations)}
          </Text>
          <Text size={200} className={styles.muted}>
            {texts.counts(one.added ?? 0, one.changed ?? 0, one.vanished ?? 0)}
          </Text>
        </>
      );
    case 'failed':
      return <Text>{one.message === '' ? texts.failed : texts.because(one.message)}</Text>;
    default:
      return (
        <Text>
          {texts.running}: {texts.soFar(relations)}
        </Text>
      );
  }
}
