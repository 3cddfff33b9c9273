import type { Service } from '../../shared/client.ts';
import { exportBytes, type ListedExport } from '../../shared/exportClient.ts';

/** Milliseconds for which a browser may still be reading what it saves. */
const SAVING = 60_000;

/** Saves the workbook of an export where the browser puts what it downloads. @returns the name of the file */
export async function saveWorkbook(service: Service, one: ListedExport, signal: AbortSignal): Promise<string> {
  // A link would go without the credential, which stands in headers.
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of exportBytes(service, one, 'relations.xlsx', signal)) pieces.push(piece);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const address = URL.createObjectURL(new Blob(pieces, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `relations-${one.date}.xlsx`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING);
  return link.download;
}
