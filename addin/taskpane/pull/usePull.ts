import { createClient } from '../../../shared/client/client.ts';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import type { Written } from '../../excel/tables/table.ts';
import { administrationOf, type Connection } from '../connections.ts';
import { serviceOf } from '../fetchWithRetry.ts';
import { usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import type { RefreshContext } from './pulls.ts';

/** A pull as a job of the pane. Its progress is the number of received rows. */
export function usePull(connection: Connection) {
  const { messages } = usePane();
  const { start, ...rest } = useJob<number, Written[]>();
  return {
    ...rest,
    start: (work: (context: RefreshContext) => Promise<Written[]>) =>
      start(({ report, retry }) => {
        const service = serviceOf(connection);
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
