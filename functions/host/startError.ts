import { Problem } from '../../shared/problem.ts';
import { reasonOf } from '../administrations/builtin/files/commandError.ts';
import { WrongSetting } from '../settings.ts';
import { StorageInUse } from './azurite.ts';
import { WrongOption } from './certificate.ts';

/** Why the app, or a command with its storage account, could not start, in a sentence if that says it. */
export function startError(failure: unknown): unknown {
  const isSentence =
    failure instanceof WrongSetting || failure instanceof WrongOption || failure instanceof StorageInUse;
  if (isSentence) return failure.message;
  // Such as a database on a disk that is full.
  if (failure instanceof Problem) return `${failure.message} (${reasonOf(failure)})`;
  return listenError(failure as NodeJS.ErrnoException) ?? fileError(failure as FileError) ?? failure;
}

/** Why the port of the settings cannot be used, in a sentence. */
function listenError({ syscall, code }: NodeJS.ErrnoException): string | undefined {
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') return 'HOST: this machine has no such address.';
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') return 'PORT: that port is taken; choose another one, or stop what uses it.';
  return code === 'EACCES' ? 'PORT: this user may not listen at that port; choose one from 1024.' : undefined;
}

type FileError = NodeJS.ErrnoException & { dest?: string };

/** Which file or folder cannot be used, as one of a data folder that is full, and why. */
function fileError(failure: FileError): string | undefined {
  const { syscall, path, dest = path } = failure;
  return syscall === undefined || dest === undefined ? undefined : `${dest}: ${reasonOf(failure)}.`;
}
