/** The most characters of a file name that file systems allow. */
export const MAX_FILE_NAME = 255;

/**
 * A file name as it is stored and offered for download: without folders, control characters, characters that turn the
 * direction of writing (they make `exe.pdf` out of `fdp.exe`), those no Windows name may have, and dots or spaces
 * around it.
 */
export function cleanFileName(given: string): string {
  return given
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu, '')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
}
