import { UnreadableFile } from '../../files/source.ts';
import { isAuditfile, namespaces } from './namespaces.ts';
import type { XmlEvent } from './xml.ts';

type XmlValue = { text: string; line: number };
/** An element with its values and parts, and their lines. */
export type XmlRecord = { line: number; values: Map<string, XmlValue>; parts: XmlPart[] };
export type XmlPart = { name: string; values: Map<string, string> };

/** The text of an element of a record; "" when it has none. */
export const textOf = ({ values }: Pick<XmlRecord, 'values'>, element: string): string =>
  values.get(element)?.text ?? '';
/** The line of an element of a record; without that element, of the record. */
export const lineOf = ({ line, values }: Pick<XmlRecord, 'line' | 'values'>, element: string): number =>
  values.get(element)?.line ?? line;

/** Elements of a record or container, which are held in memory until it ends. */
const MAX_ELEMENTS = 10_000;

const records = new Set([
  ...['header', 'customerSupplier', 'ledgerAccount', 'vatCode', 'period'],
  ...['obLine', 'trLine', 'sbLine', 'obSbLine'],
]);

/** An element that contains records, and declares totals of them. */
export type Container = { element: string; line: number; values: Map<string, XmlValue> };
const containers = new Set([
  ...['company', 'openingBalance', 'transactions', 'subledger', 'obSubledger', 'journal', 'transaction'],
]);

/**
 * Assembles the records of an auditfile from its elements.
 * @param handlers called with each record and its containers, and with each container when it ends
 */
export function recordReader(handlers: {
  record: (name: string, record: XmlRecord, within: readonly Container[]) => void;
  container: (container: Container, within: readonly Container[]) => void;
}) {
  const open: string[] = [];
  const within: Container[] = [];
  let record: (XmlRecord & { name: string; depth: number }) | undefined;
  let namespace = '';
  let isComplete = false;
  let elements = 0;

  const opened = ({ name: local, uri, line }: XmlEvent) => {
    if (open.length === 0) {
      checkRoot(local, uri, line);
      namespace = uri;
    }
    // Elements of another namespace are extensions.
    const name = uri === namespace ? local : `${uri} ${local}`;
    open.push(name);
    // Records of former states of a relation or an account are history.
    const isHistory = open.some((above) => above === 'customerSupplierHistory' || above === 'glAccountHistory');
    if (record !== undefined) {
      elements++;
      if (elements > MAX_ELEMENTS) tooMany(line);
      if (open.length === record.depth + 1 && !isHistory) record.parts.push({ name, values: new Map() });
    } else if (records.has(name) && !isHistory) {
      elements = 0;
      record = { name, depth: open.length, line, values: new Map(), parts: [] };
    } else if (containers.has(name)) within.push({ element: name, line, values: new Map() });
  };

  const closedInRecord = (of: NonNullable<typeof record>, name: string, { text, line }: XmlEvent) => {
    if (open.length === of.depth - 1) {
      handlers.record(of.name, of, within);
      record = undefined;
    } else if (open.length === of.depth) {
      // The text of an element with elements is not needed.
      if (of.parts.at(-1)?.values.size === 0) of.parts.pop();
      if (!of.values.has(name)) of.values.set(name, { text, line });
    } else if (open.length === of.depth + 1) of.parts.at(-1)?.values.set(name, text);
  };

  const closed = (event: XmlEvent) => {
    const name = open.pop()!;
    if (record !== undefined) {
      closedInRecord(record, name, event);
      return;
    }
    const container = within.at(-1);
    if (name === container?.element) handlers.container(within.pop()!, within);
    else if (container !== undefined && open.at(-1) === container.element) {
      container.values.set(name, { text: event.text, line: event.line });
      if (container.values.size > MAX_ELEMENTS) tooMany(event.line);
    }
    if (open.length === 0) isComplete = true;
  };

  return {
    take: (event: XmlEvent): void => (event.kind === 'open' ? opened(event) : closed(event)),
    /** Whether the root has ended. */
    isComplete: (): boolean => isComplete,
  };
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
