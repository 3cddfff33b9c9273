/** Primary result codes of SQLite: BUSY, LOCKED, IOERR, FULL, CANTOPEN. */
const sqliteCodes: ReadonlySet<number> = new Set([5, 6, 10, 13, 14]);

/**
 * Of PostgreSQL: the connection is gone (08), the transaction had to give way (40), the server is short of something (53), is
 * being stopped or started (57), gave up waiting (55P03, 25P03), or has just become one that only reads (25006).
 */
const postgresCodes = /^(?:08|40|53|57)...$|^(?:55P03|25P03|25006)$/;
const networkCodes =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** What `pg` says of a connection that is lost or cannot be had; it has no codes for it. */
const lostConnections =
  /^(?:Connection terminated|timeout e|Client (?:has encountered a connection error|was closed)|Query read timeout)/;

/**
 * Whether a failure is not of what was asked but of the database it was asked of, and passes: it cannot be reached, or is
 * busy. Whether a transaction that failed so was committed is not known.
 */
export function isPassing(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { errcode, code } = failure as { errcode?: unknown; code?: unknown };
  // The extended codes of SQLite have the primary one in their lowest byte.
  if (typeof errcode === 'number') return sqliteCodes.has(errcode & 0xff);
  if (typeof code === 'string') return postgresCodes.test(code) || networkCodes.test(code);
  return lostConnections.test(failure.message);
}
