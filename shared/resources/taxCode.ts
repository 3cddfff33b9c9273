import * as z from 'zod/mini';
import * as response from '../wire/response.ts';

export const taxTypes = ['Purchase', 'Sales'] as const;
export type TaxType = (typeof taxTypes)[number];

export const taxCodeQuery = z.object({});

export const taxCode = response.record(() => ({
  TaxExempt: response.boolean(),
  TaxPc: response.decimal('string', 1),
  /** Percentage and name together; other endpoints refer to the code by it. */
  TaxCode: response.text(),
  Name: response.text(),
  TaxType: response.choice(...taxTypes),
}));
export type TaxCode = z.output<typeof taxCode>;
