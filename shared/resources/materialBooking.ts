import type * as z from 'zod/mini';
import * as field from '../wire/field.ts';
import * as response from '../wire/response.ts';
import { materialBookingCustomField } from './customField.ts';
import { projectSelection } from './document.ts';

export const materialBookingQuery = field.object(() => ({
  offset: field.optional(field.integer({ min: 0 })),
  limit: field.optional(field.integer({ min: 1, clamped: true })),
  Project: field.optionalText(),
  SelectProjectBy: field.optional(projectSelection()),
  Warehouse: field.optionalText(),
  Product_Number: field.optionalText(),
}));
export type MaterialBookingQuery = z.output<typeof materialBookingQuery>;

export const materialBooking = response.record(() => ({
  Warehouse: response.text(),
  Shelf: response.text(),
  Batch: response.text(),
  Description: response.text(),
  Product_Name: response.text(),
  Product_Number: response.text(),
  Product_PurchasePrice: response.decimal('string'),
  Product_SupplierName: response.text(),
  Product_SupplierNumber: response.integer(),
  Quantity: response.decimal('string', 8),
  /** Milliseconds since 1970. */
  EntryDate: response.long(),
  MaterialBookings_Project: response.part(
    response.record(() => ({
      Description: response.text(),
      Number: response.long(),
      Customer_Name: response.text(),
      Customer_Number: response.integer(),
      Name: response.text(),
    })),
  ),
  MaterialBookings_CustomField_Product: response.list(materialBookingCustomField),
}));
export type MaterialBooking = z.output<typeof materialBooking>;
