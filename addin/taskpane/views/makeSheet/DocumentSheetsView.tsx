import { Field } from '@fluentui/react-field';
import { Radio, RadioGroup } from '@fluentui/react-radio';
import { Text } from '@fluentui/react-text';
import { type SubmitEvent, useState } from 'react';
import { interfaceWrites } from '../../../../shared/api.ts';
import { createClient } from '../../../../shared/client/client.ts';
import { createProductClient } from '../../../../shared/client/productClient.ts';
import { createPushClient } from '../../../../shared/client/pushClient.ts';
import { tablesInWorkbook } from '../../../excel/tables/tableMemory.ts';
import { administrationOf } from '../../connections/connections.ts';
import { othersIn } from '../../connections/useMixedQuestion.tsx';
import { makeRequestSheet } from '../../documentSheet/makeRequestSheet.ts';
import { serviceOf } from '../../fetchWithRetry.ts';
import { ofFormulas } from '../../ledgerFormulas/registerFormulas.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import type { SheetView } from '../../sheetColumns/requestColumns.ts';
import { requestSheets } from '../../sheetColumns/requestSheets.ts';
import { useJob } from '../../useJob.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';

/** Makes a sheet to fill in with documents or new products. */
export function DocumentSheetsView({ connection }: Connected) {
  const { messages, go, askMixed } = usePane();
  const texts = messages.documentSheets;
  const [view, setView] = useState<SheetView>('salesInvoiceRows');
  const making = useJob<never, string>();

  const make = () =>
    making.start(async ({ retry, send }) => {
      const administration = administrationOf(connection);
      const others = othersIn(await tablesInWorkbook(retry), ofFormulas.known(), administration);
      if (others.length > 0 && !(await askMixed(others, administration))) making.cancel();
      retry.signal?.throwIfAborted();
      const { apiKey, username } = connection;
      const service = serviceOf({ apiKey, username }, send);
      const clients = {
        client: createClient(service.base, service.credential, service.fetch),
        products: connection.identity.available.products ? createProductClient(service) : undefined,
        pushes: createPushClient(service),
      };
      return makeRequestSheet(requestSheets[view], messages, administration, clients, retry);
    });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void make();
  };

  return (
    <ViewFrame title={texts.title}>
      <form className="form" onSubmit={submit} noValidate>
        <Field label={texts.kind}>
          <RadioGroup value={view} onChange={(_, { value }) => setView(value as SheetView)}>
            {Object.values(requestSheets)
              .filter(({ endpoint }) => connection.identity.available.ledger || interfaceWrites.includes(endpoint))
              .map(({ view }) => (
                <Radio key={view} value={view} label={texts.kinds[view].name} />
              ))}
          </RadioGroup>
        </Field>
        <Text>{texts.explanation}</Text>
        <WorkButton appearance="primary" type="submit">
          {texts.submit}
        </WorkButton>
      </form>
      <JobStatus
        job={making.job}
        onCancel={making.cancel}
        running={() => texts.making}
        cancelled={messages.cancelled}
        // Another kind may be chosen by now.
        again={() => void make()}
        done={(sheetName) => (
          <>
            <Notice intent="success">{texts.made(sheetName)}</Notice>
            <WorkButton onClick={() => go('push')}>{texts.next}</WorkButton>
          </>
        )}
      />
    </ViewFrame>
  );
}
