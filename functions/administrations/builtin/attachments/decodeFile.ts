import { fieldErrorOf } from '../../../../shared/fieldErrors.ts';
import { refuseField, refuseFields } from '../../../../shared/problem.ts';
import { type CheckedFile, checkFile, endingsOf, type FileKind, kindByName } from './fileKind.ts';
import { cleanFileName, MAX_FILE_NAME } from './fileName.ts';
import type { PackageBudget } from './officePackage.ts';

/**
 * Decodes the content of an attachment: base64; line breaks and a `data:` prefix are accepted.
 *
 * @param path of the attachment in the request: `Invoice_Attachment[0]`
 * @param budget of all office documents of the request
 * @throws Problem naming FileContent or FileName
 */
export function decodeFile(
  attachment: { FileContent: string; FileName: string },
  path: string,
  allowed: readonly FileKind[],
  budget?: PackageBudget,
): CheckedFile & { bytes: Uint8Array } {
  const fileName = cleanFileName(attachment.FileName);
  if (fileName.length > MAX_FILE_NAME) {
    throw refuseField(`${path}.FileName`, 'FILE_NAME_TOO_LONG', { max: MAX_FILE_NAME });
  }
  if (kindByName(fileName, allowed) === undefined) {
    throw refuseField(`${path}.FileName`, 'FILE_NAME_ENDING', { endings: endingsOf(allowed) });
  }
  const bytes = decode(attachment.FileContent);
  if (bytes === undefined) throw refuseField(`${path}.FileContent`, 'NOT_BASE64');
  const checked = checkFile(bytes, fileName, allowed, budget);
  if (checked.kind === 'refused') throw refuseFields([fieldErrorOf(`${path}.FileContent`, checked.reason)]);
  return { ...checked.value, bytes };
}

function decode(text: string): Uint8Array | undefined {
  const base64 = text.replace(/^\s*data:[^,]{0,200};base64,/i, '').replace(/\s+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  // Node skips invalid characters and a missing end. So the text is valid only if encoding gives it back.
  return bytes.toString('base64') === base64 ? bytes : undefined;
}
