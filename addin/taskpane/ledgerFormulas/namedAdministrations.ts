import * as z from 'zod/mini';
import { defaultRetry, type Retry } from '../../excel/batch.ts';
import { type Administration, administration } from '../../excel/tables/tableMemory.ts';
import { readWorkbookSetting, storeWorkbookSetting } from '../../excel/workbookSetting.ts';

const SETTING = 'Ledgerline names in formulas';

/** A name as a formula first wrote it, and the administration that it means in this workbook, in any capitals. */
const meanings = z.readonly(z.array(z.object({ name: z.string(), meant: administration })));
type Meanings = z.output<typeof meanings>;

export const foldedName = (name: string): string => name.toLowerCase();

const isNamed = ({ name }: Meanings[number], wanted: string): boolean => foldedName(name) === foldedName(wanted);

/**
 * What the names of administrations in the formulas of the workbook mean: what they meant at the first formula, and from
 * then on the same, whatever gets that label.
 */
export function namedAdministrations() {
  let known: Meanings = [];
  let writing: Promise<unknown> = Promise.resolve();
  const listeners = new Set<() => void>();
  const note = (next: Meanings) => {
    if (JSON.stringify(next) === JSON.stringify(known)) return;
    known = next;
    for (const listener of listeners) listener();
  };
  const readAll = async (retry: Retry): Promise<Meanings> =>
    (await readWorkbookSetting(SETTING, meanings, retry)) ?? [];
  return {
    /** What a name means; undefined when no formula had it. @throws WorkbookProblem */
    async read(name: string, retry: Retry): Promise<Administration | undefined> {
      note(await readAll(retry));
      return known.find((one) => isNamed(one, name))?.meant;
    },
    /** What a name means from now on. @throws WorkbookProblem */
    choose(name: string, meant: Administration, retry: Retry = defaultRetry): Promise<void> {
      // One after the other: all names are stored together.
      const choosing = writing.then(async () => {
        const others = (await readAll(retry)).filter((one) => !isNamed(one, name));
        const next = [...others, { name, meant }];
        await storeWorkbookSetting(SETTING, meanings, next, retry);
        note(next);
      });
      writing = choosing.catch(() => {});
      return choosing;
    },
    /** The latest that were read or chosen. */
    known: () => known,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type NamedAdministrations = ReturnType<typeof namedAdministrations>;
