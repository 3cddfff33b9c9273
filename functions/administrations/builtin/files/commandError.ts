import { Problem } from '../../../../shared/problem.ts';

/** A command refuses its arguments or a file; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What the system's codes mean, for who does not know them. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not in a folder',
  EACCES: 'the system does not allow it',
  EPERM: 'the system does not allow it',
  EEXIST: 'it is there already',
  ENOSPC: 'the disk is full',
};

/**
 * What an error says, in words: of several, as of the addresses of one server, the first; of a service that others are
 * only told is unavailable, the cause.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error instanceof Problem && error.cause !== undefined) return reasonOf(error.cause);
  if (!(error instanceof Error)) return String(error);
  return systemReasons[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message;
}
