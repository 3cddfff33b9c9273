import { Button } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import { defaultRetry } from '../../excel/batch.ts';
import { removeUnfinished, type Unfinished, unfinishedInWorkbook } from '../../excel/tables/unfinished.ts';
import type { WaitReason } from '../../excel/workbookProblem.ts';
import { administrationOf } from '../connections.ts';
import { formatMoment } from '../locales/language.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { canFinish, finishPull } from '../pull/finishPull.ts';
import { usePull } from '../pull/usePull.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from './Notice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

/** Pulls that a closed or replaced pane interrupted, found when the pane is opened: each can be finished or removed. */
export function UnfinishedWork({ connection }: Pick<Connected, 'connection'>) {
  const styles = useFormStyles();
  const { messages, language } = usePane();
  const texts = messages.unfinished;
  const [found, setFound] = useState<readonly Unfinished[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const { job, start, cancel } = usePull(connection);
  const [waiting, setWaiting] = useState<WaitReason>();
  const stop = useRef<AbortController>(undefined);

  /** Reads the marks; while Excel is busy it waits, until the user cancels. */
  const read = useCallback(async () => {
    stop.current?.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    await unfinishedInWorkbook({ ...defaultRetry, signal, onWaiting: setWaiting }).then(setFound, (error: unknown) => {
      if (!signal.aborted) setFailure(error);
    });
  }, []);
  useEffect(() => {
    void read();
    return () => stop.current?.abort();
  }, [read]);

  const finish = async (one: Unfinished) => {
    await start((context) => finishPull(context, one, found));
    await read();
  };
  const remove = async (one: Unfinished) => {
    await start(async ({ retry }) => {
      await removeUnfinished(one, retry);
      return [];
    });
    await read();
  };

  return (
    <>
      {waiting !== undefined && (
        <Notice intent="info">
          {messages.waitingFor[waiting]}
          <div>
            <Button size="small" onClick={() => stop.current?.abort()}>
              {messages.cancel}
            </Button>
          </div>
        </Notice>
      )}
      <ErrorNotice error={failure} />
      {found.map((one) => (
        <Notice key={one.sheetId} intent="warning">
          {texts[one.work](one.sheetName, formatMoment(language, new Date(one.startedAt)))}
          <div className={styles.side}>
            {canFinish(one, { administration: administrationOf(connection) }) && (
              <WorkButton size="small" onClick={() => finish(one)}>
                {texts.finish(one.sheetName)}
              </WorkButton>
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
