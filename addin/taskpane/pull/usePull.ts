import { createClient } from '../../../shared/client/client.ts';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import type { Written } from '../../excel/tables/table.ts';
import { administrationOf, type Connection } from '../connections.ts';
import { fetchOnce, fetchWithRetry, serviceOf } from '../fetchWithRetry.ts';
import { usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import type { PullProgress, RefreshContext } from './pulls.ts';

/** A pull as a job of the pane. */
export function usePull(connection: Connection) {
  const { messages } = usePane();
  const { start, ...rest } = useJob<PullProgress, Written[]>();
  return {
    ...rest,
    start: (work: (context: RefreshContext) => Promise<Written[]>) =>
      start(({ report, retry, onWaiting }) => {
        const service = serviceOf(connection, fetchWithRetry(fetchOnce, { onWaiting }));
        return work({
          client: createClient(service.base, service.credential, service.fetch),
          exports: createExportClient(service),
          messages,
          administration: administrationOf(connection),
          onFetched: report,
          retry,
        });
      }),
  };
}
