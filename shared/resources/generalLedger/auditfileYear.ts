import type { z } from 'zod';
import * as field from '../../wire/field.ts';

/** The versions of the audit file that are written. */
export const auditfileVersions = ['4.0', '3.2'] as const;
export type AuditfileVersion = (typeof auditfileVersions)[number];

/** A query for a fiscal year as an audit file. */
export const auditfileQuery = field.object(() => ({
  /** The calendar year in which it begins. */
  year: field.integer({ min: 1000, max: 9999 }),
  version: field.otherwise(field.choice(...auditfileVersions), '4.0'),
}));
export type AuditfileQuery = z.output<typeof auditfileQuery>;

/** What the official checker takes of one file. */
export const MAX_CHECKED_BYTES = 5_000_000;

/** What the further files of one that is split begin with; it takes the same room however many there are. */
export const continuation = (number: number, of: number | ''): string =>
  `${`<!-- Vervolgbestand ${number} van ${of} `.padEnd(44)}-->\n`;

/** `books.xaf`, then `books_2.xaf` and so on. */
export const partName = (file: string, number: number): string =>
  number === 1 ? file : file.replace(/(\.[^./\\]*)?$/, (extension) => `_${number}${extension}`);
