import { strToU8, type Zippable, zipSync } from 'fflate';

/*
 * Small files of every kind, in their formats.
 */

const text = (content: string) => Buffer.from(content, 'latin1');

export const pdf = text('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');
export const jpg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
export const gif = Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex');
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const html = text('<!doctype html><html><body>Sign in first</body></html>');
export const program = text(
  'MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00This program cannot be run in DOS mode',
);

const OFFICE = 'http://schemas.openxmlformats.org';
const types = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="${OFFICE}/package/2006/content-types">${inside}</Types>`;
const relationships = (target: string) =>
  `<?xml version="1.0"?><Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId2" Type="${OFFICE}/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`;

/** An Office Open XML package with a main part of a content type, and further parts. */
export function officePackage(
  part: string,
  contentType: string,
  more: { types?: string; relationships?: string; parts?: Record<string, string>; compressed?: boolean } = {},
): Uint8Array {
  const files: Record<string, string> = {
    '[Content_Types].xml': types(
      more.types ??
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${contentType}"/>`,
    ),
    '_rels/.rels': more.relationships ?? relationships(part),
    [part]: '<document/>',
    ...more.parts,
  };
  const level = more.compressed === false ? 0 : 6;
  // To compress nothing takes half a millisecond each time.
  const packed = Object.entries(files).map(([name, content]) => [
    name,
    [strToU8(content), { level: content === '' ? 0 : level }],
  ]);
  return zipSync(Object.fromEntries(packed) as Zippable);
}
export { relationships as packageRelationships };

export const wordMain = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
export const sheetMain = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
export const docx = officePackage('word/document.xml', wordMain);
export const xlsx = officePackage('xl/workbook.xml', sheetMain);

export type Entry = { name: string; inside?: Entry[] };

/**
 * An OLE compound file with streams and storages (entries with others inside).
 * @param options.before empty sectors before the directory, for a directory deep in a large file
 */
export function compoundFile(entries: Entry[], { before = 0 } = {}): Buffer {
  const END = 0xfffffffe;
  const NONE = 0xffffffff;
  const directory: Buffer[] = [];
  const record = (name: string, type: number) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    entry.writeUInt16LE((name.length + 1) * 2, 64);
    entry.writeUInt8(type, 66);
    for (const at of [68, 72, 76]) entry.writeUInt32LE(NONE, at);
    entry.writeUInt32LE(END, 116);
    return { entry, index: directory.push(entry) - 1 };
  };
  /** Adds a balanced tree of siblings. @returns the index of its root */
  function tree(some: Entry[]): number {
    const middle = some[some.length >> 1];
    if (middle === undefined) return NONE;
    const { entry, index } = record(middle.name, middle.inside === undefined ? 2 : 1);
    entry.writeUInt32LE(tree(some.slice(0, some.length >> 1)), 68);
    entry.writeUInt32LE(tree(some.slice((some.length >> 1) + 1)), 72);
    entry.writeUInt32LE(tree(middle.inside ?? []), 76);
    return index;
  }
  const root = record('Root Entry', 5).entry;
  root.writeUInt32LE(tree(entries), 76);
  while (directory.length % 4 !== 0) directory.push(Buffer.alloc(128));

  const directorySectors = directory.length / 4;
  let tables = 1;
  let lists = 0;
  const total = () => tables + lists + before + directorySectors;
  while (tables * 128 < total() || 109 + lists * 127 < tables) {
    if (tables * 128 < total()) tables += 1;
    else lists += 1;
  }

  const start = tables + lists + before;
  const table = Buffer.alloc(tables * 512, 0xff);
  for (let sector = 0; sector < tables; sector++) table.writeUInt32LE(0xfffffffd, sector * 4);
  for (let sector = tables; sector < tables + lists; sector++) table.writeUInt32LE(0xfffffffc, sector * 4);
  for (let sector = start; sector < start + directorySectors; sector++) {
    table.writeUInt32LE(sector + 1 < start + directorySectors ? sector + 1 : END, sector * 4);
  }

  const header = Buffer.alloc(512);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tables, 44);
  header.writeUInt32LE(start, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(lists > 0 ? tables : END, 68);
  header.writeUInt32LE(lists, 72);
  const further = Buffer.alloc(lists * 512, 0xff);
  for (let index = 0; index < 109; index++) header.writeUInt32LE(index < tables ? index : NONE, 76 + index * 4);
  for (let index = 109; index < tables; index++) {
    const list = Math.floor((index - 109) / 127);
    further.writeUInt32LE(index, list * 512 + ((index - 109) % 127) * 4);
  }
  for (let list = 0; list < lists; list++) {
    further.writeUInt32LE(list + 1 < lists ? tables + list + 1 : END, list * 512 + 508);
  }
  return Buffer.concat([header, table, further, Buffer.alloc(before * 512), ...directory]);
}

export const doc = compoundFile([{ name: '1Table' }, { name: 'WordDocument' }, { name: '\u0005SummaryInformation' }]);
export const xls = compoundFile([{ name: 'Workbook' }, { name: '\u0005SummaryInformation' }]);
