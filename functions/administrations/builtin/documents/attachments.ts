import type { AttachmentInput } from '../../../../shared/resources/document.ts';
import { decodeFile } from '../attachments/decodeFile.ts';
import type { downloadFile } from '../attachments/download.ts';
import type { FileKind } from '../attachments/fileKind.ts';
import type { EndpointContext, LoggingContext } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import { flag, type NewRow } from '../sql/schema.ts';

/** The context of an endpoint that accepts files. */
export type FileContext = LoggingContext & { download: typeof downloadFile };

/** A file that is ready to be stored with a document, or why there is none. */
export type ReadyAttachment = Pick<
  NewRow<'attachment'>,
  'file_name' | 'content_type' | 'content' | 'url' | 'failure' | 'is_internal'
>;

/** The document an attachment belongs to. */
type Owner =
  | { sales_invoice_id: bigint }
  | { sales_order_id: bigint }
  | { purchase_invoice_id: bigint }
  | { periodic_invoice_id: bigint };

/**
 * Decodes files and downloads those given by an address. Call it before the transaction: others must not wait for a
 * download. For a file that cannot be downloaded the reason is stored. Content that cannot be stored is refused.
 * @param path the request's name for the list, for the errors
 * @throws Problem INVALID_REQUEST
 */
export async function readyAttachments(
  scope: FileContext,
  given: readonly AttachmentInput[],
  allowed: readonly FileKind[],
  path: string,
): Promise<ReadyAttachment[]> {
  // Content first, so that a refusal comes before any download.
  const files = given.map(({ FileContent, FileName = '' }, index) =>
    FileContent === undefined ? undefined : decodeFile({ FileContent, FileName }, `${path}[${index}]`, allowed),
  );
  return Promise.all(
    given.map(async ({ FileUrl = '', FileName, Internal }, index): Promise<ReadyAttachment> => {
      const file = files[index];
      const ready =
        file === undefined
          ? await downloaded(scope, FileUrl, allowed, FileName)
          : { ...columnsOf(file), url: '', failure: '' };
      return { ...ready, is_internal: flag(Internal) };
    }),
  );
}

/** Downloads the one file that a bookkeeping document may have. */
export async function readyFile(
  scope: FileContext,
  url: string | undefined,
  allowed: readonly FileKind[],
): Promise<ReadyAttachment[]> {
  return url === undefined ? [] : [{ ...(await downloaded(scope, url, allowed, undefined)), is_internal: 0n }];
}

async function downloaded(scope: FileContext, url: string, allowed: readonly FileKind[], fileName: string | undefined) {
  const file = await scope.download(url, { allowed, fileName, now: new Date(Number(scope.now()) * 1000) });
  if ('failure' in file) {
    // Only the host: the rest of the address may contain a secret.
    scope.log(`An attachment from ${URL.parse(url)?.host || 'no address'} was left out: ${file.failure}`);
    return { file_name: fileName ?? '', content_type: '', content: null, url, failure: file.failure };
  }
  return { ...columnsOf(file), url, failure: '' };
}

const columnsOf = (file: { bytes: Uint8Array; fileName: string; contentType: string }) => ({
  file_name: file.fileName,
  content_type: file.contentType,
  content: file.bytes,
});

/** Stores files with a document. */
export const storeAttachments = (
  scope: EndpointContext,
  owner: Owner,
  attachments: readonly ReadyAttachment[],
): Promise<void> =>
  insertRows(
    scope.db,
    'attachment',
    attachments.map((attachment) => ({ ...attachment, ...owner, created_on: scope.now() })),
  );
