import type { Service } from '../../../shared/client/client.ts';
import { exportBytes, type ListedExport } from '../../../shared/client/exportClient.ts';
import { openWorkbook } from '../../excel/openWorkbook.ts';
import { canDownload, download } from '../download.ts';

/** The result of saving the workbook of an export. */
export type SavedWorkbook = { fileName: string; where: 'downloads' | 'window' };

/** Downloads the workbook of an export; where a pane cannot download, opens it instead. */
export async function saveWorkbook(service: Service, one: ListedExport, signal: AbortSignal): Promise<SavedWorkbook> {
  // A link would lack the credential, which is in headers.
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of exportBytes(service, one, 'relations.xlsx', signal)) pieces.push(piece);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const file = new Blob(pieces, { type });
  const fileName = `relations-${one.date}.xlsx`;
  if (!canDownload()) {
    await openWorkbook(new Uint8Array(await file.arrayBuffer()));
    return { fileName, where: 'window' };
  }
  download(file, fileName);
  return { fileName, where: 'downloads' };
}
