import { Field, Select, Text } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import { createProductClient } from '../../../../shared/client/productClient.ts';
import { createPushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import { isSameAdministration } from '../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../connections/AdministrationMark.tsx';
import { wordsFor } from '../../connections/connections.ts';
import { writeObstacle } from '../../connections/Limits.tsx';
import { OtherAdministration } from '../../connections/OtherAdministration.tsx';
import { fetchOnce, serviceOf } from '../../fetchWithRetry.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import type { SendableRow } from '../../push/readProductRow.ts';
import { isFinished } from '../../push/sheetPush.ts';
import type { StockMode } from '../../sheetColumns/productTable.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { AddProducts } from '../makeSheet/AddProducts.tsx';
import { SelectedProducts } from '../makeSheet/SelectedProducts.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { ConfirmPush } from './ConfirmPush.tsx';
import { CopiedSheets } from './CopiedSheets.tsx';
import { OtherPushes } from './others/OtherPushes.tsx';
import { PushStatus } from './PushStatus.tsx';
import { SheetCheck } from './SheetCheck.tsx';
import { useProductSheets } from './useProductSheets.ts';
import { useOtherPushes, usePushQuestion } from './usePushQuestion.ts';
import { useSheetCheck } from './useSheetCheck.ts';
import { useSheetPush } from './useSheetPush.ts';

/** Checks a product sheet, shows what will be sent, begins its push and shows its results. */
export function PushView({ connection, onPushed }: Connected) {
  const { messages, go, busy } = usePane();
  const texts = messages.push;
  const own = useAdministration(connection);
  const { apiKey, username } = connection;
  // A followed push repeats its requests and shows their errors itself.
  const pushes = useMemo(() => createPushClient(serviceOf({ apiKey, username }, fetchOnce)), [apiKey, username]);
  const products = useMemo(() => createProductClient(serviceOf({ apiKey, username }, fetchOnce)), [apiKey, username]);
  const { sheets, handle, select, copies, adoptCopy, pushIds, failure } = useProductSheets(own);
  const administration = useAdministration(connection, handle?.memory.administration);
  const [mode, setMode] = useState<StockMode>();
  const defaultMode = mode ?? (handle?.memory.query.StockUpdateMode === 'Absolute' ? 'Absolute' : 'Relative');
  const pushing = useSheetPush(handle, administration, pushes);
  const push = pushing.shown?.push;
  const isPaused = pushing.shown?.phase === 'resting' && (push === undefined || isFinished(push));
  const checking = useSheetCheck(handle, defaultMode, administration, isPaused, push);
  const isOther = ({ id }: Push) => id !== push?.id && !push?.earlier.includes(id) && !pushIds.has(id);
  const others = useOtherPushes(pushes, isOther);
  const { question, ask, close } = usePushQuestion(pushes, isOther);

  /** Checks the sheet again, since it and the products may have changed, and asks about its rows. */
  const checkAndAsk = async (isWanted: (row: SendableRow) => boolean) =>
    ask(await checking.check(pushing.review, products), isWanted);
  const begin = async (chosen: readonly SendableRow[], makesCategories: boolean) => {
    close();
    if (question !== undefined && (await pushing.begin(question.rows, chosen, makesCategories))) onPushed();
  };

  const error = failure ?? pushing.failure;
  if (error !== undefined) {
    return (
      <ViewFrame title={texts.title}>
        <ErrorNotice error={error} />
      </ViewFrame>
    );
  }
  if (sheets !== undefined && handle === undefined) {
    return (
      <ViewFrame title={texts.title}>
        <Text>{texts.none}</Text>
        <CopiedSheets copies={copies} onAdopt={adoptCopy} />
        <WorkButton appearance="primary" onClick={() => go('products')}>
          {texts.make}
        </WorkButton>
        <OtherPushes pushes={others} client={pushes} />
      </ViewFrame>
    );
  }
  const made = handle?.memory.administration;
  const isOfOther = made !== undefined && !isSameAdministration(made, administration);
  const canPush = isPaused && !isOfOther && writeObstacle(connection.identity) === undefined;
  const words = wordsFor(administration);
  return (
    <ViewFrame title={texts.title}>
      <Field label={texts.sheet}>
        <Select value={handle?.sheetId ?? ''} aria-disabled={busy} onChange={(_, { value }) => !busy && select(value)}>
          {sheets?.map(({ sheetId, sheetName }) => (
            <option key={sheetId} value={sheetId}>
              {sheetName}
            </option>
          ))}
        </Select>
      </Field>
      {made !== undefined &&
        (isOfOther ? (
          <OtherAdministration administration={made} text={messages.otherAdministration.push} />
        ) : (
          <div>
            <AdministrationMark administration={made} />
          </div>
        ))}
      <CopiedSheets copies={copies} onAdopt={adoptCopy} />
      <PushStatus pushing={pushing} administration={administration} isPaused={isPaused} />
      {canPush && (
        <SheetCheck
          checking={checking}
          push={push}
          defaultMode={defaultMode}
          onDefaultMode={setMode}
          connectedTo={words}
          onPush={checkAndAsk}
        />
      )}
      {canPush && handle !== undefined && connection.identity?.available.products && (
        <AddProducts key={handle.sheetId} handle={handle} client={products} mode={defaultMode} />
      )}
      {canPush && handle !== undefined && connection.identity?.available.products === false && (
        <SelectedProducts
          key={`${handle.sheetId} selected`}
          handle={handle}
          credential={connection}
          requestsPerMinute={connection.identity.requestsPerMinute}
        />
      )}
      <OtherPushes pushes={others} client={pushes} />
      {question !== undefined && (
        <ConfirmPush
          question={question}
          administration={administration}
          isFirst={!connection.pushedBefore}
          onCancel={close}
          onConfirm={begin}
        />
      )}
    </ViewFrame>
  );
}
