import type { Service } from '../../../shared/client/client.ts';
import { type DocumentForm, linkToDocument, readDocument } from '../../../shared/client/documentClient.ts';
import { canDownload, download } from '../download.ts';

/** Where a document was opened. `link`: nowhere yet, the user opens it by this address. */
export type OpenedDocument =
  | { fileName: string; where: 'downloads' | 'browser' | 'window' }
  | { fileName: string; where: 'link'; address: string };

/**
 * Opens a document of an invoice by the first way that this Excel supports: a download, the browser of the computer, or
 * a window of Excel. The last two cannot send a credential, so they get a link that works once.
 * @throws Problem, Unreachable, the reason of the signal
 */
export async function openDocument(
  service: Service,
  invoiceNumber: string,
  form: DocumentForm,
  signal: AbortSignal,
): Promise<OpenedDocument> {
  const fileName = `${invoiceNumber}.${form}`;
  if (canDownload()) {
    download(await readDocument(service, invoiceNumber, form, signal), fileName);
    return { fileName, where: 'downloads' };
  }
  const address = await linkToDocument(service, invoiceNumber, form, signal);
  const { requirements, ui } = Office.context;
  if (requirements.isSetSupported('OpenBrowserWindowApi', '1.1')) {
    ui.openBrowserWindow(address);
    return { fileName, where: 'browser' };
  }
  const isShown = requirements.isSetSupported('DialogApi', '1.1') && (await showWindow(address));
  return isShown ? { fileName, where: 'window' } : { fileName, where: 'link', address };
}

/** @returns whether Excel shows the window: it allows one at a time, and the user may refuse it */
const showWindow = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    Office.context.ui.displayDialogAsync(address, { height: 90, width: 60 }, ({ status }) =>
      resolve(status === Office.AsyncResultStatus.Succeeded),
    );
  });
