import type { Client } from '../../../shared/client/client.ts';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import { administrationOf, type Connection } from '../connections.ts';
import { fetchOnce, fetchWithRetry, serviceOf } from '../fetchWithRetry.ts';
import type { Messages } from '../locales/en.ts';
import type { JobTools } from '../useJob.ts';
import type { RefreshContext } from './pulls.ts';

/** The context of a pull that runs as a job of the pane. Its progress is the number of received rows. */
export const refreshContext = (
  connection: Connection,
  client: Client,
  messages: Messages,
  { signal, report, retry }: JobTools<number>,
): RefreshContext => ({
  client,
  exports: createExportClient(serviceOf(connection, fetchWithRetry(fetchOnce))),
  messages,
  administration: administrationOf(connection),
  signal,
  onFetched: report,
  retry,
});
