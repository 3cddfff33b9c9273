import { z } from 'zod';
import * as answer from '../wire/answer.ts';

export const taxTypes = ['Purchase', 'Sales'] as const;
export type TaxType = (typeof taxTypes)[number];

export const taxCodeQuery = z.object({});

export const taxCode = answer.record(() => ({
  TaxExempt: answer.boolean(),
  TaxPc: answer.decimal('string', 1),
  /** Percentage and name together; other endpoints refer to the code by it. */
  TaxCode: answer.text(),
  Name: answer.text(),
  TaxType: answer.choice(...taxTypes),
}));
export type TaxCode = z.output<typeof taxCode>;
