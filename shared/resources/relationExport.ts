import type { z } from 'zod';
import * as answer from '../wire/answer.ts';

/** Where an export is. Of a published one every file is complete. */
export const exportStates = ['published', 'running', 'failed'] as const;
export type ExportState = (typeof exportStates)[number];

/** The files of a published export: the whole set for machines, what changed since the one before, the set for people, and what it all adds up to. */
export const exportFiles = ['relations.jsonl', 'changes.jsonl', 'relations.xlsx', 'manifest.json'] as const;
export type ExportFile = (typeof exportFiles)[number];

/** An export of an administration's relations as it is answered. Moments are UNIX seconds. */
export const relationExport = answer.record({
  /** The administration by its name in the exports, a part of the path as the date is. */
  administration: answer.text(),
  /** The day of the export, yyyy-MM-dd; a further one on that day has -2, -3 and so on behind it. "" before there is one. */
  date: answer.text(),
  state: answer.choice(...exportStates),
  startedOn: answer.long(),
  publishedOn: answer.long(),
  /** How many relations there are; of those, how many came, changed and went since the export before. */
  relations: answer.integer(),
  added: answer.integer(),
  changed: answer.integer(),
  vanished: answer.integer(),
  /** Whether every relation was read anew, not only what had changed. */
  full: answer.boolean(),
  /** Why it failed; "" when it did not. */
  message: answer.text(),
  files: answer.list(answer.record({ name: answer.text(), bytes: answer.integer() })),
});
export type RelationExport = z.output<typeof relationExport>;

export const relationExportList = answer.record({ exports: answer.list(relationExport) });

/** A line of `changes.jsonl`. */
export const relationChange = answer.record({
  RelationGUID: answer.long(),
  change: answer.choice('added', 'changed', 'vanished'),
});
export type RelationChange = z.output<typeof relationChange>;
