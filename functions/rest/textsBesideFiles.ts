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

function bytesBesideFiles(body: unknown): number {
  let bytes = 0;
  // Not by recursion: values may be nested more deeply than calls can be.
  const values = [body];
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) if (name !== CONTENT) values.push(member);
  }
  return bytes;
}
