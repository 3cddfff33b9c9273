import type { z } from 'zod';
import * as answer from '../wire/answer.ts';
import * as field from '../wire/field.ts';
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

export const materialBooking = answer.record(() => ({
  Warehouse: answer.text(),
  Shelf: answer.text(),
  Batch: answer.text(),
  Description: answer.text(),
  Product_Name: answer.text(),
  Product_Number: answer.text(),
  Product_PurchasePrice: answer.decimal('string'),
  Product_SupplierName: answer.text(),
  Product_SupplierNumber: answer.integer(),
  Quantity: answer.decimal('string', 8),
  /** Milliseconds since 1970. */
  EntryDate: answer.long(),
  MaterialBookings_Project: answer.part(
    answer.record(() => ({
      Description: answer.text(),
      Number: answer.long(),
      Customer_Name: answer.text(),
      Customer_Number: answer.integer(),
      Name: answer.text(),
    })),
  ),
  MaterialBookings_CustomField_Product: answer.list(materialBookingCustomField),
}));
export type MaterialBooking = z.output<typeof materialBooking>;
