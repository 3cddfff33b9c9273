import type * as z from 'zod/mini';
import type { PushRules } from './pushRules.ts';
import { journalEntry, journalEntryAddition, journalEntryPush } from './resources/generalLedger/journalEntry.ts';
import { ledgerAccount, ledgerAccountQuery } from './resources/ledgerAccount.ts';
import { materialBooking, materialBookingQuery } from './resources/materialBooking.ts';
import { order, orderAddition, orderPush } from './resources/order.ts';
import { isAbsolute, product, productAddition, productPush, productUpdate } from './resources/product.ts';
import { purchaseInvoice, purchaseTransactionAddition, purchaseTransactionPush } from './resources/purchaseInvoice.ts';
import { MAX_RELATIONS, relation, relationQuery } from './resources/relation.ts';
import {
  MAX_INVOICES,
  salesInvoice,
  salesInvoiceAddition,
  salesInvoicePush,
  salesInvoiceQuery,
  salesTransactionAddition,
  salesTransactionPush,
} from './resources/salesInvoice.ts';
import { taxCode, taxCodeQuery } from './resources/taxCode.ts';
import { list, one } from './wire/response.ts';

export const MEGABYTE = 1024 * 1024;
/** Bytes of a request's body. */
const MAX_BODY = MEGABYTE;
/** Bytes of a body that may contain files: one file of the largest size in base64, and the document around it. */
const MAX_BODY_WITH_FILES = 16 * MEGABYTE;

/** How a list is paged: the names of the parameters, and the most rows of a page. */
type Paging = {
  limit: string;
  offset: string;
  /** `byParameter`: a lower maximum while that parameter is true. */
  most: number;
  byParameter?: Readonly<Record<string, number>>;
};

/** What is asked, and what is returned. */
type Operation = {
  request: z.ZodMiniObject;
  response: z.ZodMiniType;
  /** Whether a request may be sent again after a lost response: always, never, or as its values decide. */
  repeat: 'safe' | 'never' | ((request: never) => boolean);
  /** For a write that can be a row of a push. */
  push?: PushRules<Record<string, unknown>, unknown>;
};

type Endpoint = Operation & {
  method: 'GET' | 'POST' | 'PUT';
  /** Left out: all rows at once. */
  paging?: Paging;
  /** Bytes of the body; MAX_BODY when left out. */
  maxBody?: number;
  /** Another spelling of a parameter -> its name. */
  aliases?: Readonly<Record<string, string>>;
};

/** The interface: eleven endpoints. All code about endpoints is derived from this table. */
export const endpoints = {
  listprojectmaterialbooking: {
    method: 'GET',
    request: materialBookingQuery,
    response: list(materialBooking),
    paging: { limit: 'limit', offset: 'offset', most: 200 },
    repeat: 'safe',
  },
  updateproduct: {
    method: 'PUT',
    request: productUpdate,
    response: one(product),
    repeat: isAbsolute,
    push: productPush,
  },
  addproduct: {
    method: 'POST',
    request: productAddition,
    response: list(product),
    repeat: 'never',
    push: productPush,
  },
  listtaxcodes: {
    method: 'GET',
    request: taxCodeQuery,
    response: list(taxCode),
    repeat: 'safe',
  },
  addsalesinvoice: {
    method: 'POST',
    request: salesInvoiceAddition,
    response: list(salesInvoice),
    maxBody: MAX_BODY_WITH_FILES,
    repeat: 'never',
    push: salesInvoicePush,
  },
  addorder: {
    method: 'POST',
    request: orderAddition,
    response: list(order),
    maxBody: MAX_BODY_WITH_FILES,
    repeat: 'never',
    push: orderPush,
  },
  addpurchasetransaction: {
    method: 'POST',
    request: purchaseTransactionAddition,
    response: list(purchaseInvoice),
    repeat: 'never',
    push: purchaseTransactionPush,
  },
  addsalestransaction: {
    method: 'POST',
    request: salesTransactionAddition,
    response: list(salesInvoice),
    repeat: 'never',
    push: salesTransactionPush,
  },
  listledgeraccounts: {
    method: 'GET',
    request: ledgerAccountQuery,
    response: list(ledgerAccount),
    repeat: 'safe',
  },
  listrelations: {
    method: 'GET',
    request: relationQuery,
    response: list(relation),
    paging: { limit: 'Limit', offset: 'Offset', most: MAX_RELATIONS },
    repeat: 'safe',
  },
  listsalesinvoices: {
    method: 'GET',
    request: salesInvoiceQuery,
    response: list(salesInvoice),
    paging: {
      limit: 'Limit',
      offset: 'Offset',
      most: MAX_INVOICES.plain,
      byParameter: { InlcudeInvoiceLinesInResponse: MAX_INVOICES.withLines, IncludeBase64PDF: MAX_INVOICES.withPdf },
    },
    repeat: 'safe',
    aliases: { IncludeInvoiceLinesInResponse: 'InlcudeInvoiceLinesInResponse' },
  },
} as const satisfies Record<string, Endpoint>;

/**
 * Writes of our own to the ledger, which only pushes carry: the interface has no endpoint for them. A remote
 * administration has no ledger.
 */
const ledgerWrites = {
  addjournalentry: {
    request: journalEntryAddition,
    response: one(journalEntry),
    repeat: 'never',
    push: journalEntryPush,
  },
} as const satisfies Record<string, Operation>;

const operations = { ...endpoints, ...ledgerWrites };
export type Operations = typeof operations;

export type EndpointName = keyof typeof endpoints;
type OperationName = keyof Operations;
/** A request as it is read: defaults filled in, decimals and longs as text, dates as yyyy-MM-dd. */
export type RequestOf<Name extends OperationName> = z.output<Operations[Name]['request']>;
export type ResponseOf<Name extends OperationName> = z.output<Operations[Name]['response']>;

/** The writes that can be rows of a push. */
export type PushedName = {
  [Name in OperationName]: Operations[Name] extends { push: unknown } ? Name : never;
}[OperationName];
/** A write of one of them. */
export type EndpointWrite<Name extends PushedName = PushedName> = {
  [One in Name]: { name: One; request: RequestOf<One> };
}[Name];

export const endpointNames = Object.keys(endpoints) as EndpointName[];

export const endpointOf = (name: EndpointName): Endpoint & { path: `/rest/${string}` } => ({
  ...endpoints[name],
  path: `/rest/${name}`,
});

export const operationOf = (name: OperationName): Operation => operations[name];

export const isPushedName = (name: string): name is PushedName =>
  Object.hasOwn(operations, name) && operationOf(name as OperationName).push !== undefined;
export const pushedNames = Object.keys(operations).filter(isPushedName);

/** Those that a remote administration knows too. */
export const interfaceWrites: readonly PushedName[] = pushedNames.filter((name) => Object.hasOwn(endpoints, name));
export type InterfaceWrite = EndpointWrite<PushedName & EndpointName>;
export const isInterfaceWrite = <Write extends EndpointWrite>(write: Write): write is Write & InterfaceWrite =>
  Object.hasOwn(endpoints, write.name);

/** What pushes know about the writes of an endpoint. */
export const pushRulesOf = (name: PushedName): PushRules<Record<string, unknown>, unknown> => operationOf(name).push!;

/** What is remembered and shown of a write that was applied, as JSON text. @param response of its endpoint */
export function shownOf(name: PushedName, response: unknown): string {
  const [made] = Array.isArray(response) ? response : [response];
  return pushRulesOf(name).show(made);
}

/** The most bytes of a request body. */
export const maxBodyOf = (name: EndpointName): number => endpointOf(name).maxBody ?? MAX_BODY;

/** The most rows that a request of a list may get. */
export function pageCap(paging: Paging, request: Readonly<Record<string, unknown>>): number {
  const caps = Object.entries(paging.byParameter ?? {}).filter(([parameter]) => request[parameter] === true);
  return Math.min(paging.most, ...caps.map(([, cap]) => cap));
}
