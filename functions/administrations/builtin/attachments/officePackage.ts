import { unzipSync } from 'fflate';
import { readMarkup } from '../../../../shared/markup.ts';

const TYPES = '[Content_Types].xml';
const RELATIONSHIPS = '_rels/.rels';

/** What the packages of a request may still hold together: far above real documents. */
export type PackageBudget = {
  /** Entries of their directories. */
  entries: number;
  /** Unpacked bytes of the parts that are read. */
  bytes: number;
};

/** The budget of one request: reading as much takes a tenth of a second. */
export const packageBudget = (): PackageBudget => ({ entries: 20_000, bytes: 1024 * 1024 });

/** The most bytes of a part that is read, before decompression. */
const MAX_COMPRESSED = 256 * 1024;

/**
 * The content type of the main part of an Office Open XML package: what makes it a document, a workbook, or one of
 * those with macros. `undefined` for anything that is not a valid package.
 * @param budget is lowered by what the package holds; below zero, the package was not read
 */
export function mainPart(bytes: Uint8Array, budget: PackageBudget): string | undefined {
  const zip = readZip(bytes, budget);
  const types = zip?.parts.get(TYPES);
  const relationships = zip?.parts.get(RELATIONSHIPS);
  if (zip === undefined || types === undefined || relationships === undefined) return undefined;

  let main: string | undefined;
  readElements(relationships, (name, attributes) => {
    if (name === 'Relationship' && /\/officeDocument$/.test(attributes.Type ?? '')) main ??= attributes.Target;
  });
  if (main === undefined) return undefined;
  const part = main.replace(/^\/|^\.\//, '');
  if (!zip.names.has(part)) return undefined;

  let override: Attributes | undefined;
  let byEnding: Attributes | undefined;
  readElements(types, (name, attributes) => {
    if (name === 'Override' && attributes.PartName?.toLowerCase() === `/${part}`.toLowerCase()) override ??= attributes;
    const ending = `.${(attributes.Extension ?? '').toLowerCase()}`;
    if (name === 'Default' && part.toLowerCase().endsWith(ending)) byEnding ??= attributes;
  });
  return (override ?? byEnding)?.ContentType;
}

/** The names in a zip and the text of the two parts that determine its kind; `undefined` for an invalid zip. */
function readZip(
  bytes: Uint8Array,
  budget: PackageBudget,
): { names: Set<string>; parts: Map<string, string> } | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined;
  const names = new Set<string>();
  try {
    const files = unzipSync(bytes, {
      // Called for each entry of the directory. A malicious file may contain any number, names and sizes.
      filter: ({ name, size, originalSize }) => {
        const isNew = !names.has(name);
        names.add(name);
        if (!isNew || --budget.entries < 0) throw new Error('not a directory an office program writes');
        if ((name !== TYPES && name !== RELATIONSHIPS) || size > MAX_COMPRESSED) return false;
        budget.bytes -= originalSize;
        return budget.bytes >= 0;
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

type Attributes = Readonly<Record<string, string>>;

/** Reads the start tags of XML one by one: a list of them takes a hundred times the memory of the text. */
function readElements(xml: string, read: (name: string, attributes: Attributes) => void): void {
  // Some programs write a namespace prefix before every element.
  readMarkup(xml, { open: (name, attributes) => read(name.replace(/^.*:/, ''), attributes) }, { xml: true });
}
