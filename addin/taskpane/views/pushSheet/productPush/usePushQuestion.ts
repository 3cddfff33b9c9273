import { useState } from 'react';
import { nextTurn } from '../../../../../shared/client/mapInTurns.ts';
import type { PushClient } from '../../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../../shared/resources/push.ts';
import { rowsAppliedElsewhere } from '../../../productSheet/checkProducts.ts';
import { isSendable, type ProductRow, type SendableRow } from '../../../productSheet/readProductRow.ts';
import { useJob } from '../../../useJob.ts';
import type { CheckedSheet } from '../useSheetCheck.ts';

/** The rows of a sheet whose push the user is to confirm. */
export type Question = {
  rows: readonly ProductRow[];
  chosen: readonly SendableRow[];
  /** The chosen rows that another push may have added already; undefined when the other pushes could not be read. */
  elsewhere: readonly SendableRow[] | undefined;
};

/** The question before a push, about the rows as the sheet has them at that moment. */
export function usePushQuestion(pushes: PushClient, isOther: (push: Push) => boolean) {
  const [question, setQuestion] = useState<Question>();
  const { start } = useJob<never, SendableRow[]>();
  return {
    question,
    close: () => setQuestion(undefined),
    async ask(checked: CheckedSheet<ProductRow[]> | undefined, isWanted: (row: SendableRow) => boolean) {
      const chosen = checked?.rows.filter(isSendable).filter(isWanted) ?? [];
      if (checked === undefined || chosen.length === 0) return;
      const madeAt = Date.parse(checked.handle.memory.pulledAt);
      const elsewhere = await start(async () => {
        const later = (await pushes.list()).filter((push) => isOther(push) && Number(push.createdOn) * 1000 > madeAt);
        return rowsAppliedElsewhere(chosen, later, pushes);
      });
      // The page shows the checked rows first: both at once would take too long.
      await nextTurn();
      setQuestion({ rows: checked.rows, chosen, elsewhere });
    },
  };
}
