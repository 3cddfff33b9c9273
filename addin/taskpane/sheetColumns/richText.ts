import { loadPart } from '../loadPart.ts';

let read: ((rich: string) => string) | undefined;

/** Loads what reads rich text. @throws NotLoaded */
export async function loadRichText(): Promise<void> {
  read ??= (await loadPart(import('../../../shared/plainText.ts'))).plainText;
}

/** Rich text without its tags, once `loadRichText` has ended. Text without tags and entities needs no reading. */
export function withoutTags(text: string): string {
  if (!/[<&]/.test(text)) return text;
  if (read === undefined) throw new Error('Rich text is read before its reader was loaded.');
  return read(text);
}
