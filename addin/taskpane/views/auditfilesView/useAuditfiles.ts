import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditfileClient } from '../../../../shared/client/auditfileClient.ts';
import type { Auditfile } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { isTransient } from '../../push/changedRows.ts';

/** Milliseconds between two reads of the list while a file is worked on. */
const POLL_MS = 1000;

export const isWorkedOn = ({ state }: Pick<Auditfile, 'state'>): boolean =>
  state === 'checking' || state === 'importing' || state === 'withdrawing';

/** Whether what a file brought is what its year has: no later one replaced it. @param files the latest first */
export const isLatestOfYear = (file: Auditfile, files: readonly Auditfile[]): boolean => {
  const ofYear = files.filter(
    ({ state, report }) => state === 'imported' && report?.firstDay === file.report?.firstDay,
  );
  return ofYear.toSorted((a, b) => Number(b.endedOn) - Number(a.endedOn))[0] === file;
};

/** The audit files of the administration, read again and again while one is worked on and reading is not refused. */
export function useAuditfiles(client: AuditfileClient) {
  const [files, setFiles] = useState<readonly Auditfile[]>();
  const [failure, setFailure] = useState<unknown>();
  /** How many reads were begun, and which of them is shown. */
  const reads = useRef({ begun: 0, shown: 0 });
  const read = useCallback(
    async (signal?: AbortSignal) => {
      const place = ++reads.current.begun;
      // The answers of two reads may come the other way round: the earlier one has states of before.
      const show = (found: readonly Auditfile[] | undefined, error?: unknown) => {
        if (signal?.aborted || place < reads.current.shown) return;
        reads.current.shown = place;
        if (found !== undefined) setFiles(found);
        setFailure(error);
      };
      await client.list(signal).then(show, (error: unknown) => show(undefined, error));
    },
    [client],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void read(leaving.signal);
    return () => leaving.abort();
  }, [read]);
  // A key that was revoked is refused each time, and counts as a guess: others at the address would be kept out.
  const isRefused = failure !== undefined && !isTransient(failure);
  const isFollowed = !isRefused && (files?.some(isWorkedOn) ?? false);
  useEffect(() => {
    if (!isFollowed) return;
    const timer = setInterval(() => void read(), POLL_MS);
    return () => clearInterval(timer);
  }, [isFollowed, read]);
  return { files, failure, read };
}
