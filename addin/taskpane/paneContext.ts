import { createContext, useContext, useMemo } from 'react';
import type { Retry } from '../excel/batch.ts';
import { type Administration, idsOf, withIdsOf } from '../excel/tables/tableMemory.ts';
import {
  administrationOf,
  type Connection,
  type Connections,
  type ConnectionsChange,
  type IdentifiedConnection,
} from './connections/connections.ts';
import type { SessionNotes } from './connections/sessionNotes.ts';
import type { Messages } from './locales/en.ts';
import type { Language } from './locales/words.ts';
import type { ViewName } from './viewNames.ts';

/** The context of every view. */
export type PaneValue = {
  language: Language;
  messages: Messages;
  /** The view that is shown. */
  view: ViewName;
  go: (view: ViewName) => void;
  /** Whether a job runs: the view cannot be left then. */
  busy: boolean;
  /** Begins and ends a job: `false` once after each `true`. */
  setBusy: (busy: boolean) => void;
  /** For views that read the workbook when they open: the pane shows why they wait. */
  reading: Retry;
  connections: Connections;
  /** Changes connections, and connects this workbook to the active one. */
  connect: (change: ConnectionsChange) => void;
  /** Changes connections without connecting this workbook. */
  change: (change: ConnectionsChange) => void;
  notes: SessionNotes;
  /** Asks whether tables of an administration may come beside those of others. */
  askMixed: (others: readonly Administration[], wanted: Administration) => Promise<boolean>;
};

/** The properties of a view that works on an administration. */
export type Connected = {
  connection: IdentifiedConnection;
  /** Marks that something was pushed to the administration. */
  onPushed: () => void;
};

export const PaneContext = createContext<PaneValue | undefined>(undefined);

export function usePane(): PaneValue {
  const value = useContext(PaneContext);
  if (value === undefined) throw new Error('The view is not in a pane.');
  return value;
}

/**
 * The administration of a connection, the same object as long as nothing in it changes.
 * @param ofSheet that of a sheet: if it is the same, the ids that only the sheet has count too
 */
export function useAdministration(connection: Connection, ofSheet?: Administration): Administration {
  const own = administrationOf(connection);
  const text = JSON.stringify(ofSheet === undefined ? own : withIdsOf(own, ofSheet));
  return useMemo(() => JSON.parse(text) as Administration, [text]);
}

/** An administration, the same object as long as its ids are the same: another label begins nothing anew. */
export function useSameIds(administration: Administration): Administration {
  const ids = JSON.stringify(idsOf(administration));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only its ids count
  return useMemo(() => administration, [ids]);
}
