import { Text } from '@fluentui/react-text';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import { Problem } from '../../../shared/problem.ts';
import type { RelationExport } from '../../../shared/resources/relationExport.ts';
import { serviceOf } from '../fetchWithRetry.ts';
import { formatMoment } from '../locales/language.ts';
import type { Language } from '../locales/words.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { makeExport } from '../pull/makeExport.ts';
import { pullRelations } from '../pull/pulls.ts';
import { type SavedWorkbook, saveWorkbook } from '../pull/saveWorkbook.ts';
import { usePull } from '../pull/usePull.ts';
import { useJob } from '../useJob.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { JobStatus } from './JobStatus.tsx';
import { Notice } from './Notice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { Status } from './Status.tsx';
import { ViewFrame } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

/** The relation exports, of which one can be made now, each to pull as a table or to download as a workbook. */
export function ExportsView({ connection }: Connected) {
  const { language, messages } = usePane();
  const texts = messages.exports;
  const service = useMemo(() => ({ ...serviceOf(connection), language }), [connection, language]);
  const [list, setList] = useState<readonly RelationExport[]>();
  const [failure, setFailure] = useState<unknown>();
  const pulling = usePull(connection);
  const saving = useJob<never, SavedWorkbook>();
  const making = useJob<number, RelationExport>();

  const read = useCallback(
    async (signal?: AbortSignal) => {
      setList(undefined);
      setFailure(undefined);
      await createExportClient(service)
        .list(signal)
        .then(setList, (error: unknown) => {
          if (!signal?.aborted) setFailure(error);
        });
    },
    [service],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void read(leaving.signal);
    return () => leaving.abort();
  }, [read]);

  const isReading = list === undefined && failure === undefined;
  const latest = list?.find(({ state }) => state === 'published');
  const insert = ({ date }: RelationExport) => {
    saving.reset();
    making.reset();
    // A refresh of the latest export's table gets the newest export then; the table of an older one stays as it is.
    pulling.start((context) => pullRelations(context, date === latest?.date ? {} : { date }));
  };
  const make = () => {
    pulling.reset();
    saving.reset();
    const client = createExportClient(service);
    return making.start(
      ({ signal, report }) => makeExport(client, { signal, onProgress: report }),
      () => read(),
    );
  };
  const save = (one: RelationExport) => {
    pulling.reset();
    making.reset();
    saving.start(({ signal }) => saveWorkbook(service, one, signal));
  };

  return (
    <ViewFrame title={texts.title}>
      <Text className="muted">{texts.explanation}</Text>
      <PullStatus job={pulling.job} onCancel={pulling.cancel} />
      <JobStatus
        job={saving.job}
        onCancel={saving.cancel}
        running={() => texts.downloading}
        cancelled={texts.notDownloaded}
        done={({ fileName, where }) => <Notice intent="success">{messages.documents[where](fileName)}</Notice>}
      />
      <JobStatus
        job={making.job}
        onCancel={making.cancel}
        running={(relations) => (relations === undefined ? texts.requested : texts.making(relations))}
        cancelled={texts.stillMaking}
        done={(made) =>
          made.state === 'published' ? (
            <Notice intent="success">{texts.made(momentOf(made, language), made.relations ?? 0)}</Notice>
          ) : (
            <Notice intent="error">{texts.because(made.message)}</Notice>
          )
        }
        explain={(error) => (error instanceof Problem && error.code === 'NOT_FOUND' ? texts.notExported : undefined)}
      />
      {isReading && <Status>{texts.looking}</Status>}
      <ErrorNotice error={failure} onRetry={() => void read()} />
      {list?.length === 0 && <Notice intent="info">{texts.none}</Notice>}
      <ul className="list">
        {list?.map((one) => {
          const moment = momentOf(one, language);
          return (
            <li key={`${one.date} ${one.startedOn}`} className="card">
              <div className="side">
                <Text weight="semibold">{moment}</Text>
                {one === latest && <span className="badge">{texts.latest}</span>}
              </div>
              <State one={one} />
              {one.state === 'published' && (
                <div className="side">
                  <WorkButton
                    appearance={one === latest ? 'primary' : 'secondary'}
                    aria-label={texts.insertNamed(moment)}
                    onClick={() => insert(one)}
                  >
                    {texts.insert}
                  </WorkButton>
                  <WorkButton aria-label={texts.downloadNamed(moment)} onClick={() => save(one)}>
                    {texts.download}
                  </WorkButton>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {list !== undefined && making.job.state !== 'running' && (
        <WorkButton appearance={list.length === 0 ? 'primary' : 'secondary'} onClick={make}>
          {texts.makeNow}
        </WorkButton>
      )}
      {!isReading && list?.length !== 0 && <WorkButton onClick={() => read()}>{texts.again}</WorkButton>}
    </ViewFrame>
  );
}

const momentOf = ({ startedOn, date }: RelationExport, language: Language): string =>
  startedOn === null ? date : formatMoment(language, new Date(Number(startedOn) * 1000));

/** The state of an export, and its counts. */
function State({ one }: { one: RelationExport }) {
  const { messages } = usePane();
  const texts = messages.exports;
  const relations = one.relations ?? 0;
  switch (one.state) {
    case 'published':
      return (
        <>
          <Text>{messages.labelled(texts.published, texts.relations(relations))}</Text>
          <Text size={200} className="muted">
            {texts.counts(one.added ?? 0, one.changed ?? 0, one.vanished ?? 0)}
          </Text>
        </>
      );
    case 'failed':
      return <Text>{one.message === '' ? texts.failed : texts.because(one.message)}</Text>;
    default:
      return <Text>{messages.labelled(texts.running, texts.soFar(relations))}</Text>;
  }
}
