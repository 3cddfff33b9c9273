import type * as z from 'zod/mini';
import * as response from '../wire/response.ts';

/** The states of an export. All files of a published one are complete. */
const exportStates = ['published', 'running', 'failed'] as const;

/**
 * The files of a published export: all relations for programs, the changes since the previous export, a workbook for
 * people, and the counts.
 */
export const exportFiles = ['relations.jsonl', 'changes.jsonl', 'relations.xlsx', 'manifest.json'] as const;
export type ExportFile = (typeof exportFiles)[number];

export const isExportFile = (name: string): name is ExportFile => (exportFiles as readonly string[]).includes(name);

/** The response of an export of an administration's relations. Moments are UNIX seconds. */
export const relationExport = response.record(() => ({
  /** The name of the administration in the exports, a part of the path like the date. */
  administration: response.text(),
  /**
   * The day of the export, yyyy-MM-dd; further ones of that day end in -2, -3 and so on. "" before the first export.
   */
  date: response.text(),
  state: response.choice(...exportStates),
  /** The moment it was made for: of the schedule, or of a request. It has all changes before that. */
  scheduledOn: response.long(),
  startedOn: response.long(),
  publishedOn: response.long(),
  /** The number of relations, and of relations added, changed and removed since the previous export. */
  relations: response.integer(),
  added: response.integer(),
  changed: response.integer(),
  vanished: response.integer(),
  /** Whether every relation was read, not only changed ones. */
  full: response.boolean(),
  /** Why it failed; "" when it did not. */
  message: response.text(),
  files: response.list(response.record(() => ({ name: response.text(), bytes: response.integer() }))),
}));
export type RelationExport = z.output<typeof relationExport>;

/** A requested export: it is made once the list has a published one for this moment or a later one. */
export const requestedExport = response.record(() => ({ scheduledOn: response.long() }));

export const relationExportList = response.record(() => ({ exports: response.list(relationExport) }));
