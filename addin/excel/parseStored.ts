import type { z } from 'zod';

/** A value that was stored as JSON; undefined when another version or something else wrote it. */
export function parseStored<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
