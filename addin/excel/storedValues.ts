import type * as z from 'zod/mini';
import { inWorkbook, type Retry } from './batch.ts';

/** A value that was stored as JSON; undefined when another version or something else wrote it. */
export function parseStored<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A sheet and a value stored in one of its custom properties. */
type SheetValue<Schema extends z.ZodMiniType> = { sheetId: string; sheetName: string; value: z.output<Schema> };

/** Queues reading a custom property of a sheet. @returns a function that returns its value after the sync */
export function queueStored<Schema extends z.ZodMiniType>(
  sheet: Excel.Worksheet,
  name: string,
  schema: Schema,
): () => SheetValue<Schema> | undefined {
  const property = sheet.customProperties.getItemOrNullObject(name);
  property.load({ value: true });
  sheet.load({ id: true, name: true });
  return () => {
    const value = property.isNullObject ? undefined : parseStored(schema, property.value);
    return value === undefined ? undefined : { sheetId: sheet.id, sheetName: sheet.name, value };
  };
}

/** The values of a custom property in all sheets that have it, in the order of the sheets. */
export function readStored<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  retry?: Retry,
): Promise<SheetValue<Schema>[]> {
  return inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true });
    await context.sync();
    const values = worksheets.items.map((sheet) => queueStored(sheet, name, schema));
    await context.sync();
    return values.flatMap((read) => read() ?? []);
  }, retry);
}
