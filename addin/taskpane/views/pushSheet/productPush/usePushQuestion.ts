import { useState } from 'react';
import { nextTurn } from '../../../../../shared/client/mapInTurns.ts';
import type { PushClient } from '../../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../../shared/resources/push.ts';
import { rowsAppliedElsewhere } from '../../../productSheet/checkProducts.ts';
import { isSendable, type ProductRow, type SendableRow } from '../../../productSheet/readProductRow.ts';
import type { SheetChecking } from '../useSheetCheck.ts';
import type { SheetPushing } from '../useSheetPush.ts';

/** The rows of a sheet whose push the user is to confirm. */
export type Question = {
  rows: readonly ProductRow[];
  chosen: readonly SendableRow[];
  /** The chosen rows that another push may have added already; undefined when the other pushes could not be read. */
  elsewhere: readonly SendableRow[] | undefined;
};

/** The question before a push, about the rows as the sheet has them at that moment. */
export function usePushQuestion(
  checking: SheetChecking<ProductRow[]>,
  pushing: SheetPushing,
  pushes: PushClient,
  isOther: (push: Push) => boolean,
) {
  const [question, setQuestion] = useState<Question>();
  return {
    question,
    close: () => setQuestion(undefined),
    /** Checks the sheet again, since it and the products may have changed, and asks about its rows. */
    async ask(isWanted: (row: SendableRow) => boolean) {
      let chosen: readonly SendableRow[] = [];
      let elsewhere: readonly SendableRow[] | undefined;
      const checked = await checking.check(pushing.review, async ({ handle, rows }, signal) => {
        chosen = rows.filter(isSendable).filter(isWanted);
        if (chosen.length === 0) return;
        const madeAt = Date.parse(handle.memory.pulledAt);
        try {
          const all = await pushes.list(signal);
          const later = all.filter((push) => isOther(push) && Number(push.createdOn) * 1000 > madeAt);
          elsewhere = await rowsAppliedElsewhere(chosen, later, pushes, signal);
        } catch {
          signal.throwIfAborted();
        }
      });
      if (checked === undefined || chosen.length === 0) return;
      // The page shows the checked rows first: both at once would take too long.
      await nextTurn();
      setQuestion({ rows: checked.rows, chosen, elsewhere });
    },
  };
}
