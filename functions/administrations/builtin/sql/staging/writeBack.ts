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

/** Bytes of a large file after which the disk gets them. */
const STEP_BYTES = 8_000_000;

/**
 * Writes what the system holds of a large file to the disk while it grows, beside the work that makes it. Otherwise the
 * system does so after half a minute, all at once, and commits of others wait for it: for 100 ms on a quick disk.
 *
 * @returns a function that is told how many bytes were written
 */
export function writingBack(file: { datasync(): Promise<void> }): (bytes: number) => void {
  let unwritten = 0;
  let isUnderWay = false;
  const end = () => {
    isUnderWay = false;
  };
  return (bytes) => {
    unwritten += bytes;
    if (unwritten < STEP_BYTES || isUnderWay) return;
    unwritten = 0;
    isUnderWay = true;
    // Who closes the file waits for it. Of a disk that fails the work hears itself.
    file.datasync().then(end, end);
  };
}
