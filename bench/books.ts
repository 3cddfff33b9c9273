import { issueKey } from '../functions/administrations/builtin/credentials/keys.ts';
import { createAdministration } from '../functions/administrations/builtin/setup/createAdministration.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import type { Credential } from '../shared/client/client.ts';

export const NOW = 1_790_000_000n;

/** Makes an administration with a key. */
export async function newBooks(db: Database): Promise<{ administrationId: bigint; credential: Credential }> {
  const administrationId = await createAdministration(db, {
    name: 'Bench',
    country: 'NL',
    fiscalYears: [2026],
    now: NOW,
  });
  return { administrationId, credential: await newKey(db, administrationId) };
}

/** Makes a key of an administration. */
export async function newKey(db: Database, administrationId: bigint): Promise<Credential> {
  const username = 'bench@example.com';
  return { username, apiKey: await issueKey(db, { administrationId, username, label: '', now: NOW }) };
}

/** The headers of a credential. */
export const headersOf = ({ apiKey, username }: Credential) => ({ ApiKey: apiKey, Username: username });
