import { accounts } from './accounts.ts';
import type { Resource } from './importRows.ts';
import { invoices } from './invoicesAndOrders/invoices.ts';
import { orders } from './invoicesAndOrders/orders.ts';
import { purchaseInvoices } from './invoicesAndOrders/purchaseInvoices.ts';
import { materialBookings } from './materialBookings.ts';
import { costCenters, orderStatuses, productCategories } from './names.ts';
import { products } from './products.ts';
import { projects } from './projects.ts';
import { relations } from './relationFiles/relations.ts';
import { taxCodes } from './taxCodes.ts';
import { vatRules } from './vatRules.ts';

/** The resources that can be imported, by their names on the command line. */
export const resources = {
  accounts,
  'tax-codes': taxCodes,
  'vat-rules': vatRules,
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
