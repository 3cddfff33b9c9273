import type { AnswerOf, EndpointName, RequestOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client/client.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Product } from '../../shared/resources/product.ts';
import type { Encoded } from '../../shared/wire/encode.ts';

/** What answers the endpoints for one credential. Every method throws a Problem for what a caller can be told. */
export type Administration = {
  readonly [Name in EndpointName]: (request: RequestOf<Name>) => Promise<AnswerOf<Name> | Encoded<AnswerOf<Name>>>;
};

/** Whether somebody waits for the answer, or it is work that can stand back for them. */
export type Priority = 'interactive' | 'background';

/** How a request is made where it may have to wait: a remote administration has a rate limit. */
export type CallOptions = {
  /** Left out: interactive. */
  priority?: Priority;
  /** Milliseconds it waits for its turn, Infinity for as long as it takes. Left out: as the settings have it. */
  timeout?: number;
  /** Ends the waiting. What was sent already is waited for: it is done or it is not. */
  signal?: AbortSignal;
};

/**
 * Milliseconds of a pause a service asks for that whoever works on a push waits through. After a longer one the write is sent
 * by a later message.
 */
export const MAX_PAUSE_MS = 10_000;

/**
 * One write of a push. Its idempotency key names it for good: the same key is the same write, however often it is sent, and is
 * never used for another one of the same administration.
 */
export type ProductWrite =
  | { key: string; name: 'updateproduct'; request: RequestOf<'updateproduct'> }
  | { key: string; name: 'addproduct'; request: RequestOf<'addproduct'> };

export type WriteOutcome =
  | { kind: 'applied'; product: Product }
  /** Nothing was changed; it says why. `UNAUTHORIZED` is the credential's fault, not the write's. */
  | { kind: 'refused'; problem: Problem }
  /** It was sent, and it is not known whether it was carried out. */
  | { kind: 'unknown'; problem: Problem }
  /** It was not carried out, by a transient error: to be sent again after so many milliseconds. */
  | { kind: 'deferred'; problem: Problem; after: number };

/** Carries out the writes of a push for one credential, as background work. */
export type ProductWriter = {
  /** Writes that are best sent together in one call. */
  readonly batchSize: number;
  /** Calls that may be under way at a time. */
  readonly concurrency: number;
  /** Whether calls wait for a rate limiter before anything is sent. */
  readonly isRateLimited: boolean;
  /** Whether a write whose outcome is unknown may be sent again, even where nobody remembers its key. */
  isRepeatable(write: ProductWrite): boolean;
  /**
   * @param writes up to `batchSize` of them
   * @param onSending awaited when everything is ready, right before the first byte leaves: after the wait for the rate limiter.
   *   What it throws is thrown, and nothing is sent then
   * @param signal ends the wait for the rate limiter, with its reason; what was sent is waited for
   * @returns the outcome of each, in their order
   */
  write(writes: readonly ProductWrite[], onSending: () => Promise<void>, signal: AbortSignal): Promise<WriteOutcome[]>;
};

/**
 * The writes of pushes that were applied, where their keys are remembered: a write that is sent again is answered, not
 * carried out again, and its outcome is never unknown.
 */
export type AppliedWrites = {
  /** The products of those among these keys that were applied, whatever credential they came with. */
  applied(keys: readonly string[]): Promise<ReadonlyMap<string, Product>>;
  /**
   * Forgets the keys of writes that were applied before a moment: for pushes that ended long ago.
   * @param before seconds since 1970
   */
  forget(before: number): Promise<void>;
};

/** What relations are read from, page by page. */
export type RelationSource = {
  /**
   * @param from of pages by RelationGUID: begins with this one instead of at the Offset. Where that is not understood, the
   *   Offset goes
   */
  listrelations(request: RequestOf<'listrelations'>, from?: bigint): ReturnType<Administration['listrelations']>;
};

/** Administrations of our own, which the app itself may look into without anybody's credential. */
export type OwnAdministrations = {
  /** Their ids, which never change. */
  ids(): Promise<string[]>;
  /** The one a credential opens. @throws Problem UNAUTHORIZED */
  idOf(credential: Credential): Promise<string>;
  /** The relations of one as the endpoint lists them, more at a time than it answers others. */
  relations(id: string): RelationSource;
};

/** The documents that are made of sales invoices, by the number of the invoice. */
export type InvoiceFiles = {
  /** @throws Problem NOT_FOUND; INVALID_REQUEST naming what the administration must have first */
  pdf(number: bigint): Promise<Uint8Array>;
  /** XML of Peppol BIS Billing 3.0. @throws Problem NOT_FOUND; INVALID_REQUEST naming what Peppol cannot say */
  eInvoice(number: bigint): Promise<string>;
};

/** What administrations of our own do by themselves when its time has come. */
export type Upkeep = {
  /** Makes the periodic invoices that are due, each once whoever else does. @returns how many */
  makeDueInvoices(): Promise<number>;
  /** Sends the mail that is due, each at most once. @returns how many */
  sendDueMail(): Promise<number>;
};

/** The administrations behind the functions: ours, or a service elsewhere. */
export type Administrations = {
  /**
   * The administration a credential belongs to. A remote one finds out with the first request.
   * @throws Problem UNAUTHORIZED
   */
  open(credential: Credential, options?: CallOptions): Promise<Administration>;
  /**
   * What carries out the pushes of a credential.
   * @throws Problem UNAUTHORIZED, FORBIDDEN
   */
  writer(credential: Credential): Promise<ProductWriter>;
  /**
   * The documents of one; a service elsewhere has them in its own lists.
   * @throws Problem UNAUTHORIZED
   */
  files?(credential: Credential): Promise<InvoiceFiles>;
  /** A service elsewhere sees to itself. */
  upkeep?: Upkeep;
  /**
   * Asks a service elsewhere whether it knows a credential, which `open` does not; its word counts for some minutes.
   * @throws Problem UNAUTHORIZED, and as a request does
   */
  verify?(credential: Credential): Promise<void>;
  /** Those that are our own; none of a service elsewhere are. */
  own?: OwnAdministrations;
  /** What was applied before; a service elsewhere remembers no keys. */
  appliedWrites?: AppliedWrites;
  /**
   * What `/health` says of them; throws when they cannot be reached. `status` is `degraded` when they are there but not well.
   */
  health(): Promise<{ status?: 'ok' | 'degraded' } & Record<string, unknown>>;
  /** Removes what was stored and is of no use any more. */
  maintain?(): Promise<void>;
  close(): Promise<void>;
};
