/**
 * Whether a page in this Excel can save what it makes. In Excel for Mac and on an iPad a download does nothing at all
 * (OfficeDev/office-js#2700).
 */
export const canDownload = (): boolean =>
  Office.context.platform !== Office.PlatformType.Mac && Office.context.platform !== Office.PlatformType.iOS;

/** Opens a workbook beside this one. @param bytes of an .xlsx file */
export async function openWorkbook(bytes: Uint8Array): Promise<void> {
  // In parts: a call takes only so many arguments.
  let text = '';
  for (let start = 0; start < bytes.length; start += PART) {
    text += String.fromCharCode(...bytes.subarray(start, start + PART));
  }
  await Excel.createWorkbook(btoa(text));
}

const PART = 0x8000;
