import * as z from 'zod/mini';
import * as field from '../../wire/field.ts';

/** Bytes of an audit file in one part; the last part has the rest. Each part is sent compressed (gzip). */
export const AUDITFILE_PART_BYTES = 8 * 1024 * 1024;
/** Bytes of an audit file, not compressed. */
export const MAX_AUDITFILE_BYTES = 1024 * 1024 * 1024;

/** The number of parts in which a file is sent. */
export const auditfileParts = (bytes: number): number => Math.ceil(bytes / AUDITFILE_PART_BYTES);
/** The bytes of a part, which are counted from 1. */
export const auditfilePartBytes = (bytes: number, part: number): number =>
  Math.min(AUDITFILE_PART_BYTES, bytes - (part - 1) * AUDITFILE_PART_BYTES);

/** An audit file that is going to be sent. */
export const newAuditfile = field.object(() => ({
  name: field.text({ max: field.MAX_NAME_LENGTH, trimmed: true }),
  bytes: field.integer({ min: 1, max: MAX_AUDITFILE_BYTES }),
}));

/** What a person says before an import. */
export const auditfileChoices = field.object(() => ({
  /** Replaces what another file brought into the same year. */
  replace: field.otherwise(field.boolean(), false),
  /** Takes what contradicts itself and can be told from the rest. */
  takeWithWarnings: field.otherwise(field.boolean(), false),
}));
export type AuditfileChoices = z.output<typeof auditfileChoices>;

const rowCounts = z.object({ added: z.number(), changed: z.number(), unchanged: z.number() });
/** Lines with what they add up to. Amounts are decimal text. */
const total = z.object({ lines: z.string(), debit: z.string(), credit: z.string() });

/** What an audit file holds, and what importing it changes, or would change. */
export const auditfileReport = z.object({
  company: z.object({ name: z.string(), taxNumber: z.string() }),
  /** The program that wrote the file. */
  software: z.string(),
  /** The calendar year in which its fiscal year begins; 0 when it could not be read. */
  fiscalYear: z.number(),
  /** The first and the last day of the fiscal year; "" when they could not be read. */
  firstDay: z.string(),
  lastDay: z.string(),
  accounts: rowCounts,
  relations: rowCounts,
  taxCodes: rowCounts,
  /** Its opening balance and its transactions; null when it has none. */
  openingBalance: z.nullable(total),
  transactions: z.nullable(total),
  opening: z.enum(['none', 'added', 'unchanged', 'replaced']),
  /** `matched`: booked here already, and not booked again. */
  entries: z.object({ added: z.number(), removed: z.number(), unchanged: z.number(), matched: z.number() }),
  /** Whether another file was imported into that year: this one replaces what it brought. */
  replaces: z.boolean(),
  /** The first entries that are added to or removed from such a year. */
  differences: z.array(z.string()),
  /** The number of all problems, and the first of them. With any of them nothing is imported. */
  problemCount: z.number(),
  problems: z.array(z.object({ line: z.number(), element: z.string(), message: z.string() })),
  /** The number of contradictions that can be taken with a warning. */
  contradictions: z.number(),
  /** The first of them, and other warnings. */
  warnings: z.array(z.string()),
});
export type AuditfileReport = z.output<typeof auditfileReport>;

/**
 * `receiving`: parts may be sent, and it can be checked when it has all; `checked`: it can be imported, if its report
 * has no problems. The parts of an imported one are erased; what it brought can be withdrawn.
 */
const auditfileStates = [
  'receiving',
  'checking',
  'checked',
  'importing',
  'imported',
  'withdrawing',
  'withdrawn',
  'failed',
] as const;

/** An audit file that is brought in. Moments are UNIX seconds, as text. */
export const auditfile = z.object({
  id: z.string(),
  /** Who began it. */
  by: z.object({ username: z.string(), label: z.string() }),
  name: z.string(),
  bytes: z.number(),
  state: z.enum(auditfileStates),
  /** Whether the work that is under way is going to be cancelled. */
  cancelling: z.boolean(),
  /** How much of that work is done, from 0 to 100. */
  progress: z.number(),
  createdOn: z.string(),
  endedOn: z.nullable(z.string()),
  /** The parts that were received, with the SHA-256 of what they hold, in hexadecimal. */
  parts: z.array(z.object({ part: z.number(), sha256: z.string() })),
  /** Of the latest check or import. */
  report: z.nullable(auditfileReport),
  /** Why the latest work failed; "" when it did not. */
  message: z.string(),
});
export type Auditfile = z.output<typeof auditfile>;

export const auditfileResponse = z.object({ auditfile });
export const auditfileList = z.object({ auditfiles: z.array(auditfile) });
