/** Milliseconds for which a browser may still be reading what it saves. */
const SAVING_MS = 60_000;

/** Whether a pane in this Excel can download: on a Mac and an iPad nothing happens (OfficeDev/office-js#2700). */
export const canDownload = (): boolean =>
  Office.context.platform !== Office.PlatformType.Mac && Office.context.platform !== Office.PlatformType.iOS;

/** Saves a file where the browser puts what it downloads. */
export function download(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING_MS);
}
