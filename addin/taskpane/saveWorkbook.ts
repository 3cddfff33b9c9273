import { type Service, send } from '../../shared/client.ts';
import { type ExportName, exportPath } from '../../shared/exportClient.ts';

/** Milliseconds for which a browser may still be reading what it saves. */
const SAVING = 60_000;

/** Saves the workbook of an export where the browser puts what it downloads. @returns the name of the file */
export async function saveWorkbook(service: Service, name: ExportName, signal: AbortSignal): Promise<string> {
  // A link would go without the credential, which stands in headers.
  const response = await send(service, { method: 'GET', target: exportPath(name, 'relations.xlsx'), signal });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `relations-${name.date}.xlsx`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING);
  return link.download;
}
