import { Button } from '@fluentui/react-button';
import { useCallback, useEffect, useState } from 'react';
import type { TableHandle } from '../../../excel/tables/tableMemory.ts';
import { loadPart } from '../../loadPart.ts';
import { usePane } from '../../paneContext.ts';
import { canRefresh } from '../../pull/pulls.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Notice } from '../Notice.tsx';

/** Which sheets have a push that is under way or was interrupted, and a button that opens it. */
export function PushesUnderWay({ tables }: { tables: readonly TableHandle[] }) {
  const { messages, go, busy, reading } = usePane();
  const [found, setFound] = useState<readonly TableHandle[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const read = useCallback(async () => {
    setFailure(undefined);
    const filledIn = tables.filter(({ memory }) => !canRefresh(memory));
    if (filledIn.length === 0) return setFound([]);
    try {
      const { unfinishedPushes } = await loadPart(import('../pushSheet/unfinishedPushes.ts'));
      setFound(await unfinishedPushes(filledIn, reading));
    } catch (error) {
      setFailure(error);
    }
  }, [tables, reading]);
  useEffect(() => void read(), [read]);
  return (
    <>
      <ErrorNotice error={failure} onRetry={() => void read()} />
      {found.length > 0 && (
        <Notice intent="warning">
          {messages.home.underWay(found.map(({ sheetName }) => sheetName))}
          <div>
            <Button size="small" disabledFocusable={busy} onClick={() => go('push')}>
              {messages.home.seePush}
            </Button>
          </div>
        </Notice>
      )}
    </>
  );
}
