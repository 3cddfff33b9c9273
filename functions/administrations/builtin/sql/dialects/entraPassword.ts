import { readPostgresUrl } from './postgresUrl.ts';

/** A credential of `@azure/identity`. */
type TokenSource = {
  getToken(scope: string): Promise<{ token: string; expiresOnTimestamp: number } | null>;
};

/** Returns the password for a new connection. */
export type PasswordSource = () => Promise<string>;

/** The scope of tokens for Azure Database for PostgreSQL. */
const SCOPE = 'https://ossrdbms-aad.database.windows.net/.default';

/** A token is renewed this long before it ends. A connection outlives its token. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** A token that has not come by then is asked for again: connections wait for half a minute, and its source for ever. */
const MAX_WAIT_MS = 20_000;

/** Whether the app signs in with its identity: to a server in Azure, without a password. */
export function signsInByIdentity(url: string): boolean {
  const { host, hasPassword } = readPostgresUrl(url);
  return !hasPassword && host.endsWith('.postgres.database.azure.com');
}

/**
 * Microsoft Entra tokens as passwords, each used until it is about to end.
 * @param open opens the source of tokens when the first one is needed
 * @param clock milliseconds since 1970
 */
export function entraPassword(open: () => Promise<TokenSource> = identity, clock: () => number = Date.now) {
  let source: Promise<TokenSource> | undefined;
  let current: Promise<{ token: string; expiresOnTimestamp: number }> | undefined;
  const newToken = async () => {
    source ??= open();
    const token = await inTime((await source).getToken(SCOPE));
    if (token === null) throw new Error('Microsoft Entra returned no token for the database.');
    return token;
  };
  return async (): Promise<string> => {
    const last = await current?.catch(() => undefined);
    if (last === undefined || last.expiresOnTimestamp - RENEW_BEFORE_MS <= clock()) current = newToken();
    return (await current!).token;
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error('Microsoft Entra sent no token for the database in time.')),
    MAX_WAIT_MS,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The identity of the app in Azure; elsewhere the signed-in developer. */
async function identity(): Promise<TokenSource> {
  // Loaded only here: it is large.
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}
