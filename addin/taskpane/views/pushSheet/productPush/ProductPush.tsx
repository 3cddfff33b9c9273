import { useCallback, useState } from 'react';
import type { ProductClient } from '../../../../../shared/client/productClient.ts';
import { wordsFor } from '../../../connections/connections.ts';
import { usePane } from '../../../paneContext.ts';
import { checkProducts, selectProducts } from '../../../productSheet/checkProducts.ts';
import { refreshPresent } from '../../../productSheet/presentProducts.ts';
import { productKind } from '../../../productSheet/productKind.ts';
import { isSendable, type ProductRow, type SendableRow } from '../../../productSheet/readProductRow.ts';
import type { StockMode } from '../../../sheetColumns/productTable.ts';
import { AddProducts } from '../../makeSheet/AddProducts.tsx';
import { SelectedProducts } from '../../makeSheet/SelectedProducts.tsx';
import type { PanelProps } from '../panelProps.ts';
import { type CheckRows, useSheetCheck } from '../useSheetCheck.ts';
import { ConfirmPush } from './ConfirmPush.tsx';
import { SheetCheck } from './SheetCheck.tsx';
import { usePushQuestion } from './usePushQuestion.ts';

/** Checks a product sheet, shows what will be sent, and begins its push. */
export function ProductPush({ products, ...props }: PanelProps & { products: ProductClient }) {
  const { handle, administration, connection, pushing, isPaused, canPush, pushes, isOther, onPushed } = props;
  const { messages } = usePane();
  const [mode, setMode] = useState<StockMode>();
  const defaultMode = mode ?? (handle.memory.query.StockUpdateMode === 'Absolute' ? 'Absolute' : 'Relative');
  const push = pushing.shown?.push;
  const checkRows = useCallback<CheckRows<ProductRow[]>>(
    async (handle, push, retry, moment) => {
      const context = { handle, kind: productKind, messages, retry };
      const readRows = () => checkProducts(context, defaultMode, push, administration);
      if (moment === 'sending') await refreshPresent(handle, (await readRows()).filter(isSendable), products, retry);
      return readRows();
    },
    [messages, defaultMode, administration, products],
  );
  const checking = useSheetCheck(handle, isPaused, push, checkRows);
  const { question, ask, close } = usePushQuestion(checking, pushing, pushes, isOther);

  const begin = async (chosen: readonly SendableRow[], makesCategories: boolean) => {
    close();
    if (question === undefined) return;
    const selection = selectProducts(question.rows, chosen, messages, { makesCategories });
    if (await pushing.begin(selection)) onPushed();
  };
  return (
    <>
      {canPush && (
        <SheetCheck
          checking={checking}
          push={push}
          defaultMode={defaultMode}
          onDefaultMode={setMode}
          connectedTo={wordsFor(administration)}
          onPush={ask}
        />
      )}
      {canPush && connection.identity.available.products && (
        <AddProducts handle={handle} client={products} mode={defaultMode} />
      )}
      {canPush && !connection.identity.available.products && (
        <SelectedProducts
          handle={handle}
          credential={connection}
          requestsPerMinute={connection.identity.requestsPerMinute}
        />
      )}
      {question !== undefined && (
        <ConfirmPush
          question={question}
          administration={administration}
          isFirst={!connection.pushedBefore}
          onCancel={close}
          onConfirm={begin}
        />
      )}
    </>
  );
}
