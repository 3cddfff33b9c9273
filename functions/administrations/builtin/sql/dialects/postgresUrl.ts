import { parse } from 'pg-connection-string';

/** Parameters that name files, which reading an address must not open. */
const FILES = /(?<=[?&])(?:sslcert|sslkey|sslrootcert)=[^&]*/g;

/**
 * The address of a PostgreSQL server as the driver reads it: parameters win over the parts before them, and the last
 * of several wins.
 * @throws for an address that the driver cannot read
 */
export function readPostgresUrl(url: string) {
  const { host, ssl, sslmode, password } = parse(url.replace(FILES, ''));
  return {
    /** A name, an address, or the path of a socket. */
    host: host || process.env.PGHOST || 'localhost',
    /** Whether it connects by TLS only, and to a server whose certificate it verifies. */
    isEncrypted:
      typeof ssl === 'object' &&
      // As libpq reads `require`, which `uselibpqcompat` asks for.
      ssl.rejectUnauthorized !== false &&
      /^(?:require|verify-ca|verify-full)$/.test(String(sslmode)),
    hasPassword: Boolean(password),
  };
}
