import type { AttachmentInput } from '../../../../shared/resources/document.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import type { downloadFile } from '../attachments/download.ts';
import type { DownloadLimits } from '../attachments/downloadLimits.ts';
import type { FileKind } from '../attachments/fileKind.ts';
import { type EndpointContext, type WarningContext, writing } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Grouping, Logging } from '../sql/logWriting/appendChanges.ts';
import { flag, type NewRow } from '../sql/schema.ts';

/** The context of an endpoint that accepts files. */
export type FileContext = WarningContext & { download: typeof downloadFile; downloads: DownloadLimits };

/** A file that is ready to be stored with a document, or why there is none. */
export type ReadyAttachment = Pick<
  NewRow<'attachment'>,
  'file_name' | 'content_type' | 'content' | 'url' | 'failure' | 'is_internal'
>;

/** A file of a request: decoded, or an address to download it from. */
export type RequestedFile =
  | { kind: 'ready'; file: ReadyAttachment }
  | {
      kind: 'to download';
      url: string;
      allowed: readonly FileKind[];
      fileName?: string | undefined;
      is_internal: bigint;
    };

/** The files of a request that need no download. */
export const readyFiles = (files: readonly RequestedFile[]): ReadyAttachment[] =>
  files.flatMap((one) => (one.kind === 'ready' ? one.file : []));

/**
 * Decodes the files of a request, and lets other requests run meanwhile.
 * @param path of the list in the request, for the errors
 * @throws Problem INVALID_REQUEST for content that cannot be stored
 */
export async function readAttachments(
  inputs: readonly AttachmentInput[],
  allowed: readonly FileKind[],
  path: string,
): Promise<RequestedFile[]> {
  const files: RequestedFile[] = [];
  if (inputs.length === 0) return files;
  // Loaded when it is first used: what reads office documents is large.
  const { decodeFile } = await import('../attachments/decodeFile.ts');
  const { packageBudget } = await import('../attachments/officePackage.ts');
  const budget = packageBudget();
  for (const [index, { FileContent, FileUrl = '', FileName, Internal }] of inputs.entries()) {
    const is_internal = flag(Internal);
    if (FileContent === undefined) {
      files.push({ kind: 'to download', url: FileUrl, allowed, fileName: FileName, is_internal });
      continue;
    }
    const file = await decodeFile({ FileContent, FileName: FileName ?? '' }, `${path}[${index}]`, allowed, budget);
    files.push({ kind: 'ready', file: { ...columnsOf(file), url: '', failure: '', is_internal } });
  }
  return files;
}

/** The one file that a bookkeeping document may have, by its address. */
export const fileByUrl = (url: string | undefined, allowed: readonly FileKind[]): RequestedFile[] =>
  url === undefined ? [] : [{ kind: 'to download', url, allowed, is_internal: 0n }];

/** How a document is made of its request, alone or as a row of a push. */
export type DocumentWrite<Of extends FileContext, Request, Document> = {
  /** @throws Problem INVALID_REQUEST for content that cannot be stored */
  files(request: Request): RequestedFile[] | Promise<RequestedFile[]>;
  /**
   * In a transaction: after a refusal the caller must roll back.
   * @returns the response's document, and its JSON text where that is known already
   * @throws Problem INVALID_REQUEST naming the field
   */
  write(
    transaction: Of,
    request: Request,
    files: readonly ReadyAttachment[],
  ): Promise<{ response: Document; text?: string | undefined }>;
};

/**
 * Makes a document as its endpoint does.
 * @throws Problem INVALID_REQUEST naming the field, RATE_LIMIT; nothing is stored then
 */
export async function addDocument<Of extends FileContext, Request, Document>(
  context: Of,
  { files, write }: DocumentWrite<Of, Request, Document>,
  request: Request,
): Promise<Document[] | Encoded<Document[]>> {
  const work = (transaction: Of, ready: readonly ReadyAttachment[]) => write(transaction, request, ready);
  const { response, text } = await writingWithFiles(context, await files(request), work);
  return text === undefined ? [response] : new Encoded(`[${text}]`);
}

/**
 * Writes a document with its files. Files are downloaded outside of transactions, so that other writers do not wait for
 * them, and only when the document is acceptable: a trial transaction writes it and is rolled back. For a file that
 * cannot be downloaded the reason is stored.
 * @param work writes the document; may run twice
 * @throws Problem what the work throws, before any download; RATE_LIMIT
 */
export async function writingWithFiles<Of extends FileContext, T>(
  context: Of,
  requested: readonly RequestedFile[],
  work: (transaction: Of, files: readonly ReadyAttachment[], logging: Logging) => Promise<T>,
  grouping: Grouping = 'together',
): Promise<T> {
  // Downloads may take long.
  const options = { grouping, unlessArchived: true };
  const write = (files: readonly ReadyAttachment[]) =>
    writing(context, (transaction, logging) => work(transaction, files, logging), options);
  const toDownload = requested.filter((one) => one.kind === 'to download');
  if (toDownload.length === 0) return write(readyFiles(requested));
  await tryAndRollBack(context, (transaction, logging) => work(transaction, [], logging));
  const downloads = toDownload.map((file) => () => downloaded(context, file.url, file.allowed, file.fileName));
  const found = await context.downloads.run(context.author.key, downloads);
  const files = requested.map((one) =>
    one.kind === 'ready' ? one.file : { ...found[toDownload.indexOf(one)]!, is_internal: one.is_internal },
  );
  return write(files);
}

/** @throws what the work throws */
async function tryAndRollBack<Of extends FileContext>(
  context: Of,
  work: (transaction: Of, logging: Logging) => Promise<unknown>,
) {
  const succeeded = new Error('Rolled back after a trial');
  try {
    await writing(context, async (transaction, logging) => {
      await work(transaction, logging);
      throw succeeded;
    });
  } catch (failure) {
    if (failure !== succeeded) throw failure;
  }
}

async function downloaded(
  context: FileContext,
  url: string,
  allowed: readonly FileKind[],
  fileName: string | undefined,
) {
  const found = await context.download(url, { allowed, fileName, now: new Date(Number(context.now()) * 1000) });
  if (found.kind === 'refused') {
    // Only the host: the rest of the address may contain a secret.
    context.warn(`An attachment from ${URL.parse(url)?.host || 'no address'} was left out: ${found.reason}`);
    return { file_name: fileName ?? '', content_type: '', content: null, url, failure: found.reason };
  }
  return { ...columnsOf(found.value), url, failure: '' };
}

const columnsOf = (file: { bytes: Uint8Array; fileName: string; contentType: string }) => ({
  file_name: file.fileName,
  content_type: file.contentType,
  content: file.bytes,
});

/** Stores files with a document. @param owner the id of the document */
export const storeAttachments = (
  context: EndpointContext,
  owner: Pick<NewRow<'attachment'>, `${'sales_invoice' | 'sales_order' | 'purchase_invoice' | 'periodic_invoice'}_id`>,
  attachments: readonly ReadyAttachment[],
): Promise<void> =>
  insertRows(
    context.db,
    'attachment',
    attachments.map((attachment) => ({ ...attachment, ...owner, created_on: context.now() })),
  );
