import { Text } from '@fluentui/react-text';
import { useMemo, useState } from 'react';
import { createAuditfileClient } from '../../../../shared/client/auditfileClient.ts';
import type { Auditfile } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { administrationOf } from '../../connections/connections.ts';
import { fetchOnce, fetchWithRetry, serviceOf } from '../../fetchWithRetry.ts';
import { formatDay } from '../../locales/language.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { useJob } from '../../useJob.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { Status } from '../Status.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { ChosenFile } from './ChosenFile.tsx';
import { ConfirmImport } from './ConfirmImport.tsx';
import { FileCard } from './FileCard.tsx';
import { sendAndCheck } from './sendAndCheck.ts';
import { isLatestOfYear, useAuditfiles } from './useAuditfiles.ts';
import { WrittenYear } from './WrittenYear.tsx';
import { wholeFile } from './wholeFile.ts';

/**
 * Audit files that are brought in, and years that are written as one. A file is sent and checked, and imported when the
 * person has seen what it holds.
 */
export function AuditfilesView({ connection }: Connected) {
  const { messages } = usePane();
  const texts = messages.auditfiles;
  const { kind, rights } = connection.identity;
  const mayImport = rights !== 'unknown' && rights.import;
  return (
    <ViewFrame title={texts.title}>
      <Section title={texts.bringIn}>
        <Text>{texts.explanation}</Text>
        {mayImport ? <Incoming connection={connection} /> : <Notice intent="warning">{texts.notImporting}</Notice>}
      </Section>
      {kind === 'builtin' && <WrittenYear connection={connection} />}
    </ViewFrame>
  );
}

function Incoming({ connection }: Pick<Connected, 'connection'>) {
  const { language, messages } = usePane();
  const texts = messages.auditfiles;
  const client = useMemo(() => createAuditfileClient(serviceOf(connection)), [connection]);
  const { files, failure, read } = useAuditfiles(client);
  /** Its result is whether the chosen files are a whole one. */
  const sending = useJob<number, boolean>();
  const [refused, setRefused] = useState<{ error: unknown; again: () => void }>();
  const [confirmed, setConfirmed] = useState<Auditfile>();
  const [withdrawn, setWithdrawn] = useState<Auditfile>();

  const withdrawalText = ({ report }: Auditfile) => {
    const { entries, firstDay, lastDay } = report!;
    const days = texts.period(formatDay(language, firstDay), formatDay(language, lastDay));
    return texts.withdrawText(entries.added + entries.unchanged, days, administrationOf(connection).label);
  };
  /** Asks the app for something, and shows what became of it. */
  const request = async (ask: () => Promise<unknown>): Promise<void> => {
    setRefused(undefined);
    await ask().catch((error: unknown) => setRefused({ error, again: () => void request(ask) }));
    await read();
  };
  const send = (chosen: readonly File[]) => {
    setRefused(undefined);
    void sending.start(
      async ({ signal, report, onWaiting }) => {
        const file = await wholeFile(chosen);
        if (file === undefined) return false;
        // A part may be sent again: it is stored once.
        const isRead = ({ method, body }: RequestInit) => method === 'GET' || body instanceof Uint8Array;
        const service = serviceOf(connection, fetchWithRetry(fetchOnce, { isRead, onWaiting }));
        await sendAndCheck(createAuditfileClient(service), file, report, signal);
        return true;
      },
      () => read(),
    );
  };
  return (
    <>
      <ChosenFile onChosen={send} />
      <JobStatus
        job={sending.job}
        onCancel={sending.cancel}
        running={(percent) => texts.sending(percent ?? 0)}
        cancelled={texts.notSent}
        done={(isWhole) => !isWhole && <Notice intent="error">{texts.notWhole}</Notice>}
      />
      <ErrorNotice error={failure} onRetry={() => void read()} />
      {refused !== undefined && <ErrorNotice error={refused.error} onRetry={refused.again} />}
      {files === undefined && failure === undefined && <Status>{texts.looking}</Status>}
      <ul className="list" aria-label={texts.title}>
        {files?.map((file) => (
          <FileCard
            key={file.id}
            file={file}
            onImport={() => setConfirmed(file)}
            onCancel={() => request(() => client.cancel(file.id))}
            onErase={() => request(() => client.erase(file.id))}
            onWithdraw={isLatestOfYear(file, files) ? () => setWithdrawn(file) : undefined}
          />
        ))}
      </ul>
      {confirmed !== undefined && (
        <ConfirmImport
          file={confirmed}
          into={administrationOf(connection).label}
          onConfirm={(choices) => {
            setConfirmed(undefined);
            void request(() => client.import(confirmed.id, choices));
          }}
          onCancel={() => setConfirmed(undefined)}
        />
      )}
      {withdrawn !== undefined && (
        <ConfirmDialog
          title={texts.withdrawTitle}
          confirm={texts.withdraw}
          onConfirm={() => {
            setWithdrawn(undefined);
            void request(() => client.withdraw(withdrawn.id));
          }}
          onCancel={() => setWithdrawn(undefined)}
        >
          <Text>{withdrawalText(withdrawn)}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
