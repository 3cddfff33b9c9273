import type { Credential } from '../../../../../shared/client/client.ts';
import type { Database } from '../../sql/database.ts';
import { administrationOf } from '../keys.ts';

/** How an administration of the demo is opened. Everybody knows: they are for one's own machine. */
export const demoCredentials = {
  NL: { apiKey: 'demo', username: 'demo@example.com' },
  BE: { apiKey: 'demo-be', username: 'demo-be@example.com' },
} as const;

export const isDemoCredential = ({ apiKey }: Credential): boolean =>
  Object.values(demoCredentials).some((demo) => demo.apiKey === apiKey);

/** Whether a credential of the demo opens an administration in a database. */
export async function hasDemoKey(db: Database): Promise<boolean> {
  const opened = await Promise.all(Object.values(demoCredentials).map((demo) => administrationOf(db, demo)));
  return opened.some((administration) => administration !== undefined);
}
