import { bytesOf, type NamedFile } from '../../../../shared/client/auditfileClient.ts';
import { orderedParts, PART_START } from '../../../../shared/resources/generalLedger/auditfileYear.ts';

/**
 * The audit file that was chosen: one file, or all that it was split into, in any order.
 * @returns undefined when they are not all files of one
 * @throws UnreadableFile
 */
export async function wholeFile(chosen: readonly File[]): Promise<NamedFile | undefined> {
  const parts = await Promise.all(
    chosen.map(async (file) => ({ file, start: new TextDecoder().decode(await bytesOf(file.slice(0, PART_START))) })),
  );
  const ordered = orderedParts(parts)?.map(({ file }) => file);
  const [first, ...further] = ordered ?? [];
  return first === undefined || further.length === 0 ? first : new File([first, ...further], first.name);
}
