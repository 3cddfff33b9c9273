import type * as z from 'zod/mini';
import { describeValue } from '../../wire/describeValue.ts';
import * as field from '../../wire/field.ts';
import { refuseMember } from '../../wire/issues.ts';

/** The versions of the audit file that are written. */
export const auditfileVersions = ['4.0', '3.2'] as const;
export type AuditfileVersion = (typeof auditfileVersions)[number];

/** Whether a text names a fiscal year by when it begins: `2026`, or `2026-07` where several begin in that year. */
export const isFiscalYear = (text: string): boolean => /^[1-9]\d{3}(?:-(?:0[1-9]|1[0-2]))?$/.test(text);

/** A query for a fiscal year as an audit file. */
export const auditfileQuery = field.object(
  () => ({
    /** As `isFiscalYear` has it. */
    year: field.text({ trimmed: true }),
    version: field.otherwise(field.choice(...auditfileVersions), '4.0'),
  }),
  {
    check: ({ year }, context) => {
      if (!isFiscalYear(year)) refuseMember(context, 'year', 'NOT_FISCAL_YEAR', { given: describeValue(year) });
    },
  },
);
export type AuditfileQuery = z.output<typeof auditfileQuery>;

/** What the official checker takes of one file. */
export const MAX_CHECKED_BYTES = 5_000_000;

/** What the further files of one that is split begin with; it takes the same room however many there are. */
export const continuation = (number: number, of: number | ''): string =>
  `${`<!-- Vervolgbestand ${number} van ${of} `.padEnd(44)}-->\n`;

/** Characters of a file within which `orderedParts` finds out which of several it is. */
export const PART_START = 200;

/**
 * The files of one audit file that was split, in their order; undefined when they are not all files of one.
 * @param parts with the text that each begins with
 */
export function orderedParts<Part extends { start: string }>(parts: readonly Part[]): Part[] | undefined {
  const numbered = parts.map((part) => {
    const [, number = '1', of = String(parts.length)] =
      /^\uFEFF?\s*<!--\s*Vervolgbestand\s+(\d+)\s+van\s+(\d+)\s*-->/i.exec(part.start) ?? [];
    return { part, number: Number(number), of: Number(of) };
  });
  const ordered = numbered.toSorted((one, other) => one.number - other.number);
  const isWhole = ordered.every(({ number, of }, index) => number === index + 1 && of === parts.length);
  return isWhole ? ordered.map(({ part }) => part) : undefined;
}

/** `books.xaf`, then `books_2.xaf` and so on. */
export const partName = (file: string, number: number): string =>
  number === 1 ? file : file.replace(/(\.[^./\\]*)?$/, (extension) => `_${number}${extension}`);
