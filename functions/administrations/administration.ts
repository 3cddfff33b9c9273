import type { EndpointName, EndpointWrite, RequestOf, ResponseOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client/client.ts';
import type { FieldError } from '../../shared/fieldErrors.ts';
import type { Problem } from '../../shared/problem.ts';
import type { AdministrationIdentity } from '../../shared/resources/administration.ts';
import type { AuditfileChoices, AuditfileReport } from '../../shared/resources/generalLedger/auditfile.ts';
import type { AuditfileQuery } from '../../shared/resources/generalLedger/auditfileYear.ts';
import type { BalanceQuery } from '../../shared/resources/generalLedger/ledgerBalance.ts';
import type { EntryQuery } from '../../shared/resources/generalLedger/ledgerEntry.ts';
import type { FiguresQuery } from '../../shared/resources/generalLedger/ledgerFigures.ts';
import type { OpenItemQuery } from '../../shared/resources/generalLedger/openItem.ts';
import type { ListedProduct } from '../../shared/resources/productList.ts';
import type { SalesInvoiceAddition } from '../../shared/resources/salesInvoice.ts';
import type {
  IntervatQuery,
  VatFiling,
  VatLinesQuery,
  VatReturnQuery,
} from '../../shared/resources/vatReturn/vatReturn.ts';
import type { CalendarDate } from '../../shared/wire/calendarDate.ts';
import type { Encoded } from '../../shared/wire/encode.ts';

/** The endpoints of one administration for a credential. Every method throws a Problem for an error of the caller. */
export type Administration = {
  readonly [Name in EndpointName]: (request: RequestOf<Name>) => Promise<ResponseOf<Name> | Encoded<ResponseOf<Name>>>;
};

/** Whether a person waits for the response, or it is background work with a lower priority. */
export type Priority = 'interactive' | 'background';

/** Options of a request that may have to wait for a rate limiter, as those to a remote administration do. */
export type CallOptions = {
  /** Whether it writes: a credential that is known to be for reading is refused before more is read of the request. */
  writes?: boolean;
  /** Left out: interactive. */
  priority?: Priority;
  /** Milliseconds it waits for the rate limiter; Infinity: without limit; left out: the timeout of the settings. */
  timeout?: number;
  /** Ends the wait for the rate limiter. A request that was sent is still waited for. */
  signal?: AbortSignal;
};

/**
 * The longest pause of a service, in milliseconds, for which a worker waits. After a longer pause the write is sent
 * by a later message.
 */
export const MAX_PAUSE_MS = 10_000;

/**
 * One write of a push. Its idempotency key identifies it: the same key is the same write, however often it is sent, and
 * is never used for another one of the same administration.
 */
export type KeyedWrite = { key: string } & EndpointWrite;

export type WriteOutcome =
  /** `shown`: what is shown of its response, as `shownOf` writes it. */
  | { kind: 'applied'; shown: string }
  /** Nothing was changed; the problem says why. `UNAUTHORIZED` concerns the credential, not the write. */
  | { kind: 'refused'; problem: Problem }
  /** It was sent, and it is not known whether it was applied. */
  | { kind: 'unknown'; problem: Problem }
  /**
   * It was not applied, because of a transient error: send it again after so many milliseconds. `begun: false`: nothing
   * was done for it; left out: where keys are stored, it may have been applied all the same.
   */
  | { kind: 'deferred'; problem: Problem; after: number; begun?: false };

/** Carries out the writes of a push for one credential, as background work. */
export type PushWriter = {
  /** The best number of writes in one call. */
  readonly batchSize: number;
  /** Calls that may be under way at the same time. */
  readonly concurrency: number;
  /** Whether calls wait for a rate limiter before anything is sent. */
  readonly isRateLimited: boolean;
  /**
   * Whether writes are applied in the order in which they are passed, in one call and over calls. In a call, what comes
   * after a deferred write is deferred as well.
   */
  readonly isInOrder: boolean;
  /** Whether a write with an unknown outcome may be sent again, even if its key is not stored. */
  isRepeatable(write: EndpointWrite): boolean;
  /**
   * @param writes up to `batchSize` of them
   * @param onSending awaited after the wait for the rate limiter, right before the first byte is sent.
   *   When it throws, nothing is sent, and its error is thrown
   * @param signal ends the wait for the rate limiter, with its reason; a sent write is waited for
   * @returns the outcome of each, in their order
   */
  write(writes: readonly KeyedWrite[], onSending: () => Promise<void>, signal: AbortSignal): Promise<WriteOutcome[]>;
};

/**
 * The applied writes of pushes, where their keys are stored: a write that is sent again gets its response and is not
 * applied again, and its outcome is never unknown.
 */
export type AppliedWrites = {
  /** What is shown of the applied writes among these keys, of any credential. */
  applied(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Removes the keys of writes that were applied before a moment: their pushes ended long ago.
   * @param before seconds since 1970
   */
  forget(before: number): Promise<void>;
};

/** A source of relations, page by page. */
export type RelationSource = {
  /**
   * @param from of pages by RelationGUID: begins with this one instead of at the Offset. Where that is not supported,
   *   the Offset is used
   */
  listrelations(request: RequestOf<'listrelations'>, from?: bigint): ReturnType<Administration['listrelations']>;
};

/** Values by the names of their fields in a request. */
export type ValuesBefore = Readonly<Record<string, string>>;

/** A write that was applied. `shown`: what is shown of its response, as JSON text. */
export type AppliedWrite = EndpointWrite & { shown?: string | undefined };

/** The built-in administrations, which the app may read without a credential. */
export type OwnAdministrations = {
  /** The ids, which are permanent, of those that are not archived. */
  ids(): Promise<string[]>;
  /** Whether an id is one of them. */
  isOpen(id: string): Promise<boolean>;
  /** The id of the administration that a credential opens. @throws Problem UNAUTHORIZED */
  idOf(credential: Credential): Promise<string>;
  /** When a relation was last anonymised, in seconds since 1970, by the identifier of its administration. */
  anonymisedOn(): Promise<ReadonlyMap<string, number>>;
  /**
   * The values of what applied writes of a period set, as they were before, by the names of their fields in a request;
   * what a write left unchanged too. Undefined where that is not recorded, or where it is unknown which write of the
   * period is meant.
   * @param period in seconds since 1970
   */
  valuesBefore(
    id: string,
    period: { from: number; until: number },
    writes: readonly AppliedWrite[],
  ): Promise<readonly (ValuesBefore | undefined)[]>;
  /** The relations of one as the endpoint lists them, in larger pages. */
  relations(id: string): RelationSource;
};

/** The products of an administration as they are now, for lists. */
export type ProductLists = {
  /** The products with these article numbers or EANs, in no order; those that are archived too. */
  named(numbers: readonly string[], eans: readonly string[]): Promise<ListedProduct[]>;
  /**
   * The products with each of some words in their name, article number or EAN, without regard to case: first one that has
   * the whole text as its number, then by article number. Archived ones are left out.
   */
  search(text: string, limit: number): Promise<ListedProduct[]>;
  /** Products by article number, from one on, archived ones too; the number after them, and the number of them all. */
  page(from: string, limit: number): Promise<{ products: ListedProduct[]; next: string | null; total: number }>;
};

/**
 * The ledger of an administration. Its methods return the JSON text of a response in UTF-8, which may be large, and throw
 * a Problem for periods that there are not.
 */
export type LedgerReader = {
  balances(query: BalanceQuery): Promise<Buffer>;
  entries(query: EntryQuery): Promise<Buffer>;
  /** Figures of several periods, of one moment. */
  figures(query: FiguresQuery): Promise<Buffer>;
  openItems(query: OpenItemQuery): Promise<Buffer>;
};

/** How an audit file is imported, or only checked. */
export type ImportOptions = AuditfileChoices & {
  /** Of this import: with the same key it is done once, and a repeated one returns the report of the first. */
  key: string;
  /** Whether nothing is stored. */
  isCheck: boolean;
  /** Ends it, with its reason; then nothing was stored. An import that is about to be stored is completed. */
  signal: AbortSignal;
  /** Called with the bytes that are read, and once more with those that are stored. */
  onRead: (bytes: number) => void;
};

/** The first and the last day of a fiscal year. */
export type FiscalDays = { first: CalendarDate; last: CalendarDate };

/** Brings audit files into an administration, and removes what they brought, each whole or not at all. */
export type AuditfileImporter = {
  /** @param file the path of a file on disk */
  import(file: string, options: ImportOptions): Promise<AuditfileReport>;
  /**
   * Removes the entries and the opening balance that audit files brought into a fiscal year.
   * @throws Problem CONFLICT when there are none, or the books are closed
   */
  withdraw(year: FiscalDays, options: Pick<ImportOptions, 'key' | 'signal'>): Promise<void>;
};

/**
 * The VAT returns of an administration: responses as JSON text in UTF-8. Its methods throw a Problem for periods that there
 * are not.
 */
export type VatReader = {
  vatReturn(query: VatReturnQuery): Promise<Buffer>;
  /** A page of the lines behind the boxes. */
  vatLines(query: VatLinesQuery): Promise<Buffer>;
  /** The Belgian return of a period as a file for Intervat. @throws Problem INVALID_REQUEST when it cannot be one */
  intervat(query: IntervatQuery): Promise<Buffer>;
  /** Marks the return of a period as filed. @throws Problem CONFLICT when it was, or the books change meanwhile */
  file(filing: VatFiling): Promise<Buffer>;
};

/** The documents of sales invoices, by invoice number. */
export type InvoiceFiles = {
  /** @throws Problem NOT_FOUND; INVALID_REQUEST naming the settings that the administration lacks */
  pdf(number: bigint): Promise<Uint8Array>;
  /**
   * XML of Peppol BIS Billing 3.0.
   * @throws Problem NOT_FOUND; INVALID_REQUEST naming the fields that Peppol cannot express
   */
  eInvoice(number: bigint): Promise<string>;
  /**
   * A check of requested invoices, which are not made: why each of them could not become an e-invoice.
   * @throws Problem FORBIDDEN for a key that may not write
   */
  eInvoiceCheck(): Promise<(requests: readonly SalesInvoiceAddition[]) => Promise<(readonly FieldError[])[]>>;
};

/** The scheduled work of built-in administrations. */
type Upkeep = {
  /**
   * Makes the periodic invoices that are due, each once, also with several instances.
   * @param over the run has lasted long enough, or the app stops: no other is begun
   * @returns how many
   */
  makeDueInvoices(over: AbortSignal): Promise<number>;
  /**
   * Sends the mail that is due, each at most once.
   * @param over the run has lasted long enough, or the app stops: no other is begun
   * @param stopping the app stops: the mail in hand gets only some seconds more; left out: when the run is over
   * @returns how many
   */
  sendDueMail(over: AbortSignal, stopping?: AbortSignal): Promise<number>;
};

/** What is known of the administration of a credential: all of a built-in one, of a remote one where it is. */
export type KnownAdministration =
  | ({
      kind: 'builtin';
      country: 'NL' | 'BE';
      archived: boolean;
      /** Of the key. */
      label: string;
    } & Pick<AdministrationIdentity, 'id' | 'name' | 'username' | 'rights'>)
  /** `service`: its address, in one spelling. */
  | ({ kind: 'remote'; service: string } & Pick<AdministrationIdentity, 'requestsPerMinute'>);

/** The administrations behind the functions: built-in ones, or a remote service. */
export type Administrations = {
  /**
   * The administration of a credential. A remote one checks the credential with the first request.
   * @throws Problem UNAUTHORIZED, FORBIDDEN
   */
  open(credential: Credential, options?: CallOptions): Promise<Administration>;
  /**
   * The administration that a credential opens. A remote service is asked whether it accepts the credential.
   * @throws Problem UNAUTHORIZED, and as `verify` does
   */
  identify(credential: Credential): Promise<KnownAdministration>;
  /**
   * The writer for the pushes of a credential.
   * @throws Problem UNAUTHORIZED, FORBIDDEN
   */
  writer(credential: Credential): Promise<PushWriter>;
  /**
   * The documents of one; a remote service has them in its own lists.
   * @throws Problem UNAUTHORIZED
   */
  files?(credential: Credential): Promise<InvoiceFiles>;
  /**
   * The ledger of one; that of a remote service cannot be read.
   * @throws Problem UNAUTHORIZED
   */
  ledger?(credential: Credential): Promise<LedgerReader>;
  /**
   * The bytes of a fiscal year as an audit file; left out for a remote service.
   * @throws Problem UNAUTHORIZED, INVALID_REQUEST; UNAVAILABLE while others are written
   */
  auditfileOf?(credential: Credential, query: AuditfileQuery): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Brings audit files into one; left out for a remote service.
   * @throws Problem UNAUTHORIZED, FORBIDDEN
   */
  auditfiles?(credential: Credential): Promise<AuditfileImporter>;
  /**
   * The VAT returns of one; a remote service has no ledger.
   * @throws Problem UNAUTHORIZED, FORBIDDEN for a key that may not write
   */
  vat?(credential: Credential, options?: { writes?: boolean }): Promise<VatReader>;
  /**
   * The products of one; a remote service lists none.
   * @throws Problem UNAUTHORIZED
   */
  products?(credential: Credential): Promise<ProductLists>;
  /** Left out for a remote service. */
  upkeep?: Upkeep;
  /**
   * Asks a remote service whether it accepts a credential, and caches the response for some minutes.
   * @throws Problem UNAUTHORIZED, and as a request does
   */
  verify?(credential: Credential): Promise<void>;
  /** The built-in ones; left out for a remote service. */
  own?: OwnAdministrations;
  /** The applied writes; a remote service stores no keys. */
  appliedWrites?: AppliedWrites;
  /** Their state for `/health`; throws when they are not available. `status` is `degraded` when they have problems. */
  health(): Promise<{ status?: 'ok' | 'degraded' } & Record<string, unknown>>;
  /** Removes stored data that is no longer needed. */
  maintain?(): Promise<void>;
  close(): Promise<void>;
};
