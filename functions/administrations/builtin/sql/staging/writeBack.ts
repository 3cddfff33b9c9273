import { closeSync, fdatasyncSync, openSync } from 'node:fs';

/**
 * Writes what the system holds of a file to the disk, whenever it is asked to. SQLite does so at the end of a transaction
 * or a copy only: whoever commits something small while gigabytes are written at once waits for all of them.
 *
 * Closing it releases the locks that this process has on the file, as POSIX has it: it is closed after the connections.
 */
export function openForWriteBack(file: string) {
  const descriptor = openSync(file, 'r+');
  return {
    write: () => fdatasyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}
