import type { Settings } from '../settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExportedAdministrations } from './exportedAdministrations.ts';
import type { ExportFolder } from './run/folders.ts';
import type { RunRecords } from './run/runRecords.ts';

/** The queue of exports to make, and the container of the exports. */
export const QUEUE = 'relation-exports';

export type ExportMessage = {
  administration: string;
  scheduledOn: number;
  /** For when the worker was killed: `storage/takeover.ts`. */
  takeover?: boolean;
};

export type ExportLog = (event: Record<string, unknown>) => void;

/** The dependencies of the functions of relation exports. */
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

/** The lease that lets one worker at a time change an administration's exports. */
export const leaseOf = (administration: string): string => `${QUEUE}/${administration}`;
