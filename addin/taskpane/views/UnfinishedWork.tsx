import { useCallback, useEffect, useRef, useState } from 'react';
import { removeUnfinished, type Unfinished, unfinishedInWorkbook } from '../../excel/tables/unfinished.ts';
import { administrationOf } from '../connections/connections.ts';
import { OtherAdministration } from '../connections/OtherAdministration.tsx';
import { formatMoment } from '../locales/language.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { canFinish, finishPull } from '../pull/finishPull.ts';
import { usePull } from '../pull/usePull.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from './Notice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { WorkButton } from './WorkButton.tsx';

type Props = Pick<Connected, 'connection'> & {
  /** Called after a pull was finished or removed. */
  onFinished: () => void;
};

/** Pulls that a closed or replaced pane interrupted, found when the pane is opened: each can be finished or removed. */
export function UnfinishedWork({ connection, onFinished }: Props) {
  const { messages, language, reading } = usePane();
  const texts = messages.unfinished;
  const [found, setFound] = useState<readonly Unfinished[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const { job, start, cancel } = usePull(connection);
  const stop = useRef<AbortController>(undefined);

  const read = useCallback(async () => {
    stop.current?.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    setFailure(undefined);
    await unfinishedInWorkbook({ ...reading, signal }).then(setFound, (error: unknown) => {
      if (!signal.aborted) setFailure(error);
    });
  }, [reading]);
  useEffect(() => {
    void read();
    return () => stop.current?.abort();
  }, [read]);

  const after = async () => {
    await read();
    onFinished();
  };
  const finish = (one: Unfinished) => start((context) => finishPull(context, one, found), { isAsked: false, after });
  const remove = (one: Unfinished) =>
    start(
      async ({ retry }) => {
        await removeUnfinished(one, retry);
        return [];
      },
      { isAsked: false, after },
    );

  return (
    <>
      <ErrorNotice error={failure} onRetry={() => void read()} />
      {found.map((one) => (
        <Notice key={one.sheetId} intent="warning">
          {texts[one.work](one.sheetName, formatMoment(language, new Date(one.startedAt)))}
          <div className="side">
            {canFinish(one, { administration: administrationOf(connection) }) ? (
              <WorkButton size="small" onClick={() => finish(one)}>
                {texts.finish(one.sheetName)}
              </WorkButton>
            ) : (
              <OtherAdministration
                administration={one.source.administration}
                text={messages.otherAdministration.finish}
                sheetName={one.sheetName}
              />
            )}
            <WorkButton size="small" onClick={() => remove(one)}>
              {(one.work === 'new' ? texts.remove : texts.leave)(one.sheetName)}
            </WorkButton>
          </div>
        </Notice>
      ))}
      <PullStatus job={job} onCancel={cancel} />
    </>
  );
}
