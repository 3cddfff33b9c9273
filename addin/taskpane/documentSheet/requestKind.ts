import { DECIMAL_SCALE, units } from '../../../shared/money.ts';
import type { MadeDocument } from '../../../shared/resources/madeDocument.ts';
import { cellOf } from '../../excel/cell.ts';
import type { Messages } from '../locales/en.ts';
import { languages, wordsIn } from '../locales/words.ts';
import type { UnconfirmedWrite } from '../push/additions.ts';
import type { SheetKind } from '../push/sheetKind.ts';
import { inOrder, isOf, type SentRow, type SheetPush } from '../push/sheetPush.ts';
import { storeSheetPush } from '../push/storedPush.ts';
import { madeColumns } from '../sheetColumns/requestTable.ts';

/** All that a request says: making the same once more makes another one. */
export const saysOf = ({ endpoint, request }: Pick<SentRow, 'endpoint' | 'request'>): string =>
  JSON.stringify([endpoint, inOrder(request)]);

/**
 * A sheet whose requests make something. Each is remembered by all that it says, as an addition of nothing: so the same
 * is not made twice unasked, also after undo, and one whose outcome is unknown is held back.
 */
export const requestKind: SheetKind = {
  names: (sent) => [saysOf(sent)],
  quantity: () => '',
  applied: (sent, { document }, messages) => ({
    message: madeMessage(sent, document, messages),
    cells: Object.fromEntries(
      document === undefined ? [] : madeColumns.map(({ column, kind, of }) => [column, cellOf(kind, document[of])]),
    ),
  }),
  unknown: (_, { errorMessage }, { rowMessage }) => [rowMessage.unknownMade, errorMessage].filter(Boolean).join(' '),
  texts: ({ rowMessage }) => ({
    applied: rowMessage.madeBefore,
    unknown: rowMessage.unknownMade,
    held: rowMessage.heldMade,
  }),
  remember(memory, { key }, state) {
    if (state === 'applied') memory.set(key, {});
  },
  repeated: ['Status', 'MadeNumber'],
  messagesOfOthers: languages.map((language) => {
    const [start = '', end = ''] = wordsIn[language].rowMessage.sameAs('\0').split('\0');
    return [start, end] as const;
  }),
  async settle({ handle, retry }, push, outcomeOf) {
    const { confirmedAt: at, administration } = push;
    const ended = new Set<UnconfirmedWrite>();
    const made = push.unconfirmed.filter((write) => {
      const outcome = isOf(push, write) ? undefined : outcomeOf(write.push, write.row)?.state;
      const isMade = write.state === 'applied' || outcome === 'applied';
      if (isMade || outcome === 'refused') ended.add(write);
      return isMade && !isOf(push, write);
    });
    if (ended.size === 0) return push;
    const settled: SheetPush = {
      ...push,
      added: [...push.added, ...made.map(({ names }) => ({ names, quantity: '', at, administration }))],
      unconfirmed: push.unconfirmed.filter((write) => !ended.has(write)),
    };
    return storeSheetPush(handle, settled, retry);
  },
};

/** A sheet whose rows are requests of their own, also where they have the same key. */
export const rowKind: SheetKind = { ...requestKind, repeated: [] };

/** What was made, and whether its totals are those that the sheet computed. */
function madeMessage({ expected }: SentRow, document: MadeDocument | undefined, { rowMessage }: Messages): string {
  const differs = (['totalExclTax', 'totalInclTax'] as const).find((total) => {
    const [computed, returned] = [expected?.[total], document?.[total]];
    return computed != null && returned != null && units(computed, DECIMAL_SCALE) !== units(returned, DECIMAL_SCALE);
  });
  return differs === undefined ? rowMessage.made : rowMessage.madeOtherwise(expected![differs]!);
}
