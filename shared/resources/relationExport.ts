import type { z } from 'zod';
import * as answer from '../wire/answer.ts';

/** The states of an export. All files of a published one are complete. */
const exportStates = ['published', 'running', 'failed'] as const;

/**
 * The files of a published export: all relations for programs, the changes since the previous export, a workbook for
 * people, and the counts.
 */
export const exportFiles = ['relations.jsonl', 'changes.jsonl', 'relations.xlsx', 'manifest.json'] as const;
export type ExportFile = (typeof exportFiles)[number];

/** The answer of an export of an administration's relations. Moments are UNIX seconds. */
export const relationExport = answer.record(() => ({
  /** The name of the administration in the exports, a part of the path like the date. */
  administration: answer.text(),
  /**
   * The day of the export, yyyy-MM-dd; further ones of that day end in -2, -3 and so on. "" before the first export.
   */
  date: answer.text(),
  state: answer.choice(...exportStates),
  /** The moment it was made for: of the schedule, or of a request. It has all changes before that. */
  scheduledOn: answer.long(),
  startedOn: answer.long(),
  publishedOn: answer.long(),
  /** The number of relations, and of relations added, changed and removed since the previous export. */
  relations: answer.integer(),
  added: answer.integer(),
  changed: answer.integer(),
  vanished: answer.integer(),
  /** Whether every relation was read, not only changed ones. */
  full: answer.boolean(),
  /** Why it failed; "" when it did not. */
  message: answer.text(),
  files: answer.list(answer.record(() => ({ name: answer.text(), bytes: answer.integer() }))),
}));
export type RelationExport = z.output<typeof relationExport>;

/** A requested export: it is made once the list has a published one for this moment or a later one. */
export const requestedExport = answer.record(() => ({ scheduledOn: answer.long() }));

export const relationExportList = answer.record(() => ({ exports: answer.list(relationExport) }));
