import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { readIdentity } from '../../../shared/client/identityClient.ts';
import { defaultRetry, type Retry } from '../../excel/batch.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { fetchOnce, fetchWithRetry, serviceOf } from '../fetchWithRetry.ts';
import {
  activeConnection,
  administrationOf,
  type Connections,
  type ConnectionsChange,
  connectionStore,
  connectionToOpen,
  isIdentified,
  withIdentity,
} from './connections.ts';
import { partitionKey } from './partitionKey.ts';
import { sessionNotes } from './sessionNotes.ts';
import { readWorkbookAdministration, storeWorkbookAdministration } from './workbookAdministration.ts';

/**
 * The connections of this browser, and the one of this pane. A workbook stays with its administration: a pane that is
 * opened comes back to the one that its workbook used last, whatever other tabs are connected to.
 */
export function useConnections(reading: Retry) {
  const store = useMemo(() => connectionStore(() => localStorage, partitionKey()), []);
  const notes = useMemo(() => sessionNotes(() => sessionStorage, partitionKey()), []);
  const [connections, setConnections] = useState<Connections>(() => ({ ...store.read(), activeId: null }));
  const [isStored, setStored] = useState(store.isOpen);
  const [isOpening, setOpening] = useState(true);
  const [wanted, setWanted] = useState<Administration>();
  const [failure, setFailure] = useState<unknown>();
  const [reads, setReads] = useState(0);

  const latest = useRef(connections);
  latest.current = connections;
  const show = useCallback((next: Connections) => {
    latest.current = next;
    setConnections(next);
  }, []);
  const change = useCallback(
    (one: ConnectionsChange) => {
      const { connections: next, isStored } = store.change(latest.current, one);
      show(next);
      setStored(isStored);
    },
    [store, show],
  );
  /** The user connects this workbook to an administration. */
  const connect = useCallback(
    (one: ConnectionsChange) => {
      change(one);
      setWanted(undefined);
      setOpening(false);
      const chosen = activeConnection(latest.current);
      if (chosen === undefined) return;
      notes.writeActive(chosen.id);
      // A workbook that cannot store it is still remembered by its tables, and in this tab.
      if (isIdentified(chosen))
        void storeWorkbookAdministration(administrationOf(chosen), defaultRetry).catch(() => {});
    },
    [change, notes],
  );

  // Other tabs and windows have the same connections.
  useEffect(() => {
    const update = ({ key }: StorageEvent) => {
      if (store.has(key)) show(store.merged(latest.current));
    };
    window.addEventListener('storage', update);
    return () => window.removeEventListener('storage', update);
  }, [store, show]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    const leaving = new AbortController();
    setFailure(undefined);
    const open = (found: Administration | undefined) => {
      // The user may have connected meanwhile.
      if (leaving.signal.aborted || latest.current.activeId !== null) return;
      const { all, activeId } = store.read();
      const { opened, missing } = connectionToOpen(all, found, notes.readActive(), activeId);
      setWanted(missing);
      if (opened !== null) notes.writeActive(opened);
      show({ all, activeId: opened });
      setOpening(false);
    };
    readWorkbookAdministration({ ...reading, signal: leaving.signal }).then(open, (error: unknown) => {
      if (leaving.signal.aborted) return;
      setFailure(error);
      open(undefined);
    });
    return () => leaving.abort();
  }, [store, notes, reading, show, reads]);
  const readAgain = () => {
    // The one that was opened instead may be another one.
    show({ ...latest.current, activeId: null });
    setOpening(true);
    setReads(reads + 1);
  };

  return {
    connections,
    change,
    connect,
    isStored,
    /** Whether the workbook is still being read for its administration. */
    isOpening: isOpening && connections.all.length > 0,
    /** The administration that the workbook used last, when this browser has no connection to it. */
    wanted,
    /** Why the workbook could not be read. */
    failure,
    /** Reads it again, and opens its administration. */
    readAgain,
    notes,
  };
}

/**
 * Asks the app whose administration the active connection opens, whenever another becomes active.
 * @returns why that is not known, and a function that asks again
 */
export function useIdentity(connections: Connections, change: (one: ConnectionsChange) => void) {
  const active = activeConnection(connections);
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const { id, apiKey, username } = active ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    setFailure(undefined);
    if (id === undefined || apiKey === undefined || username === undefined) return;
    const leaving = new AbortController();
    readIdentity(serviceOf({ apiKey, username }, fetchWithRetry(fetchOnce)), leaving.signal).then(
      (identity) => !leaving.signal.aborted && change((now) => withIdentity(now, id, identity)),
      (error: unknown) => !leaving.signal.aborted && setFailure(error),
    );
    return () => leaving.abort();
  }, [id, apiKey, username, attempt, change]);
  return { failure, askAgain: () => setAttempt(attempt + 1) };
}
