/** Milliseconds that a browser may need to save a file. */
const SAVING_MS = 60_000;

/** Whether a pane in this Excel can download files: not on a Mac or an iPad (OfficeDev/office-js#2700). */
export const canDownload = (): boolean =>
  Office.context.platform !== Office.PlatformType.Mac && Office.context.platform !== Office.PlatformType.iOS;

/** Downloads a file. */
export function download(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING_MS);
}
