import type { PushedName } from '../../../shared/api.ts';
import type { SentRow } from '../../../shared/resources/push.ts';
import type { Messages } from '../locales/en.ts';
import type { Language } from '../locales/words.ts';
import { numberText, type ProductColumn, productKeys } from '../sheetColumns/productTable.ts';

/** A field of a pushed row in words. `before`: its value before the push, where the service has it. */
export type SentValue = { field: string; label: string; text: string; before?: string };

/** Fields that say how another is applied: they have a default, and mean nothing without the other. */
const onlyWith: Partial<Record<string, string>> = {
  StockUpdateMode: 'NewStockQty',
  BatchStockUpdateMode: 'Product_Batch',
  BatchMatchMode: 'Product_Batch',
  CategoryCreateIfMissing: 'CategoryName',
};

/**
 * What a row sent, in words. The fields that a sheet has are under their headings, any others under their names in the
 * interface; those of the lines of a document with the numbers of these.
 * @param sent decimals are texts
 */
export function sentValues(
  { request, before = {} }: Pick<SentRow, 'request' | 'before'>,
  messages: Messages,
  language: Language,
): SentValue[] {
  const headings: Partial<Record<string, string>> = { ...messages.headings.documents, ...messages.headings.products };
  return Object.entries(request)
    .filter(([field]) => (onlyWith[field] ?? field) in request)
    .flatMap(([field, value]): SentValue | SentValue[] => {
      const label = headings[field] ?? field;
      if (isLines(value)) {
        return value.flatMap((line, index) =>
          Object.entries(line).map(([member, text]) => ({
            field: `${field}[${index}].${member}`,
            label: messages.cell.line(headings[member] ?? member, index + 1),
            text: textOf(member, text, messages, language),
          })),
        );
      }
      const was = before[field];
      return {
        field,
        label,
        text: textOf(field, value, messages, language),
        ...(was === undefined ? {} : { before: textOf(field, asSent(was, value), messages, language) }),
      };
    });
}

const isLines = (value: unknown): value is Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);

/** A value from before a push, as a text, in the type of what was sent. */
const asSent = (was: string, sent: unknown): unknown => (typeof sent === 'boolean' ? was === 'true' : was);

/** What a value was before its row was pushed, in words where it has no value. */
export function beforeText(
  { endpoint, state }: SentRow,
  { field, text, before }: SentValue,
  messages: Messages,
): string {
  const words = messages.activity.before;
  // What makes something changes nothing that was there.
  if (endpoint !== CHANGES_PRODUCT) return words.newThing;
  if (state === 'refused' || state === 'cancelled') return words.unchanged;
  if (before !== undefined) return before === '' ? words.empty : before;
  return isKey(field) ? text : words.unknown;
}

const CHANGES_PRODUCT: PushedName = 'updateproduct';
const isKey = (field: string): boolean => (productKeys as readonly string[]).includes(field);

/** The word of the sheet for the state of a row. */
export function stateWord(state: SentRow['state'], { status }: Messages): string {
  const words: Readonly<Record<string, string>> = {
    applied: status.applied,
    refused: status.refused,
    unknown: status.unknown,
    cancelled: status.notSent,
  };
  return words[state ?? ''] ?? status.waiting;
}

function textOf(field: string, value: unknown, messages: Messages, language: Language): string {
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (field === 'StockUpdateMode') return messages.codes[value === 'Absolute' ? 'Absolute' : 'Relative'];
  if (typeof value !== 'string') return JSON.stringify(value);
  if (!(field in messages.headings.products)) return value;
  return numberText(field as ProductColumn, value, language);
}
