/** Where access tokens come from, as `@azure/identity` has it. */
type TokenSource = {
  getToken(scope: string): Promise<{ token: string; expiresOnTimestamp: number } | null>;
};

/** Gives the password of a connection that is made now. */
export type PasswordSource = () => Promise<string>;

/** What Azure Database for PostgreSQL takes tokens for. */
const SCOPE = 'https://ossrdbms-aad.database.windows.net/.default';

/** A token is renewed so long before it ends: signing in takes a moment. A connection outlives the token it began with. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** Whether an address is that of a server in Azure, without a password: the app signs in with its identity then. */
export function signsInByIdentity(url: string): boolean {
  const { hostname, password, searchParams } = new URL(url);
  return password === '' && !searchParams.has('password') && hostname.endsWith('.postgres.database.azure.com');
}

/**
 * Microsoft Entra tokens as passwords, each used until it is about to end.
 * @param open opens what the tokens come from, when the first one is needed
 * @param clock milliseconds since 1970
 */
export function entraPassword(open: () => Promise<TokenSource> = identity, clock: () => number = Date.now) {
  let source: Promise<TokenSource> | undefined;
  let current: Promise<{ token: string; expiresOnTimestamp: number }> | undefined;
  const newToken = async () => {
    source ??= open();
    const token = await (await source).getToken(SCOPE);
    if (token === null) throw new Error('Microsoft Entra gave no token for the database.');
    return token;
  };
  return async (): Promise<string> => {
    const last = await current?.catch(() => undefined);
    if (last === undefined || last.expiresOnTimestamp - RENEW_BEFORE_MS <= clock()) current = newToken();
    return (await current!).token;
  };
}

/** The identity of the app in Azure; on one's own machine whoever is signed in there. */
async function identity(): Promise<TokenSource> {
  // Loaded only here: it is large.
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}
