import { setImmediate as otherWork } from 'node:timers/promises';
import { fieldErrorOf } from '../../../../shared/fieldErrors.ts';
import { refuseField, refuseFields } from '../../../../shared/problem.ts';
import { type CheckedFile, checkFile, endingsOf, type FileKind, kindByName } from './fileKind.ts';
import { cleanFileName, MAX_FILE_NAME } from './fileName.ts';
import type { PackageBudget } from './officePackage.ts';

/** Characters that are decoded at a time, which takes some milliseconds. */
const PART = 1_000_000;

/**
 * Decodes the content of an attachment: base64; line breaks and a `data:` prefix are accepted. Others get their turns
 * while it does.
 *
 * @param path of the attachment in the request: `Invoice_Attachment[0]`
 * @param budget of all office documents of the request
 * @throws Problem naming FileContent or FileName
 */
export async function decodeFile(
  attachment: { FileContent: string; FileName: string },
  path: string,
  allowed: readonly FileKind[],
  budget?: PackageBudget,
): Promise<CheckedFile & { bytes: Uint8Array }> {
  const fileName = cleanFileName(attachment.FileName);
  if (fileName.length > MAX_FILE_NAME) {
    throw refuseField(`${path}.FileName`, 'FILE_NAME_TOO_LONG', { max: MAX_FILE_NAME });
  }
  if (kindByName(fileName, allowed) === undefined) {
    throw refuseField(`${path}.FileName`, 'FILE_NAME_ENDING', { endings: endingsOf(allowed) });
  }
  const bytes = await decode(attachment.FileContent);
  if (bytes === undefined) throw refuseField(`${path}.FileContent`, 'NOT_BASE64');
  const checked = checkFile(bytes, fileName, allowed, budget);
  if (checked.kind === 'refused') throw refuseFields([fieldErrorOf(`${path}.FileContent`, checked.reason)]);
  return { ...checked.value, bytes };
}

async function decode(text: string): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let rest = '';
  const start = /^\s*data:[^,]{0,200};base64,/i.exec(text)?.[0].length ?? 0;
  for (let at = start; at < text.length; at += PART) {
    const base64 = rest + text.slice(at, at + PART).replace(/\s+/g, '');
    const padding = base64.indexOf('=');
    // Nothing comes after it.
    if (padding >= 0 && base64.length - padding > 2) return undefined;
    const end = padding < 0 ? base64.length : padding;
    const whole = at + PART < text.length ? end - (end % 4) : base64.length;
    rest = base64.slice(whole);
    const part = decodePart(base64.slice(0, whole));
    if (part === undefined) return undefined;
    parts.push(part);
    await otherWork();
  }
  return Buffer.concat(parts);
}

/** Node skips invalid characters and a missing end. So a text is valid only if encoding gives it back. */
function decodePart(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : undefined;
}
