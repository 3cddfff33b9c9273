import type { Settings } from '../settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExportedAdministrations } from './exportedAdministrations.ts';
import type { ExportFolder } from './run/folders.ts';
import type { RunRecords } from './run/runRecords.ts';

/** The queue of exports to be made, and the container of those that were. */
export const QUEUE = 'relation-exports';

/** What a message of the queue asks for. */
export type ExportMessage = { administration: string; scheduledOn: number };

/** Takes what happened, for whoever runs the app. */
export type ExportLog = (event: Record<string, unknown>) => void;

/** What the parts of relation exports work with. */
export type ExportDependencies = {
  storage: Storage;
  exported: ExportedAdministrations;
  records: RunRecords;
  folderOf(administration: string): ExportFolder;
  settings: Settings['exports'];
  timeZone: string;
  /** Seconds since 1970. */
  now(): number;
};

/** The lease under which one worker at a time touches an administration's exports. */
export const leaseOf = (administration: string): string => `${QUEUE}/${administration}`;
