import type { Administrations, CallOptions } from '../../functions/administrations/administration.ts';
import {
  type RemoteOptions,
  type RemoteSettings,
  remoteAdministrations,
} from '../../functions/administrations/remote/remote.ts';
import { type EndpointName, endpointOf, endpoints } from '../../shared/api.ts';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { encode } from '../../shared/wire/encode.ts';

export const credential: Credential = { apiKey: 'key-7f3a9', username: 'anna@example.com' };

/** A remote administration without rate limits and without backoff. */
export const openRemote = (
  url: string,
  settings: Partial<RemoteSettings> = {},
  options: RemoteOptions = {},
): Administrations =>
  remoteAdministrations(
    { url, perSecond: 0, perMinute: 0, timeout: 60_000, concurrency: 4, ...settings },
    { random: () => 0, log: () => {}, ...options },
  );

/** The response to a request, as text. */
export async function askText(
  remote: Administrations,
  name: EndpointName,
  input: object = {},
  options?: CallOptions,
  as: Credential = credential,
): Promise<string> {
  const administration = await remote.open(as, options);
  const { request } = readRequest(name, input);
  const received = await (administration[name] as (request: unknown) => Promise<unknown>)(request);
  return encode(endpoints[name].response as never, received as never);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
export const ask = async (...args: Parameters<typeof askText>): Promise<any> => JSON.parse(await askText(...args));

/** The problem that a request throws. */
export async function problemOf(request: Promise<unknown>): Promise<Problem> {
  const outcome = await request.catch((reason: unknown) => reason);
  if (outcome instanceof Problem) return outcome;
  throw outcome instanceof Error ? outcome : new Error(`Nothing was refused: ${JSON.stringify(outcome)}`);
}

/** A valid request of each endpoint. */
export const requests: Record<EndpointName, object> = {
  listprojectmaterialbooking: {},
  updateproduct: { ArticleNumber: 'A-1', NewSalePrice: '12.50' },
  addproduct: { ArticleNumber: 'A-1', NewName: 'Hamer', CategoryName: 'Gereedschap' },
  listtaxcodes: {},
  addsalesinvoice: {
    CustomerNumber: 7,
    Invoice_InvoiceLine: [{ ProductNumber: 'A-1', Quantity: '1', UnitPriceExclTax: '2' }],
  },
  addorder: { CustomerNumber: 7, Order_Orderline: [{ ProductNumber: 'A-1', Quantity: '1', UnitPriceExclTax: '2' }] },
  addpurchasetransaction: { SupplierNumber: 3, Invoice_InvoiceLine: [{ TaxPc: '21', SubTotalInclTax: '121' }] },
  addsalestransaction: { CustomerNumber: 7, Invoice_InvoiceLine: [{ TaxPc: '21', SubTotalInclTax: '121' }] },
  listledgeraccounts: {},
  listrelations: {},
  listsalesinvoices: {},
};

/** Whether an endpoint only reads. */
export const isRead = (name: EndpointName): boolean => endpointOf(name).method === 'GET';
