import { createClient } from '../../../shared/client/client.ts';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { createVatClient } from '../../../shared/client/vatClient.ts';
import type { Written } from '../../excel/tables/table.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { administrationOf, type Connection } from '../connections/connections.ts';
import { othersIn } from '../connections/useMixedQuestion.tsx';
import { serviceOf } from '../fetchWithRetry.ts';
import { ofFormulas } from '../ledgerFormulas/registerFormulas.ts';
import { usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import { readMarksChanges } from './marksChanges.ts';
import { recordPulls } from './pullRecord.ts';
import type { PullProgress, RefreshContext } from './pulls.ts';
import type { RefreshedAll } from './refreshAll.ts';

type PullTools<Progress> = Omit<RefreshContext, 'onFetched'> & { onFetched: (progress: Progress) => void };

/** A pull as a job of the pane. */
export function usePull<Result = Written[], Progress = PullProgress>(connection: Connection) {
  const { messages, askMixed } = usePane();
  const { start, cancel, ...rest } = useJob<Progress, Result>();
  return {
    ...rest,
    cancel,
    /**
     * @param isAsked whether the pull may make a sheet that the user did not ask for before
     * @param after called whenever it has ended
     */
    start: (
      work: (context: PullTools<Progress>) => Promise<Result>,
      { isAsked = true, after }: { isAsked?: boolean; after?: () => unknown } = {},
    ) =>
      start(async ({ report, retry, send }) => {
        const others = isAsked
          ? othersIn(await tablesInWorkbook(retry), ofFormulas.known(), administrationOf(connection))
          : [];
        if (others.length > 0 && !(await askMixed(others, administrationOf(connection)))) cancel();
        retry.signal?.throwIfAborted();
        const service = serviceOf(connection, send);
        const result = await work({
          client: createClient(service.base, service.credential, service.fetch),
          ledger: createLedgerClient(service),
          vat: createVatClient(service),
          exports: createExportClient(service),
          messages,
          administration: administrationOf(connection),
          onFetched: report,
          retry,
          marksChanges: await readMarksChanges(retry),
        });
        // The sheets have been written: a record that fails does not change that.
        await recordPulls(writtenIn(result), administrationOf(connection), retry).catch(() => {});
        return result;
      }, after),
  };
}

/** What work wrote: a pull, or a refresh of several sheets; other work pulls nothing. */
function writtenIn(result: unknown): readonly Written[] {
  if (Array.isArray(result)) return result;
  return (Object(result) as Partial<RefreshedAll>).refreshed ?? [];
}
