import { MEGABYTE } from '../../shared/api.ts';
import { Problem } from '../../shared/problem.ts';
import type { AttachmentInput } from '../../shared/resources/document.ts';

const CONTENT: keyof AttachmentInput = 'FileContent';

/**
 * Refuses a document with more text than the bodies of other endpoints may have, beside the content of its files. A
 * text is stored several times, and others wait for that.
 * @throws Problem BODY_TOO_LARGE
 */
export function refuseLongTexts(input: unknown): void {
  if (bytesBesideFiles(input) <= MEGABYTE) return;
  throw new Problem('BODY_TOO_LARGE', `Expected at most 1 MB (${MEGABYTE} bytes) of text beside the content of files.`);
}

function bytesBesideFiles(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const [name, member] of Object.entries(value)) if (name !== CONTENT) bytes += bytesBesideFiles(member);
  return bytes;
}
