import { Button } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import { defaultRetry } from '../../excel/batch.ts';
import type { Written } from '../../excel/tables/table.ts';
import { removeUnfinished, type Unfinished, unfinishedInWorkbook } from '../../excel/tables/unfinished.ts';
import type { WaitReason } from '../../excel/workbookProblem.ts';
import { administrationOf } from '../connections.ts';
import { explainError } from '../explainError.ts';
import { formatMoment } from '../locales/language.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { canFinish, finishPull } from '../pull/finishPull.ts';
import { refreshContext } from '../pull/refreshContext.ts';
import { useJob } from '../useJob.ts';
import { Notice } from './Notice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles } from './ViewFrame.tsx';

/** Pulls that a closed or replaced pane broke off, as the pane finds them when it is opened: to finish or to remove. */
export function UnfinishedWork({ connection, client }: Pick<Connected, 'connection' | 'client'>) {
  const styles = useFormStyles();
  const { messages, language, busy } = usePane();
  const texts = messages.unfinished;
  const [found, setFound] = useState<readonly Unfinished[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const { job, start, cancel } = useJob<number, Written[]>();

  const [waiting, setWaiting] = useState<WaitReason>();
  const stop = useRef<AbortController>(undefined);

  /** Reads the marks; while Excel is busy elsewhere it waits, until the person cancels. */
  const look = useCallback(async () => {
    stop.current?.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    await unfinishedInWorkbook({ ...defaultRetry, signal, onWaiting: setWaiting }).then(setFound, (error: unknown) => {
      if (!signal.aborted) setFailure(error);
    });
  }, []);
  useEffect(() => {
    void look();
    return () => stop.current?.abort();
  }, [look]);

  const finish = async (one: Unfinished) => {
    await start((tools) => finishPull(refreshContext(connection, client, messages, tools), one, found));
    await look();
  };
  const remove = async (one: Unfinished) => {
    await start(async ({ retry }) => {
      await removeUnfinished(one, retry);
      return [];
    });
    await look();
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
      {failure !== undefined && <Notice intent="error">{explainError(failure, messages)}</Notice>}
      {found.map((one) => (
        <Notice key={one.sheetId} intent="warning">
          {(one.work === 'new' ? texts.half : texts.mixed)(
            one.sheetName,
            formatMoment(language, new Date(one.startedAt)),
          )}
          <div className={styles.side}>
            {canFinish(one, { administration: administrationOf(connection) }) && (
              <Button size="small" disabledFocusable={busy} onClick={() => finish(one)}>
                {texts.finish(one.sheetName)}
              </Button>
            )}
            <Button size="small" disabledFocusable={busy} onClick={() => remove(one)}>
              {(one.work === 'new' ? texts.remove : texts.leave)(one.sheetName)}
            </Button>
          </div>
        </Notice>
      ))}
      <PullStatus job={job} onCancel={cancel} />
    </>
  );
}
