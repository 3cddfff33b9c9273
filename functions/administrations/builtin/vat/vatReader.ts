import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod/mini';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText, sum } from '../../../../shared/money.ts';
import { Problem, refuseFields } from '../../../../shared/problem.ts';
import { vatRemarkText } from '../../../../shared/resources/vatReturn/vatRemark.ts';
import { vatRemarkTexts } from '../../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import {
  type IntervatQuery,
  type VatFiling,
  type VatLinePage,
  type VatLinesQuery,
  type VatReturnLine,
  type VatReturnQuery,
  type VatReturnResponse,
  vatLinePage,
  vatReturnResponse,
} from '../../../../shared/resources/vatReturn/vatReturn.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import type { Database } from '../sql/database.ts';
import { type EndpointContext, writing } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';
import { atOneMoment } from '../sql/transaction.ts';
import { vatRulesOf } from './administrationRules.ts';
import { linesOfDays, portionsOf } from './bookedTax/vatLines.ts';
import { digestOf, figuresOf, filedReturns, fileReturn } from './filedReturns.ts';
import { intervatReturn } from './intervat.ts';
import { formBoxes } from './vatBoxes.ts';
import { vatPaper } from './vatPaper.ts';
import { readVatPeriod, type VatPeriod } from './vatPeriod.ts';
import { boxEntries, ruleFinder, type VatEntry } from './vatReturn.ts';

/** The documents of a page of lines, unless one day has more. */
const PAGE = 500;

/** What is asked of the VAT of an administration, which another thread may answer. */
export type VatOrder = { administration: Row<'administration'> } & (
  | { name: 'vatReturn'; query: VatReturnQuery }
  | { name: 'vatLines'; query: VatLinesQuery }
  | { name: 'intervat'; query: IntervatQuery }
  | { name: 'vatFigures'; query: VatFiling }
);

/** What is filed, and the version of the books that it is of. */
const computedFigures = z.object({ version: z.string(), figures: z.string(), documents: z.string() });

/** The response to a question, as JSON text, or XML of Intervat: of one moment. @throws Problem */
export function vatText(db: Database, { administration, ...order }: VatOrder): Promise<string> {
  return atOneMoment(db, async (snapshot) => {
    if (order.name === 'vatLines') {
      const { period, after } = order.query;
      return encode(vatLinePage, await linePage(snapshot, administration, periodIn('period', period), pageMark(after)));
    }
    if (order.name === 'intervat') {
      const period = periodIn('period', order.query.period);
      const { paper } = await vatPaper(snapshot, administration, period, {});
      return intervatReturn(paper.found, administration, period, order.query);
    }
    if (order.name === 'vatReturn') {
      const period = periodIn('period', order.query.period);
      const { rounding, supplement: isSupplement } = order.query;
      const found = await vatPaper(snapshot, administration, period, { rounding, isSupplement });
      if (isSupplement) requireFiled(found.filed, period, true);
      return encode(vatReturnResponse, responseOf(period, found));
    }
    const { Period, Supplement: isSupplement = false, Figures: figures } = order.query;
    const period = periodIn('Period', Period);
    const { paper, filed } = await vatPaper(snapshot, administration, period, { isSupplement });
    requireFiled(filed, period, isSupplement);
    if (figures !== undefined && figures !== digestOf(paper.found.boxes)) {
      throw new Problem('CONFLICT', 'The return has other figures by now: look at it again.');
    }
    const version = String(await versionOf(snapshot, administration.id));
    return JSON.stringify({ version, ...figuresOf(paper.found) } satisfies z.output<typeof computedFigures>);
  });
}

/**
 * Marks the return of a period as filed.
 * @param ask answers questions
 * @returns the response with the return
 * @throws Problem CONFLICT when it was filed, or the books change meanwhile
 */
export async function fileVatReturn(
  context: EndpointContext,
  ask: (order: VatOrder) => Promise<Buffer>,
  query: VatFiling,
): Promise<Buffer> {
  const { administration } = context;
  const text = (await ask({ administration, name: 'vatFigures', query })).toString();
  const { version, ...filed } = computedFigures.parse(JSON.parse(text));
  const period = periodIn('Period', query.Period);
  const now = context.now();
  await writing(
    context,
    async ({ db }) => {
      await requireVersion(db, administration.id, BigInt(version));
      await fileReturn(db, administration.id, period, filed, now);
    },
    { unlessArchived: true },
  );
  try {
    return await ask({ administration, name: 'vatReturn', query: { period: query.Period } });
  } catch (cause) {
    // It may say that nothing was changed.
    throw new Problem('INTERNAL', 'The return was filed, but cannot be shown at the moment.', { cause });
  }
}

/** @throws Problem CONFLICT when a return was filed before, or a supplement is of one that was not */
export function requireFiled(filed: object | undefined, { name }: VatPeriod, isSupplement: boolean): void {
  if ((filed !== undefined) === isSupplement) return;
  throw new Problem('CONFLICT', `The return of ${name} was ${isSupplement ? 'not filed yet' : 'filed already'}.`);
}

/** Refuses figures that are of another version of the books, in the transaction that files them. @throws Problem CONFLICT */
export async function requireVersion(db: Database, administrationId: bigint, version: bigint): Promise<void> {
  if ((await versionOf(db, administrationId)) === version) return;
  throw new Problem('CONFLICT', 'The books have changed since the return was computed: look at it again.');
}

/** The version of the books: the end of the log, which every change moves. */
export async function versionOf(db: Database, administrationId: bigint): Promise<bigint> {
  const head = db.selectFrom('log_head').where('administration_id', '=', administrationId).select('sequence');
  return (await head.executeTakeFirstOrThrow()).sequence;
}

function periodIn(field: string, text: string): VatPeriod {
  const period = readVatPeriod(text);
  if (period !== undefined) return period;
  throw refuseFields([fieldError(field, 'NOT_VAT_PERIOD', { given: JSON.stringify(text) })]);
}

function responseOf(
  { name, from, to }: VatPeriod,
  { paper, filed }: Awaited<ReturnType<typeof vatPaper>>,
): VatReturnResponse {
  const { found, rounding, listing, clients = [], remarks } = paper;
  return {
    period: name,
    from,
    to,
    country: found.country,
    rounding,
    filedOn: filed === undefined ? null : String(filed.filed_on),
    boxes: formBoxes[found.country].flatMap(({ box, name, parts }) =>
      parts.map((part) => {
        const { exact, declared } = found.boxes.get(box)![part]!;
        return { box, name, part, exact: centsText(exact), declared: centsText(declared) };
      }),
    ),
    figures: digestOf(found.boxes),
    listing: listing.map(({ amount, ...row }) => ({ ...row, amount: centsText(amount) })),
    listingTotal: centsText(sum(listing.map(({ amount }) => amount))),
    clients: clients.map(({ turnover, tax, ...row }) => ({
      ...row,
      turnover: centsText(turnover),
      tax: centsText(tax),
    })),
    clientsTurnover: centsText(sum(clients.map(({ turnover }) => turnover))),
    clientsTax: centsText(sum(clients.map(({ tax }) => tax))),
    remarks: remarks.map((remark) => ({ ...remark, message: vatRemarkText(remark, vatRemarkTexts) })),
  };
}

/** Where a page begins: on a day, or with what was entered late for a period that begins on a day. */
type PageMark = { isLate: boolean; day: string };

const LATE = 'late ';

function pageMark(after: string | undefined): PageMark | undefined {
  if (after === undefined) return undefined;
  const isLate = after.startsWith(LATE);
  const day = isLate ? after.slice(LATE.length) : after;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw refuseFields([fieldError('after', 'NOT_PAGE_MARK')]);
  return { isLate, day };
}

async function linePage(
  db: Database,
  administration: Row<'administration'>,
  period: VatPeriod,
  mark: PageMark | undefined,
): Promise<VatLinePage> {
  const rules = await vatRulesOf(db, administration);
  const source = { db, administration, ruleOf: ruleFinder(rules), filed: await filedReturns(db, administration.id) };
  const from = mark?.isLate === false && mark.day > period.from ? mark.day : period.from;
  const portions = (await portionsOf(source, period, PAGE, from)).filter(
    ({ first, after }) => mark?.isLate !== true || (after !== undefined && first >= mark.day),
  );
  const [days, next] = portions;
  if (days === undefined) return { lines: [], next: null };
  const lines = await linesOfDays(source, period, days);
  await turn();
  const { entries, unmapped } = boxEntries(source.ruleOf, lines);
  const late = new Set(lines.flatMap(({ document, date, countsOn }) => (countsOn === date ? [] : document)));
  await turn();
  const withoutBox = unmapped.map((line): LineAmount => ({ line, box: '', part: 'base', amount: line.base }));
  return {
    lines: [...inOneRow(entries), ...inOneRow(withoutBox)].map((entry) => rowOf(entry, late)),
    next: next === undefined ? null : next.after === undefined ? next.first : `${LATE}${next.first}`,
  };
}

type LineAmount = Pick<VatEntry, 'line' | 'box' | 'part' | 'amount'>;

/** The part is its last: who shows base and tax in one row takes what is before it. */
const keyOf = ({ line: { document, taxCode, classification, relationId }, box, part }: LineAmount): string =>
  [document, taxCode, classification, ...(relationId === undefined ? [] : [relationId]), box, part].join('/');

/** Adds up the amounts of a document that are in the same box, or in none, under the same tax code, on whatever account. */
function inOneRow(entries: readonly LineAmount[]): LineAmount[] {
  return [...Map.groupBy(entries, keyOf).values()].map((group) => {
    const [first] = group as [LineAmount];
    const lines = [...new Set(group.map(({ line }) => line))];
    const line = {
      ...first.line,
      base: sum(lines.map(({ base }) => base)),
      tax: sum(lines.map(({ tax }) => tax)),
    };
    return {
      line: lines.length === 1 ? first.line : line,
      box: first.box,
      part: first.part,
      amount: sum(group.map(({ amount }) => amount)),
    };
  });
}

/** @param late the documents that were entered late */
function rowOf(amount: LineAmount, late: ReadonlySet<string>): VatReturnLine {
  const { line, box, part } = amount;
  const [kind] = line.document.split(' ') as ['sales' | 'purchases' | 'entry'];
  return {
    key: keyOf(amount),
    box,
    part,
    amount: centsText(amount.amount),
    kind,
    document: line.number,
    date: line.date,
    relationName: line.relation.name,
    vatNumber: line.relation.vatNumber,
    country: line.relation.country,
    taxCode: line.taxCode,
    base: centsText(line.base),
    tax: centsText(line.tax),
    isLate: late.has(line.document),
  };
}
