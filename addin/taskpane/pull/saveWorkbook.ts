import type { Service } from '../../../shared/client/client.ts';
import { exportBytes, type ListedExport } from '../../../shared/client/exportClient.ts';
import { openWorkbook } from '../../excel/openWorkbook.ts';
import { canDownload, download } from '../download.ts';

/** What became of the workbook of an export. */
export type SavedWorkbook = { fileName: string; where: 'downloads' | 'another window' };

/** Saves the workbook of an export where the browser puts what it downloads; where nothing can be downloaded, opens it. */
export async function saveWorkbook(service: Service, one: ListedExport, signal: AbortSignal): Promise<SavedWorkbook> {
  // A link would go without the credential, which stands in headers.
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of exportBytes(service, one, 'relations.xlsx', signal)) pieces.push(piece);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const file = new Blob(pieces, { type });
  const fileName = `relations-${one.date}.xlsx`;
  if (!canDownload()) {
    await openWorkbook(new Uint8Array(await file.arrayBuffer()));
    return { fileName, where: 'another window' };
  }
  download(file, fileName);
  return { fileName, where: 'downloads' };
}
