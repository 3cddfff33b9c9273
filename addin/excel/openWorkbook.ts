import { WorkbookProblem, workbookProblem } from './workbookProblem.ts';

/** Excel on the web accepts requests of up to 5 MB, and base64 makes four characters of three bytes. */
export const MAX_WORKBOOK_BYTES = 3_500_000;

/**
 * Opens a workbook in a new window, for platforms where a pane cannot download, such as a Mac
 * (OfficeDev/office-js#2700). Excel waits by itself while a cell is being edited.
 * @param bytes of an .xlsx file
 * @throws WorkbookProblem TOO_LARGE for more than MAX_WORKBOOK_BYTES
 */
export async function openWorkbook(bytes: Uint8Array): Promise<void> {
  if (bytes.length > MAX_WORKBOOK_BYTES) throw new WorkbookProblem('TOO_LARGE');
  try {
    await Excel.createWorkbook(base64Of(bytes));
  } catch (error) {
    throw workbookProblem(error);
  }
}

/** Bytes that `String.fromCharCode` takes as arguments at once. */
const CHUNK_BYTES = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(text);
}
