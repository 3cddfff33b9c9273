import type * as z from 'zod/mini';
import { inWorkbook, type Retry } from './batch.ts';
import { parseStored } from './storedValues.ts';

/*
 * Values that belong to the whole workbook, in its settings: they are saved with it, so they may contain no secret.
 */

/** A value of the workbook; undefined when it has none. @throws WorkbookProblem */
export function readWorkbookSetting<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  retry?: Retry,
): Promise<z.output<Schema> | undefined> {
  return inWorkbook(async (context) => {
    const setting = context.workbook.settings.getItemOrNullObject(name);
    setting.load({ value: true });
    await context.sync();
    return setting.isNullObject ? undefined : parseStored(schema, String(setting.value));
  }, retry);
}

/** The latest storing of each setting. */
const latest = new Map<string, Promise<unknown>>();

/**
 * Stores a value in the workbook, after what was to be stored before; the schema drops all other members of an object.
 * @throws WorkbookProblem
 */
export function storeWorkbookSetting<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  value: z.input<Schema>,
  retry?: Retry,
): Promise<void> {
  const store = () =>
    inWorkbook(async (context) => {
      context.workbook.settings.add(name, JSON.stringify(schema.parse(value)));
      await context.sync();
    }, retry);
  // One that waits for Excel would be repeated after this one, and take its place.
  const storing = (latest.get(name) ?? Promise.resolve()).then(store);
  latest.set(
    name,
    storing.catch(() => {}),
  );
  return storing;
}
