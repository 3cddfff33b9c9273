import type { VatRemarkCode, VatRemarkTexts } from './vatRemarkTexts.ts';

type ValueOfRemark = 'text' | 'amount' | 'day';
type KindsOf<Values extends readonly string[]> = { [At in keyof Values]: ValueOfRemark };

/** What the values of each remark are. */
const valuesOf: { [Code in VatRemarkCode]: KindsOf<Parameters<VatRemarkTexts[Code]>> } = {
  UNMAPPED: ['text', 'text', 'amount', 'amount', 'text', 'text'],
  DOUBTFUL: ['text', 'text', 'text'],
  NOT_BOOKED: ['text', 'text'],
  BASE_DERIVED: ['text', 'text'],
  KIND_DERIVED: ['text'],
  NO_VAT_NUMBER: ['text', 'text'],
  NO_EU_NUMBER: ['text', 'text', 'text'],
  UNUSUAL_RATE: ['text', 'amount', 'amount'],
  CARRIED: ['text', 'amount'],
  LISTING_DIFFERS: ['text', 'amount', 'amount'],
  ACCOUNTS_DIFFER: ['amount', 'amount'],
  ENTRY_DIFFERS: ['day', 'text', 'amount', 'amount'],
  LATE: ['text', 'amount', 'text'],
  CHANGED: ['text', 'text', 'amount', 'amount'],
  DOCUMENT_CHANGED: ['text', 'day', 'text', 'text', 'amount', 'amount'],
  LATE_DOCUMENT: ['text', 'day', 'amount', 'day'],
  CORRECTION: ['amount', 'text', 'amount'],
  MORE: ['text', 'text'],
  CONTROL_O: ['amount', 'amount'],
  CONTROL_P: ['amount', 'amount'],
  CONTROL_Q: ['amount', 'amount'],
  CONTROL_S: ['amount', 'amount'],
  CONTROL_T: ['amount', 'amount'],
  CONTROL_U: ['amount', 'amount'],
};

/** How a language writes the values of remarks; as the interface does by default. */
type RemarkValueTexts = Readonly<Record<ValueOfRemark, (value: string) => string>>;

const asSent = (value: string): string => value;
const valuesAsSent: RemarkValueTexts = { text: asSent, amount: asSent, day: asSent };

/**
 * A remark as a sentence; that of a code which a newer service has is its values.
 * @param texts of a language: the pane loads none but its own
 */
export function vatRemarkText(
  { code, values }: { code: string; values: readonly string[] },
  texts: VatRemarkTexts,
  written: RemarkValueTexts = valuesAsSent,
): string {
  if (!Object.hasOwn(texts, code)) return [code, ...values].join(' ');
  const kinds: readonly ValueOfRemark[] = valuesOf[code as VatRemarkCode];
  const text = texts[code as VatRemarkCode] as (...of: string[]) => string;
  return text(...values.map((value, place) => written[kinds[place] ?? 'text'](value)));
}
