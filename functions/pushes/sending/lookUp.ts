import { endpointOf, type PushedName, pushRulesOf } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import { groupBy } from '../../../shared/groupBy.ts';
import { Problem } from '../../../shared/problem.ts';
import type { DocumentFacts } from '../../../shared/pushRules.ts';
import { readRequest } from '../../../shared/readRequest.ts';
import type { PushedWrite } from '../../../shared/resources/push.ts';
import { invoiceId, type SalesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { addDays, type CalendarDate, dateIn, daysBetween, writeDate } from '../../../shared/wire/calendarDate.ts';
import { Encoded } from '../../../shared/wire/encode.ts';
import { parseJson } from '../../../shared/wire/json.ts';
import type { Administration, Administrations } from '../../administrations/administration.ts';
import type { PushStore } from '../pushStore.ts';
import { findDocuments } from './foundDocument.ts';
import type { PushLog, RowUpdate } from './pushLog.ts';

const LIST = 'listsalesinvoices';
/** Pages of a list at the most: a push with documents of many years is not looked up. */
const MAX_PAGES = 50;
/** Milliseconds after the end of a push in which a lost request of it may still arrive. */
const MAX_LATENESS = 24 * 60 * 60_000;

/**
 * What a list had before the first document of a push was sent, as `INVOICING 7`, or `7` by earlier versions; undefined:
 * it was not taken.
 */
type ListBefore = { numbers: readonly string[] | undefined };

/** A push to a service that does not remember what it applied. */
type LookUp = {
  store: PushStore;
  administrations: Pick<Administrations, 'open'>;
  credential: Credential;
  writes: readonly PushedWrite[];
  log: PushLog;
  timeZone?: string;
  /** Stops it; left out: nothing does, and its requests wait no longer than those of a caller. */
  signal?: AbortSignal;
};

/** Finds documents whose responses were lost, in the lists of the service. */
export function openLookUp({
  store,
  administrations,
  credential,
  writes,
  log,
  timeZone = 'Europe/Amsterdam',
  signal,
}: LookUp) {
  const { owner, id } = log.head();
  const indexes = [...writes.keys()];

  /** The days on which a document may have been made: until now, or until a lost request can no longer arrive. */
  function today(): CalendarDate[] {
    const { startedOn, endedOn } = log.head();
    const now = Date.now();
    const latest = endedOn === null ? now : Math.min(now, endedOn + MAX_LATENESS);
    const [first, last] = [startedOn ?? now, latest].map((at) => dateIn(timeZone, new Date(at)));
    return Array.from({ length: daysBetween(first!, last!) + 1 }, (_, day) => addDays(first!, day));
  }

  /** The invoices of the days of these documents; undefined when they are too many, or the service does not list them. */
  async function listed(): Promise<SalesInvoice[] | undefined> {
    const options =
      signal === undefined ? {} : ({ priority: 'background', timeout: Number.POSITIVE_INFINITY, signal } as const);
    const days = [...today(), ...writes.flatMap(dayOf)].sort();
    const request = { DateFrom: writeDate(days[0]!), DateTill: writeDate(days.at(-1)!) };
    const invoices: SalesInvoice[] = [];
    try {
      const client = listClient(await administrations.open(credential, options));
      let pages = 0;
      for await (const page of wholeList(client, LIST, request, invoiceId, signal)) {
        if (++pages > MAX_PAGES) return undefined;
        invoices.push(...page);
      }
      return invoices;
    } catch (failure) {
      if (signal?.aborted || !(failure instanceof Problem)) throw failure;
      return undefined;
    }
  }

  /** Whether an invoice was made by another row. */
  async function madeByRows(): Promise<(invoice: SalesInvoice) => boolean> {
    const made = new Map<PushedName, Set<string>>();
    for await (const { changes } of store.entries(owner, id, 0)) {
      for (const { index, document } of changes) {
        const { name } = writes[index]!;
        if (document !== undefined) made.set(name, (made.get(name) ?? new Set()).add(numberIn(document)));
      }
    }
    return (invoice) =>
      [...made].some(([name, numbers]) => numbers.has(invoice.InvoiceNumber!) && factsIn(name, invoice) !== undefined);
  }

  /** Finds lost documents of one endpoint among the invoices that nobody knows. */
  function found(name: PushedName, lost: readonly number[], invoices: readonly SalesInvoice[]): RowUpdate[] {
    const { show, result } = pushRulesOf(name);
    const ofName = invoices.filter((invoice) => factsIn(name, invoice) !== undefined);
    const facts = ofName.map((invoice) => factsIn(name, invoice)!);
    const expected = lost.map((index) => ({ index, expected: expectedOf(writes[index]!)! }));
    return findDocuments(expected, facts, today()).map((finding): RowUpdate => {
      if (finding.kind !== 'found')
        return told(finding.index, finding.kind === 'absent' ? 'NOT_FOUND_YET' : 'NOT_TOLD_APART');
      const invoice = ofName.find(({ InvoiceNumber }) => InvoiceNumber === finding.number);
      return { index: finding.index, event: 'applied', [result]: show(invoice) };
    });
  }

  /** What is told of a row that stays unknown. */
  function told(index: number, code: keyof typeof messages): RowUpdate {
    const { name, request } = writes[index]!;
    const time = new Intl.DateTimeFormat('nl', { timeZone, hour: '2-digit', minute: '2-digit' });
    const what = pushRulesOf(name).lookFor?.(request) ?? 'it';
    return { index, event: 'looked for', code, message: messages[code](what, time.format(Date.now())) };
  }

  return {
    /** Takes the list before the first document is sent: a request for each hundred invoices of its days. */
    async listFirst(): Promise<void> {
      const documents = indexes.filter((index) => isListed(writes[index]!));
      const isFirst = documents.every((index) => log.row(index).state === 'waiting');
      if (documents.length === 0 || !isFirst || (await store.list(owner, id)) !== undefined) return;
      const invoices = await listed();
      const before: ListBefore = { numbers: invoices?.map(idOf) };
      await store.saveList(owner, id, before);
    },

    /** Looks for the documents whose outcome is unknown, and records what became of them. */
    async lookForUnknown(): Promise<void> {
      const unknown = indexes.filter(
        (index) =>
          log.row(index).state === 'unknown' && pushRulesOf(writes[index]!.name).lookFor && isKept(writes[index]!),
      );
      const lost = unknown.filter((index) => isListed(writes[index]!));
      const unlisted = unknown.filter((index) => !isListed(writes[index]!));
      const updates = unlisted.map((index) => told(index, 'NOT_LISTED'));
      const before = lost.length === 0 ? undefined : ((await store.list(owner, id)) as ListBefore | undefined);
      const invoices = before?.numbers === undefined ? undefined : await listed();
      if (invoices === undefined) updates.push(...lost.map((index) => told(index, 'NOT_LOOKED_UP')));
      else {
        const known = new Set(before!.numbers);
        const isMade = await madeByRows();
        const others = invoices.filter(
          (one) => one.InvoiceNumber !== null && !known.has(idOf(one)) && !known.has(one.InvoiceNumber) && !isMade(one),
        );
        for (const [name, ofName] of groupBy(lost, (index) => writes[index]!.name)) {
          updates.push(...found(name, ofName, others));
        }
      }
      if (updates.length > 0) await log.record(updates);
    },
  };
}

const messages = {
  NOT_FOUND_YET: (what: string, at: string) =>
    `Not found at ${at}: ${what}. The lost request may still arrive: look again before you send it.`,
  NOT_TOLD_APART: (what: string) => `Several documents, or several rows, may be it. Look for ${what}.`,
  NOT_LISTED: (what: string) => `There is no list to find it in. Look for ${what}.`,
  NOT_LOOKED_UP: (what: string) => `It could not be looked up. Look for ${what}.`,
} as const;

/** Whether its request is still there: a large one is removed when its push has ended. */
const isKept = ({ request }: PushedWrite): boolean => Object.keys(request).length > 0;

/** What the request says of its document; undefined where no list has such. */
const expectedOf = (write: PushedWrite): DocumentFacts | undefined =>
  isKept(write) ? pushRulesOf(write.name).lookup?.expected(write.request) : undefined;

/** Whether a document of this request can be found in a list. */
const isListed = (write: PushedWrite): boolean => expectedOf(write) !== undefined;

/** The list of an administration, as `wholeList` reads it. */
const listClient = (administration: Pick<Administration, typeof LIST>) => ({
  async [LIST](parameters: object): Promise<SalesInvoice[]> {
    const response = await administration[LIST](readRequest(LIST, parameters).request);
    if (!(response instanceof Encoded)) return response;
    return endpointOf(LIST).response.parse(parseJson(response.json)) as SalesInvoice[];
  },
});

/** Two modules number invoices, and may do so alike. */
const idOf = ({ InvoiceType, InvoiceNumber }: SalesInvoice): string => `${InvoiceType ?? ''} ${InvoiceNumber}`;

/** What a list says of a document of an endpoint; undefined where it is of none or of another one. */
const factsIn = (name: PushedName, invoice: SalesInvoice): DocumentFacts | undefined =>
  pushRulesOf(name).lookup?.facts(invoice);

const numberIn = (shown: string): string => String((parseJson(shown) as { number?: unknown }).number);

const dayOf = (write: PushedWrite): string[] => {
  const date = expectedOf(write)?.date;
  return date === undefined ? [] : [date];
};
