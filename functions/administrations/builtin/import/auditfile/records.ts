import { UnreadableFile } from '../../files/source.ts';
import { isAuditfile, namespaces } from './namespaces.ts';
import type { XmlHandlers } from './xml.ts';

/** Elements with their texts and lines. Lists: a file has millions of elements, each with few others beside it. */
class XmlValues {
  readonly #names: string[] = [];
  readonly #texts: string[] = [];
  readonly #lines: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(name: string, text: string, line: number): void {
    const place = this.#size++;
    this.#names[place] = name;
    this.#texts[place] = text;
    this.#lines[place] = line;
  }

  clear(): void {
    this.#size = 0;
  }

  /** The text of the first element of that name. */
  text(name: string): string | undefined {
    return this.#texts[this.#placeOf(name)];
  }

  /** The line of the first element of that name. */
  line(name: string): number | undefined {
    return this.#lines[this.#placeOf(name)];
  }

  #placeOf(name: string): number {
    const place = this.#names.indexOf(name);
    return place < this.#size ? place : -1;
  }
}

/** An element with its values and parts, and their lines. */
export type XmlRecord = { line: number; values: XmlValues; parts: readonly XmlPart[] };
export type XmlPart = { name: string; values: Map<string, string> };

/** The text of an element of a record; "" when it has none. */
export const textOf = ({ values }: Pick<XmlRecord, 'values'>, element: string): string => values.text(element) ?? '';
/** The line of an element of a record; without that element, of the record. */
export const lineOf = ({ line, values }: Pick<XmlRecord, 'line' | 'values'>, element: string): number =>
  values.line(element) ?? line;

/** Elements of a record or container, which are held in memory until it ends. */
const MAX_ELEMENTS = 10_000;

/** A record whose end is not read yet. */
type OpenRecord = XmlRecord & { name: string; depth: number; parts: XmlPart[] };

/** Former states of a relation or an account: they have records of their own. */
const histories = new Set(['customerSupplierHistory', 'glAccountHistory']);

const lines = new Set(['obLine', 'trLine', 'sbLine', 'obSbLine']);
const records = new Set(['header', 'customerSupplier', 'ledgerAccount', 'vatCode', 'period', ...lines]);

/** An element that contains records, and declares totals of them. */
export type Container = { element: string; line: number; values: XmlValues };
const containers = new Set([
  ...['company', 'openingBalance', 'transactions', 'subledger', 'obSubledger', 'journal', 'transaction'],
]);

/**
 * Assembles the records of an auditfile from its elements.
 * @param handlers called with each record and its containers, and with each container when it ends. The record of a line
 *   is that of the next line too: who keeps it copies it
 */
export function recordReader(handlers: {
  record: (name: string, record: XmlRecord, within: readonly Container[]) => void;
  container: (container: Container, within: readonly Container[]) => void;
}): XmlHandlers & {
  /** Whether the root has ended. */
  isComplete: () => boolean;
} {
  const open: string[] = [];
  const within: Container[] = [];
  let record: OpenRecord | undefined;
  // One for millions. V8 makes objects where only a long collection of garbage finds them when it sees that many of the
  // same kind are kept, as those of relations are.
  const line: OpenRecord = { name: '', depth: 0, line: 0, values: new XmlValues(), parts: [] };
  /** The element of the record that is open, if it has elements itself. */
  let part: XmlPart | undefined;
  let namespace = '';
  let isComplete = false;
  let elements = 0;
  /** How deep the former states of a relation or an account are, which are no records; 0 outside of them. */
  let historyDepth = 0;

  const opened = (local: string, uri: string, at: number) => {
    if (open.length === 0) {
      checkRoot(local, uri, at);
      namespace = uri;
    }
    // Elements of another namespace are extensions.
    const name = uri === namespace ? local : `${uri} ${local}`;
    open.push(name);
    if (historyDepth === 0 && histories.has(name)) historyDepth = open.length;
    if (record !== undefined) {
      elements++;
      if (elements > MAX_ELEMENTS) tooMany(at);
    } else if (historyDepth === 0 && records.has(name)) {
      elements = 0;
      const of = { name, depth: open.length, line: at };
      if (lines.has(name)) {
        record = Object.assign(line, of);
        record.values.clear();
        record.parts.length = 0;
      } else record = { ...of, values: new XmlValues(), parts: [] };
    } else if (containers.has(name)) within.push({ element: name, line: at, values: new XmlValues() });
  };

  const closedInRecord = (of: NonNullable<typeof record>, name: string, text: string, line: number) => {
    if (open.length === of.depth - 1) {
      record = undefined;
      handlers.record(of.name, of, within);
    } else if (open.length === of.depth) {
      // The text of an element with elements is not needed.
      of.values.add(name, text, line);
      part = undefined;
    } else if (open.length === of.depth + 1 && historyDepth === 0) {
      if (part === undefined) {
        part = { name: open.at(-1)!, values: new Map() };
        of.parts.push(part);
      }
      part.values.set(name, text);
    }
  };

  const closed = (text: string, line: number) => {
    const name = open.pop()!;
    if (historyDepth > open.length) historyDepth = 0;
    if (record !== undefined) {
      closedInRecord(record, name, text, line);
      return;
    }
    const container = within.at(-1);
    if (name === container?.element) handlers.container(within.pop()!, within);
    else if (container !== undefined && open.at(-1) === container.element) {
      container.values.add(name, text, line);
      if (container.values.size > MAX_ELEMENTS) tooMany(line);
    }
    if (open.length === 0) isComplete = true;
  };

  return { opened, closed, isComplete: () => isComplete };
}

function tooMany(line: number): never {
  throw new UnreadableFile(
    line,
    `expected at most ${MAX_ELEMENTS.toLocaleString('en')} elements in a record, got more`,
  );
}

function checkRoot(name: string, uri: string, line: number): void {
  if (name === 'auditfile' && isAuditfile(uri)) return;
  const version = /XAF\/(\d+(?:\.\d+)*)$/i.exec(uri)?.[1];
  const got =
    version !== undefined
      ? `version ${version}`
      : `an element <${name}> ${uri === '' ? 'of no namespace' : `of ${uri}`}`;
  const versions = Object.keys(namespaces).reverse().join(', ');
  throw new UnreadableFile(
    line,
    `expected an XML Auditfile Financieel of one of the versions ${versions} (<auditfile xmlns="${namespaces['4.0']}">), got ${got}`,
  );
}
