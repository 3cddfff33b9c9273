import { Checkbox } from '@fluentui/react-checkbox';
import { Text } from '@fluentui/react-text';
import { useState } from 'react';
import { createVatClient } from '../../../../shared/client/vatClient.ts';
import { canDownload, download } from '../../download.ts';
import { serviceOf } from '../../fetchWithRetry.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import type { Question } from '../../pulledLists/list.ts';
import { useJob } from '../../useJob.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';

type Props = Pick<Connected, 'connection'> & { question: Question };

/** Downloads the Belgian return of a month or a quarter as a file for Intervat. */
export function IntervatFile({ connection, question: { Period: period = '' } }: Props) {
  const { messages } = usePane();
  const texts = messages.vat.intervat;
  const [refund, setRefund] = useState(false);
  const [noClients, setNoClients] = useState(false);
  const writing = useJob<never, string>();
  const write = () =>
    writing.start(async ({ signal, send }) => {
      const file = await createVatClient(serviceOf(connection, send)).intervat({ period, refund, noClients }, signal);
      const name = `vat-${period}.xml`;
      download(file, name);
      return name;
    });
  return (
    <Section title={texts.title}>
      <Text>{texts.explanation}</Text>
      {canDownload() ? (
        <>
          <Checkbox label={texts.refund} checked={refund} onChange={(_, { checked }) => setRefund(checked === true)} />
          <Checkbox
            label={texts.noClients}
            checked={noClients}
            onChange={(_, { checked }) => setNoClients(checked === true)}
          />
          <div className="side">
            <WorkButton onClick={() => void write()}>{texts.write}</WorkButton>
          </div>
        </>
      ) : (
        <Notice intent="warning">{texts.noDownload}</Notice>
      )}
      <JobStatus
        job={writing.job}
        onCancel={writing.cancel}
        running={() => messages.vat.computing}
        cancelled={messages.cancelled}
        done={(name) => <Notice intent="success">{messages.documents.downloads(name)}</Notice>}
      />
    </Section>
  );
}
