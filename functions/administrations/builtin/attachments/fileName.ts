/** The most characters of a file name that file systems allow. */
export const MAX_FILE_NAME = 255;

/**
 * A file name as it is stored and downloaded: without folders, control characters, characters that change the direction
 * of writing (they show `fdp.exe` as `exe.pdf`), characters that Windows does not allow, and dots or spaces around it.
 */
export function cleanFileName(name: string): string {
  return name
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu, '')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
}
