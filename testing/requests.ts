import type { EndpointName } from '../shared/api.ts';
import { Problem } from '../shared/problem.ts';
import { readRequest } from '../shared/readRequest.ts';

/* The smallest valid documents, and the refusals of others. */

export const articleLine = { ProductNumber: 'A-1', Quantity: 2, UnitPriceExclTax: '10.00' };
export const bookkeepingLine = { TaxCode: '21% - Hoog', SubTotalInclTax: 121 };
export const salesInvoice = { CustomerNumber: 12, Invoice_InvoiceLine: [articleLine] };
export const order = { CustomerNumber: 12, Order_Orderline: [articleLine] };
export const salesTransaction = { CustomerNumber: 12, Invoice_InvoiceLine: [bookkeepingLine] };
export const purchaseTransaction = { SupplierNumber: 12, Invoice_InvoiceLine: [bookkeepingLine] };

/** The problem of a request that is refused. */
export function refusalOf(name: EndpointName, input: unknown): Problem {
  try {
    readRequest(name, input);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${name} accepted the request`);
}

/** The refused fields of a request. */
export const refusedFields = (name: EndpointName, input: unknown): string[] =>
  refusalOf(name, input).errors.map(({ path }) => path);
