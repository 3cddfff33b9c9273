import type { z } from 'zod';
import { describe } from './field.ts';

const shapes: Readonly<Record<string, string>> = { array: 'a list', object: 'an object' };

/** What is said of a list or an object of a request that is something else; fields say it of themselves. */
export const shapeRefused: z.core.$ZodErrorMap = ({ code, expected, input }) => {
  const shape = code === 'invalid_type' ? shapes[expected as string] : undefined;
  if (shape === undefined) return undefined;
  return input === undefined ? `is required: ${shape}` : `expected ${shape}, got ${describe(input)}`;
};
