import { type Found, found, type Refusal, refusal, refused } from '../../../../shared/fieldErrors.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../../shared/resources/document.ts';
import { rootStreams } from './compoundFile.ts';
import { mainPart, type PackageBudget, packageBudget } from './officePackage.ts';

const latin1 = (bytes: Uint8Array, length: number) => String.fromCharCode(...bytes.subarray(0, length));
const startsWith = (start: string) => (bytes: Uint8Array) => latin1(bytes, start.length) === start;
const openXml = 'application/vnd.openxmlformats-officedocument';

const hasStream =
  (...names: string[]) =>
  (bytes: Uint8Array) => {
    const streams = rootStreams(bytes);
    return names.some((name) => streams.includes(name));
  };

type Kind = {
  endings: string[];
  contentType: string;
  knows: (bytes: Uint8Array, budget: PackageBudget) => boolean;
};

/** Kind of file -> the endings of its name (without the dot), its content type and how its content is known. */
const fileKinds = {
  jpg: { endings: ['jpg', 'jpeg'], contentType: 'image/jpeg', knows: startsWith('\xff\xd8\xff') },
  png: { endings: ['png'], contentType: 'image/png', knows: startsWith('\x89PNG\r\n\x1a\n') },
  gif: { endings: ['gif'], contentType: 'image/gif', knows: (bytes) => /^GIF8[79]a$/.test(latin1(bytes, 6)) },
  pdf: {
    endings: ['pdf'],
    contentType: 'application/pdf',
    // Some programs put a byte order mark or an empty line before the header, and every reader accepts that.
    knows: (bytes) => /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(latin1(bytes, 64)),
  },
  doc: { endings: ['doc'], contentType: 'application/msword', knows: hasStream('WordDocument') },
  xls: { endings: ['xls'], contentType: 'application/vnd.ms-excel', knows: hasStream('Workbook', 'Book') },
  docx: {
    endings: ['docx'],
    contentType: `${openXml}.wordprocessingml.document`,
    knows: (bytes, budget) => mainPart(bytes, budget) === `${openXml}.wordprocessingml.document.main+xml`,
  },
  xlsx: {
    endings: ['xlsx'],
    contentType: `${openXml}.spreadsheetml.sheet`,
    knows: (bytes, budget) => mainPart(bytes, budget) === `${openXml}.spreadsheetml.sheet.main+xml`,
  },
} satisfies Record<string, Kind>;

export type FileKind = keyof typeof fileKinds;

/** The kinds of files that orders and invoices of the invoicing module may have. */
export const invoiceFiles: readonly FileKind[] = ['jpg', 'png', 'pdf', 'doc', 'docx', 'xls', 'xlsx'];
/** The kinds of files that invoices of the bookkeeping module may have. */
export const bookkeepingFiles: readonly FileKind[] = ['jpg', 'png', 'pdf', 'doc', 'docx', 'gif'];

/** The kind of a file by the ending of its name, if it is allowed. */
export function kindByName(fileName: string, allowed: readonly FileKind[]): FileKind | undefined {
  const ending = /[^.]\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  return allowed.find((kind) => (fileKinds[kind].endings as string[]).includes(ending ?? ''));
}

/** What a name must end in: ".jpg", ".png" or ".pdf". */
export const endingsOf = (allowed: readonly FileKind[]): string[] => allowed.map((kind) => `.${kind}`);

export type CheckedFile = { fileName: string; contentType: string };

/**
 * Whether a file may be attached: at most 10 MB, and both its name's ending and its content of one allowed kind.
 *
 * @param budget of all office documents of its request; left out where a file is alone
 * @returns the file's name and content type, or why it is refused
 */
export function checkFile(
  bytes: Uint8Array,
  fileName: string,
  allowed: readonly FileKind[],
  budget: PackageBudget = packageBudget(),
): Found<CheckedFile, Refusal> {
  const kind = kindByName(fileName, allowed);
  if (kind === undefined) return refused(refusal('FILE_NAME_ENDING', { endings: endingsOf(allowed) }));
  if (bytes.length === 0) return refused(refusal('FILE_EMPTY'));
  if (bytes.length > MAX_ATTACHMENT_BYTES) return refused(tooLarge);
  const isKnown = fileKinds[kind].knows(bytes, budget);
  if (budget.entries < 0 || budget.bytes < 0) return refused(refusal('FILES_UNPACK_TOO_LARGE'));
  if (!isKnown) return refused(refusal('FILE_OF_ANOTHER_KIND', { kind }));
  return found({ fileName, contentType: fileKinds[kind].contentType });
}

export const tooLarge = refusal('FILE_TOO_LARGE', { megabytes: MAX_ATTACHMENT_BYTES / 1024 / 1024 });
