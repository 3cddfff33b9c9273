import type { Service } from '../../../shared/client/client.ts';
import { exportBytes, type ListedExport } from '../../../shared/client/exportClient.ts';
import { openWorkbook } from '../../excel/openWorkbook.ts';

/** Milliseconds for which a browser may still be reading what it saves. */
const SAVING_MS = 60_000;

/** Whether a pane in this Excel can download: on a Mac and an iPad nothing happens (OfficeDev/office-js#2700). */
const canDownload = (): boolean =>
  Office.context.platform !== Office.PlatformType.Mac && Office.context.platform !== Office.PlatformType.iOS;

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
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING_MS);
  return { fileName, where: 'downloads' };
}
