import type { Administrations } from '../administrations/administration.ts';
import type { Queue } from '../storage/queue.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuditfileSecrets, AuditfileStore } from './auditfileStore.ts';

/** The queue of administrations whose audit files may have work. */
export const AUDITFILE_QUEUE = 'auditfiles';

export type AuditfileLog = (line: string) => void;

/** The dependencies of the functions of audit files. */
export type AuditfileDependencies = {
  store: AuditfileStore;
  queue: Queue;
  storage: Pick<Storage, 'lease' | 'isLeased'>;
  administrations: Administrations;
  secrets: AuditfileSecrets;
  /** Days for which an ended import is stored. */
  days: number;
};

/** The lease that lets one worker at a time work for an administration. */
export const leaseOf = (owner: string): string => `auditfile-${owner}`;
