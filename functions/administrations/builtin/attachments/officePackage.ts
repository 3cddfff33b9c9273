import { unzipSync } from 'fflate';
import { readMarkup } from '../../../../shared/markup.ts';

const TYPES = '[Content_Types].xml';
const RELATIONSHIPS = '_rels/.rels';

/**
 * Limits for the number of entries, and for the size of a part before and after decompression: far above real
 * documents.
 */
const MAX_ENTRIES = 20_000;
const MAX_COMPRESSED = 256 * 1024;
const MAX_PLAIN = 1024 * 1024;

/**
 * The content type of the main part of an Office Open XML package: what makes it a document, a workbook, or one of
 * those with macros. `undefined` for anything that is not a valid package.
 */
export function mainPart(bytes: Uint8Array): string | undefined {
  const zip = readZip(bytes);
  const types = zip?.parts.get(TYPES);
  const relationships = zip?.parts.get(RELATIONSHIPS);
  if (zip === undefined || types === undefined || relationships === undefined) return undefined;

  const main = elements(relationships).find(
    ({ name, attributes }) => name === 'Relationship' && /\/officeDocument$/.test(attributes.Type ?? ''),
  )?.attributes.Target;
  if (main === undefined) return undefined;
  const part = main.replace(/^\/|^\.\//, '');
  if (!zip.names.has(part)) return undefined;

  const declared = elements(types);
  const override = declared.find(
    ({ name, attributes }) => name === 'Override' && attributes.PartName?.toLowerCase() === `/${part}`.toLowerCase(),
  );
  const byEnding = declared.find(
    ({ name, attributes }) =>
      name === 'Default' && part.toLowerCase().endsWith(`.${(attributes.Extension ?? '').toLowerCase()}`),
  );
  return (override ?? byEnding)?.attributes.ContentType;
}

/** The names in a zip and the text of the two parts that determine its kind; `undefined` for an invalid zip. */
function readZip(bytes: Uint8Array): { names: Set<string>; parts: Map<string, string> } | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined;
  const names = new Set<string>();
  try {
    const files = unzipSync(bytes, {
      // Called for each entry of the directory. A malicious file may contain any number, names and sizes.
      filter: ({ name, size, originalSize }) => {
        const isNew = !names.has(name);
        names.add(name);
        if (!isNew || names.size > MAX_ENTRIES) throw new Error('not a directory an office program writes');
        return (name === TYPES || name === RELATIONSHIPS) && size <= MAX_COMPRESSED && originalSize <= MAX_PLAIN;
      },
    });
    const parts = Object.entries(files).map(([name, part]) => [name, textOf(part)] as const);
    return { names, parts: new Map(parts) };
  } catch {
    return undefined;
  }
}

/** Text of an XML part, which may be UTF-16 as well as UTF-8. */
function textOf(part: Uint8Array): string {
  const encoding = part[0] === 0xff && part[1] === 0xfe ? 'utf-16le' : part[0] === 0xfe ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(part);
}

type Element = { name: string; attributes: Readonly<Record<string, string>> };

function elements(xml: string): Element[] {
  const found: Element[] = [];
  // Some programs write a namespace prefix before every element.
  const open = (name: string, attributes: Element['attributes']) =>
    found.push({ name: name.replace(/^.*:/, ''), attributes });
  readMarkup(xml, { open }, { xml: true });
  return found;
}
