import { Field } from '@fluentui/react-field';
import { Select } from '@fluentui/react-select';
import { Text } from '@fluentui/react-text';
import { useMemo } from 'react';
import { createProductClient } from '../../../../shared/client/productClient.ts';
import { createPushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import { isSameAdministration, type TableHandle } from '../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../connections/AdministrationMark.tsx';
import { writeObstacle } from '../../connections/Limits.tsx';
import { OtherAdministration } from '../../connections/OtherAdministration.tsx';
import { fetchOnce, serviceOf } from '../../fetchWithRetry.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import { isFinished } from '../../push/sheetPush.ts';
import { InvoiceDocuments } from '../../selectedInvoices/InvoiceDocuments.tsx';
import { requestSheetOf } from '../../sheetColumns/requestSheets.ts';
import { OtherPushes } from '../activity/OtherPushes.tsx';
import { PushEntry } from '../activity/PushEntry.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { CopiedSheets } from './CopiedSheets.tsx';
import { DocumentPush } from './documentPush/DocumentPush.tsx';
import { PushStatus } from './PushStatus.tsx';
import { ProductPush } from './productPush/ProductPush.tsx';
import { useListedPushes } from './useListedPushes.ts';
import { usePushSheets } from './usePushSheets.ts';
import { useSheetPush } from './useSheetPush.ts';

/** Checks a sheet, shows what will be sent, begins its push and shows its results. */
export function PushView({ connection, onPushed }: Connected) {
  const { messages, go, busy } = usePane();
  const texts = messages.push;
  const own = useAdministration(connection);
  const { apiKey, username } = connection;
  // A followed push repeats its requests and shows their errors itself.
  const pushes = useMemo(() => createPushClient(serviceOf({ apiKey, username }, fetchOnce)), [apiKey, username]);
  const products = useMemo(() => createProductClient(serviceOf({ apiKey, username }, fetchOnce)), [apiKey, username]);
  const { sheets, handle, select, copies, adoptCopy, sheetOfPush, failure, readAgain } = usePushSheets(own);
  const administration = useAdministration(connection, handle?.memory.administration);
  const pushing = useSheetPush(handle, administration, connection, pushes);
  const push = pushing.shown?.push;
  const isPaused = pushing.shown?.phase === 'resting' && (push === undefined || isFinished(push));
  const isOther = ({ id }: Push) => id !== push?.id && !push?.earlier.includes(id) && !sheetOfPush.has(id);
  // Its sheet cannot be written to, or is gone: the service says what it does, and is told to stop it.
  const isUnfollowed = pushing.shown?.failure !== undefined && !isPaused;
  const { recorded, others } = useListedPushes(pushes, isOther, isUnfollowed ? push?.id : '');

  const canWrite = writeObstacle(connection.identity) === undefined;
  const otherPushes = (
    <OtherPushes
      pushes={others}
      client={pushes}
      mayStop={({ by }) => canWrite && by?.username === username.toLowerCase()}
    />
  );
  const error = failure ?? pushing.failure;
  if (error !== undefined) {
    return (
      <ViewFrame title={texts.title}>
        <ErrorNotice error={error} onRetry={readAgain} />
      </ViewFrame>
    );
  }
  if (sheets !== undefined && handle === undefined) {
    return (
      <ViewFrame title={texts.title}>
        <Text>{texts.none}</Text>
        <CopiedSheets connection={connection} copies={copies} sheets={sheets ?? []} onAdopt={adoptCopy} />
        <WorkButton appearance="primary" onClick={() => go('products')}>
          {texts.make}
        </WorkButton>
        {otherPushes}
      </ViewFrame>
    );
  }
  const made = handle?.memory.administration;
  const isOfOther = made !== undefined && !isSameAdministration(made, administration);
  const panelOf = (shown: TableHandle) => {
    const panel = { handle: shown, administration, connection, pushing, isPaused, canPush, pushes, isOther, onPushed };
    const sheet = requestSheetOf(shown);
    return sheet === undefined ? (
      <ProductPush key={shown.sheetId} {...panel} products={products} />
    ) : (
      <DocumentPush key={shown.sheetId} {...panel} sheet={sheet} />
    );
  };
  const canPush = isPaused && !isOfOther && canWrite;
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
      <CopiedSheets connection={connection} copies={copies} sheets={sheets ?? []} onAdopt={adoptCopy} />
      <PushStatus pushing={pushing} administration={administration} isPaused={isPaused} onGone={readAgain} />
      {recorded !== undefined && (
        <ul className="list">
          <PushEntry push={recorded} client={pushes} mayStop />
        </ul>
      )}
      {handle !== undefined && panelOf(handle)}
      <InvoiceDocuments connection={connection} />
      {otherPushes}
    </ViewFrame>
  );
}
