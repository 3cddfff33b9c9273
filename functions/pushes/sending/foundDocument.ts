import { abs, DECIMAL_SCALE, units } from '../../../shared/money.ts';
import type { DocumentFacts } from '../../../shared/pushRules.ts';

/** A row whose outcome is unknown: its number in the push, and what its request says of the document. */
type LostDocument = { index: number; expected: DocumentFacts };

/** Whether a lost document is in a list. */
export type Finding =
  | { index: number; kind: 'found'; number: string }
  /** None of the list can be it. */
  | { index: number; kind: 'absent' }
  /** It cannot be told from others: in the list, or in the push. */
  | { index: number; kind: 'ambiguous' };

const CENT = 10n ** BigInt(DECIMAL_SCALE - 2);

/** How far a total may be from the expected one: a cent, or half a cent for each line that is rounded. */
const tolerance = (roundedLines = 0): bigint => (roundedLines > 2 ? (BigInt(roundedLines) * CENT) / 2n : CENT);

/**
 * What became of documents whose responses were lost, by a list that was taken afterwards. One is found when exactly one
 * document of the list fits it that was not there before, and no other lost document could be that as well.
 * @param listed the documents of the list that were neither there before nor are known as results of other rows
 * @param today the days on which a document without a date of its own may have been made
 */
export function findDocuments(
  lost: readonly LostDocument[],
  listed: readonly DocumentFacts[],
  today: readonly string[],
): Finding[] {
  const fitting = lost.map(({ expected }) => listed.filter((one) => fits(expected, one, today)));
  return lost.map(({ index, expected }, at): Finding => {
    const [first, ...others] = fitting[at]!;
    if (first === undefined) return { index, kind: 'absent' };
    const isShared = fitting.some((ofOther, other) => other !== at && ofOther.includes(first));
    if (others.length > 0 || isShared || !isDistinctive(expected)) return { index, kind: 'ambiguous' };
    return { index, kind: 'found', number: first.number! };
  });
}

/** Whether a document fits by more than its customer and its day. */
const isDistinctive = ({ number, reference, totalExclTax, totalInclTax }: DocumentFacts): boolean =>
  [number, reference, totalExclTax, totalInclTax].some((fact) => fact !== undefined);

function fits(expected: DocumentFacts, listed: DocumentFacts, today: readonly string[]): boolean {
  if (listed.number === undefined) return false;
  if (expected.number !== undefined && expected.number !== listed.number) return false;
  const days = expected.date === undefined ? today : [expected.date];
  if (listed.date !== undefined && !days.includes(listed.date)) return false;
  if (expected.reference !== undefined && expected.reference !== listed.reference) return false;
  if (expected.customerNumber !== undefined && expected.customerNumber !== listed.customerNumber) return false;
  if (expected.customerName !== undefined && !isSameName(expected.customerName, listed.customerName)) return false;
  return (
    isSameTotal(expected.totalExclTax, listed.totalExclTax, tolerance(expected.roundedLines)) &&
    isSameTotal(expected.totalInclTax, listed.totalInclTax, tolerance())
  );
}

const isSameName = (one: string, other = ''): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

const isSameTotal = (expected: string | undefined, listed: string | undefined, within: bigint): boolean =>
  expected === undefined ||
  (listed !== undefined && abs(units(expected, DECIMAL_SCALE) - units(listed, DECIMAL_SCALE)) <= within);
