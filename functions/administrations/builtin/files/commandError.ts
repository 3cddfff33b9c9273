import { Problem } from '../../../../shared/problem.ts';

/** A command refuses its arguments or a file; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Error codes of the operating system, in words. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not in a folder',
  EACCES: 'the system does not allow it',
  EPERM: 'the system does not allow it',
  EEXIST: 'it is there already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'no more of the disk may be used',
  EFBIG: 'the disk or the system allows no file of that size',
  EIO: 'the disk fails',
  EROFS: 'its disk can only be read',
};

/**
 * The reason of an error, in words. Of several errors, as for the addresses of one server, it is the first. Of a Problem
 * it is the cause: the command line may show what a response must not.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error instanceof Problem && error.cause !== undefined) return reasonOf(error.cause);
  if (!(error instanceof Error)) return String(error);
  const { syscall, code } = error as NodeJS.ErrnoException;
  // Node says so of a folder on a disk that can only be read, when it makes the folders above it too.
  if (syscall === 'mkdir' && code === 'ENOENT') return 'it cannot be made';
  return systemReasons[code ?? ''] ?? error.message;
}

/**
 * Waits for work that writes a file, or into a folder: the system does not say which one it could not write.
 * @param target the name that the person knows it by
 * @throws CommandError that names it
 */
export async function writingTo<Result>(target: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new CommandError(`${target} cannot be written: ${reasonOf(error)}.`);
  }
}
