const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ENTRY_SIZE = 128;
const STREAM = 2;

/**
 * The names of the streams at the root of an OLE compound file, which tell Word's old format from Excel's. Streams of
 * embedded documents are left out: a letter that contains a sheet is a letter. Anything that is not a valid compound
 * file has none. The format is [MS-CFB].
 */
export function rootStreams(bytes: Uint8Array): string[] {
  if (!SIGNATURE.every((byte, index) => bytes[index] === byte)) return [];
  try {
    return streamsBelowRoot(readDirectory(bytes));
  } catch (error) {
    // Every offset comes from the file itself: reading outside it means the file is broken.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function readDirectory(bytes: Uint8Array): DataView[] {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorSize = 2 ** file.getUint16(30, true);
  if (sectorSize !== 512 && sectorSize !== 4096) throw new RangeError('no such sector size');
  const entriesPerSector = sectorSize / 4;
  const most = bytes.length / sectorSize;

  const offsetOf = (sector: number) => (sector + 1) * sectorSize;
  const numberAt = (sector: number, index: number) => file.getUint32(offsetOf(sector) + index * 4, true);

  // The header lists the first 109 sectors of the allocation table; the others are in a chain of lists.
  function tableSector(index: number): number {
    if (index < 109) return file.getUint32(76 + index * 4, true);
    const perList = entriesPerSector - 1;
    let list = file.getUint32(68, true);
    for (let skip = Math.floor((index - 109) / perList); skip > 0; skip--) list = numberAt(list, perList);
    return numberAt(list, (index - 109) % perList);
  }

  function entryAt(start: number): DataView {
    const entry = bytes.subarray(start, start + ENTRY_SIZE);
    if (entry.length < ENTRY_SIZE) throw new RangeError('the directory goes past the end');
    return new DataView(entry.buffer, entry.byteOffset, ENTRY_SIZE);
  }

  const entries: DataView[] = [];
  let sector = file.getUint32(48, true);
  for (let read = 0; sector < 0xfffffffa; read++) {
    if (read > most) throw new RangeError('the directory is circular');
    for (let at = 0; at < sectorSize; at += ENTRY_SIZE) {
      entries.push(entryAt(offsetOf(sector) + at));
    }
    sector = numberAt(tableSector(Math.floor(sector / entriesPerSector)), sector % entriesPerSector);
  }
  return entries;
}

/** Each storage has its entries in a binary tree; the root names its first child. */
function streamsBelowRoot(entries: readonly DataView[]): string[] {
  const names: string[] = [];
  const seen = new Set<number>();
  const waiting = entries[0] === undefined ? [] : [entries[0].getUint32(76, true)];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const entry = entries[index];
    if (entry === undefined || seen.has(index)) continue;
    seen.add(index);
    if (entry.getUint8(66) === STREAM) names.push(nameOf(entry));
    waiting.push(entry.getUint32(68, true), entry.getUint32(72, true));
  }
  return names;
}

function nameOf(entry: DataView): string {
  const length = Math.min(entry.getUint16(64, true), 64) / 2 - 1;
  let name = '';
  for (let index = 0; index < length; index++) name += String.fromCharCode(entry.getUint16(index * 2, true));
  return name;
}
