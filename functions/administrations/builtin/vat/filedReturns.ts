import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { memoized } from '../../../../shared/memoized.ts';
import { sum } from '../../../../shared/money.ts';
import { vatRoundings } from '../../../../shared/resources/vatReturn/vatReturn.ts';
import { taxBoxes } from '../../../../shared/resources/vatReturn/vatSums.ts';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Cents, Row, Seconds } from '../sql/schema.ts';
import type { VatCountry, VatPart } from './vatBoxes.ts';
import type { VatPeriod } from './vatPeriod.ts';
import {
  type BoxAmounts,
  boxesOf,
  type VatEntry,
  type VatLine,
  type VatReturn,
  type VatRounding,
} from './vatReturn.ts';

/** A period whose return was filed, when, and with which documents. */
export type FiledPeriod = Pick<Row<'vat_return'>, 'first_day' | 'last_day' | 'filed_on' | 'documents'>;

/** A line of a document, and when it was entered. */
type EnteredLine = Pick<VatLine, 'document' | 'number' | 'date'> & { created_on: Seconds; isImported?: boolean };

/**
 * The day that a document counts on in VAT returns: its own; or, when the return of that day had been filed before it
 * was entered, the first day after that whose return had not. An audit file may bring a document of a filed return
 * again, as it was or corrected: it stays in that return.
 * @param filed in the order of their days
 */
export function vatDate(line: EnteredLine, filed: readonly FiledPeriod[]): CalendarDate {
  let counted = line.date;
  for (const one of filed) {
    if (one.first_day > counted || counted > one.last_day || line.created_on <= one.filed_on) continue;
    if (line.isImported && documentsOf(one).has(keyOf(line))) continue;
    counted = addDays(one.last_day, 1);
  }
  return counted;
}

/** The filed returns of an administration, in the order of their days. */
export const filedReturns = (db: Database, administrationId: bigint): Promise<Row<'vat_return'>[]> =>
  db
    .selectFrom('vat_return')
    .where('administration_id', '=', administrationId)
    .orderBy('first_day')
    .orderBy('last_day')
    .selectAll()
    .execute();

/**
 * The moment at which long work enters documents: that of its beginning, or after each return that was filed meanwhile,
 * which does not have them. To be called in the transaction that enters them.
 */
export async function enteredOn(db: Database, administrationId: bigint, begun: Seconds): Promise<Seconds> {
  const { latest } = await db
    .selectFrom('vat_return')
    .where('administration_id', '=', administrationId)
    .select(({ fn }) => fn.max<Seconds | null>('filed_on').as('latest'))
    .executeTakeFirstOrThrow();
  return latest !== null && latest > begun ? latest + 1n : begun;
}

/**
 * The moment at which a document of a file is entered: its own, but that of the import where a return which does not have
 * it has been filed since then.
 * @param now after all filed returns, as `enteredOn` has it
 */
export async function madeOrEntered(db: Database, administrationId: bigint, now: Seconds) {
  const filed = await db
    .selectFrom('vat_return')
    .where('administration_id', '=', administrationId)
    .select(['last_day', 'filed_on'])
    .execute();
  return ({ date, created_on }: { date: CalendarDate; created_on: Seconds }): Seconds =>
    filed.some(({ last_day, filed_on }) => date <= last_day && created_on <= filed_on) ? now : created_on;
}

/** Amounts of boxes as decimal cents, as a filed return stores them. */
const figures = z.record(z.string(), z.partialRecord(z.enum(['base', 'tax']), z.string()));

/** Number, date and amounts of documents, as a filed return stores them. */
const filedDocuments = z.array(z.tuple([z.string(), z.string(), z.string(), z.record(z.string(), z.string())]));

const textOf = (boxes: ReadonlyMap<string, BoxAmounts>): string =>
  JSON.stringify(
    Object.fromEntries(
      [...boxes].map(([box, amounts]) => [
        box,
        Object.fromEntries(Object.entries(amounts).map(([part, { declared }]) => [part, String(declared)])),
      ]),
    ),
  );

/** What a document has in the boxes: cents by box and part, such as `1a tax`. */
type DocumentAmounts = { number: string; date: CalendarDate; amounts: Map<string, Cents> };

/** Documents by their kind, number and date, which stay the same in another database. */
function documentAmounts(entries: readonly VatEntry[]): Map<string, DocumentAmounts> {
  const documents = new Map<string, DocumentAmounts>();
  for (const { line, box, part, amount } of entries) {
    const { number, date } = line;
    const key = keyOf(line);
    const found = documents.get(key) ?? { number, date, amounts: new Map() };
    documents.set(key, found);
    const place = `${box} ${part}`;
    found.amounts.set(place, (found.amounts.get(place) ?? 0n) + amount);
  }
  return documents;
}

const keyOf = ({ document, number, date }: Pick<VatLine, 'document' | 'number' | 'date'>): string =>
  filedKey(document.split(' ', 1)[0]!, number, date);
const filedKey = (...parts: [kind: string, number: string, date: string]): string => parts.join('\n');

/** The documents of a filed return by that key; none where an earlier version filed it. */
const documentsOf = memoized(
  ({ documents }: Pick<FiledPeriod, 'documents'>): ReadonlySet<string> =>
    new Set(
      filedDocuments.parse(JSON.parse(documents || '[]')).map(([kind, number, date]) => filedKey(kind, number, date)),
    ),
  new WeakMap(),
);

/** The figures of a return, as one that is filed stores them. */
type FiledFigures = Pick<Row<'vat_return'>, 'figures' | 'documents'>;

export function figuresOf({ boxes, entries }: Pick<VatReturn, 'boxes' | 'entries'>): FiledFigures {
  const documents = [...documentAmounts(entries)].map(([key, { number, date, amounts }]) => [
    key.split('\n', 1)[0],
    number,
    date,
    Object.fromEntries([...amounts].map(([place, amount]) => [place, String(amount)])),
  ]);
  return { figures: textOf(boxes), documents: JSON.stringify(documents) };
}

/** What identifies the figures that boxes declare. */
export const digestOf = (boxes: VatReturn['boxes']): string => hash('sha256', textOf(boxes));

/** Stores that a return was filed, with its figures; or again, as a supplement. */
export async function fileReturn(
  db: Database,
  administrationId: bigint,
  { name, from, to }: VatPeriod,
  filed: FiledFigures,
  now: Seconds,
): Promise<void> {
  const values = { ...filed, filed_on: now };
  const { numUpdatedRows } = await db
    .updateTable('vat_return')
    .where('administration_id', '=', administrationId)
    .where('period', '=', name)
    .set(values)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const period = { administration_id: administrationId, period: name, first_day: from, last_day: to };
  await insertRows(db, 'vat_return', [{ ...period, ...values }]);
}

/**
 * Renames documents in the filed returns of an administration. Those of one kind and date that get the same name become one,
 * as in a new return.
 * @param nameOf the name of a document from now on
 */
export async function renameFiled(
  db: Database,
  administrationId: bigint,
  nameOf: (kind: string, number: string, date: string) => string,
): Promise<void> {
  for (const { id, documents } of await filedReturns(db, administrationId)) {
    const renamed = new Map<string, z.output<typeof filedDocuments>[number]>();
    for (const [kind, number, date, amounts] of filedDocuments.parse(JSON.parse(documents || '[]'))) {
      const name = nameOf(kind, number, date);
      const key = filedKey(kind, name, date);
      const all = renamed.get(key)?.[3] ?? {};
      for (const [place, amount] of Object.entries(amounts)) {
        all[place] = String(BigInt(all[place] ?? 0) + BigInt(amount));
      }
      renamed.set(key, [kind, name, date, all]);
    }
    const text = documents && JSON.stringify([...renamed.values()]);
    if (text !== documents) await db.updateTable('vat_return').where('id', '=', id).set({ documents: text }).execute();
  }
}

/** How the amounts of a filed return were rounded; undefined when that is not known. */
export function filedRounding(country: VatCountry, { figures, documents }: FiledFigures): VatRounding | undefined {
  if (documents === '') return undefined;
  const amounts = filedDocuments.parse(JSON.parse(documents)).flatMap(([, , , ofDocument]) =>
    Object.entries(ofDocument).map(([place, amount]) => {
      const [box, part] = place.split(' ') as [string, VatPart];
      return { box, part, amount: BigInt(amount) };
    }),
  );
  return vatRoundings.find((rounding) => textOf(boxesOf(country, amounts, rounding).boxes) === figures);
}

/** The boxes whose amounts differ from those that were filed, in cents. */
export function changedSince(
  filed: Pick<Row<'vat_return'>, 'figures'>,
  { boxes }: Pick<VatReturn, 'boxes'>,
): { box: string; part: 'base' | 'tax'; filed: Cents; now: Cents }[] {
  const before = figures.parse(JSON.parse(filed.figures));
  return [...boxes].flatMap(([box, amounts]) =>
    (['base', 'tax'] as const).flatMap((part) => {
      const [was, now] = [BigInt(before[box]?.[part] ?? 0), amounts[part]?.declared ?? 0n];
      return was === now ? [] : [{ box, part, filed: was, now }];
    }),
  );
}

/** An amount of a document in a box that differs from what was filed. */
type ChangedDocument = Pick<DocumentAmounts, 'number' | 'date'> & { place: string; filed: Cents; now: Cents };

/** What documents have in the boxes otherwise than when the return was filed; undefined when that is not known. */
export function changedDocuments(
  filed: Pick<Row<'vat_return'>, 'documents'>,
  { entries }: Pick<VatReturn, 'entries'>,
): ChangedDocument[] | undefined {
  if (filed.documents === '') return undefined;
  const now = documentAmounts(entries);
  const before = new Map(
    filedDocuments
      .parse(JSON.parse(filed.documents))
      .map(([kind, number, date, amounts]) => [filedKey(kind, number, date), { number, date, amounts }]),
  );
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), now.get(key)];
    const { number, date } = (is ?? was)!;
    return [...new Set([...Object.keys(was?.amounts ?? {}), ...(is?.amounts.keys() ?? [])])].flatMap((place) => {
      const [filedAmount, amount] = [BigInt(was?.amounts[place] ?? 0), is?.amounts.get(place) ?? 0n];
      return filedAmount === amount ? [] : [{ number, date, place, filed: filedAmount, now: amount }];
    });
  });
}

/** The VAT to pay more by changes of documents. */
export function changedTax(
  country: VatCountry,
  changes: readonly Pick<ChangedDocument, 'place' | 'filed' | 'now'>[],
): Cents {
  const of = (boxes: readonly string[]) => {
    const places = new Set(boxes.map((box) => `${box} tax`));
    return sum(changes.filter(({ place }) => places.has(place)).map(({ filed, now }) => now - filed));
  };
  return of(taxBoxes[country].owed) - of(taxBoxes[country].deducted);
}
