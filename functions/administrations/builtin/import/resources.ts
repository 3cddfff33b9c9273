import { accounts } from './accounts.ts';
import { invoices } from './documents/invoices.ts';
import { orders } from './documents/orders.ts';
import { purchaseInvoices } from './documents/purchaseInvoices.ts';
import type { Resource } from './importRows.ts';
import { materialBookings } from './materialBookings.ts';
import { costCenters, orderStatuses, productCategories } from './names.ts';
import { products } from './products.ts';
import { projects } from './projects.ts';
import { relations } from './relations/relations.ts';
import { taxCodes } from './taxCodes.ts';

/** The resources that can be imported, by their names on the command line. */
export const resources = {
  accounts,
  'tax-codes': taxCodes,
  'cost-centers': costCenters,
  'order-statuses': orderStatuses,
  'product-categories': productCategories,
  relations,
  products,
  projects,
  'material-bookings': materialBookings,
  invoices,
  orders,
  'purchase-invoices': purchaseInvoices,
} as const satisfies Record<string, Resource>;
export type ResourceName = keyof typeof resources;
