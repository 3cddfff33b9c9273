import { createContext, useContext, useMemo } from 'react';
import type { Retry } from '../excel/batch.ts';
import type { Administration } from '../excel/tables/tableMemory.ts';
import type { Connection } from './connections.ts';
import type { Messages } from './locales/en.ts';
import type { Language } from './locales/messages.ts';
import type { ViewName } from './viewNames.ts';

/** The context of every view. */
export type PaneValue = {
  language: Language;
  messages: Messages;
  go: (view: ViewName) => void;
  /** Whether a job runs: the view cannot be left then. */
  busy: boolean;
  setBusy: (busy: boolean) => void;
  /** For views that read the workbook when they open: the pane shows why they wait. */
  reading: Retry;
};

/** The properties of a view that works on an administration. */
export type Connected = {
  connection: Connection;
  /** Marks that something was pushed to the administration. */
  onPushed: () => void;
};

export const PaneContext = createContext<PaneValue | undefined>(undefined);

export function usePane(): PaneValue {
  const value = useContext(PaneContext);
  if (value === undefined) throw new Error('The view is not in a pane.');
  return value;
}

/** The administration of a connection, the same object as long as its id and label are the same. */
export function useAdministration({ id, label }: Connection): Administration {
  return useMemo(() => ({ id, label }), [id, label]);
}
