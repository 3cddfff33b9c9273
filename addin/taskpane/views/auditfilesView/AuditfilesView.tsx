import { Text } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import {
  type AuditfileClient,
  createAuditfileClient,
  type NamedFile,
} from '../../../../shared/client/auditfileClient.ts';
import type { Auditfile } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { administrationOf } from '../../connections/connections.ts';
import { serviceOf } from '../../fetchWithRetry.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { useJob } from '../../useJob.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { useFormStyles, ViewFrame } from '../ViewFrame.tsx';
import { ChosenFile } from './ChosenFile.tsx';
import { ConfirmImport } from './ConfirmImport.tsx';
import { FileCard } from './FileCard.tsx';
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
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.auditfiles;
  const client = useMemo(() => createAuditfileClient(serviceOf(connection)), [connection]);
  const { files, failure, read } = useAuditfiles(client);
  const sending = useJob<number, void>();
  const [refusal, setRefusal] = useState<unknown>();
  const [isPartial, setPartial] = useState(false);
  const [confirmed, setConfirmed] = useState<Auditfile>();
  const [withdrawn, setWithdrawn] = useState<Auditfile>();

  const withdrawalText = ({ report }: Auditfile) => {
    const { entries, firstDay, lastDay } = report!;
    const days = texts.period(firstDay, lastDay);
    return texts.withdrawText(entries.added + entries.unchanged, days, administrationOf(connection).label);
  };
  /** Asks the app for something, and shows what became of it. */
  const request = async (asked: Promise<unknown>) => {
    setRefusal(undefined);
    await asked.catch(setRefusal);
    await read();
  };
  const send = async (chosen: readonly File[]) => {
    setRefusal(undefined);
    const file = await wholeFile(chosen);
    setPartial(file === undefined);
    if (file === undefined) return;
    await sending.start(({ signal, report }) => sendAndCheck(client, file, report, signal));
    await read();
  };
  return (
    <>
      <ChosenFile onChosen={send} />
      <JobStatus
        job={sending.job}
        onCancel={sending.cancel}
        running={(percent) => texts.sending(percent ?? 0)}
        cancelled={texts.notSent}
        done={() => null}
      />
      {isPartial && <Notice intent="error">{texts.notWhole}</Notice>}
      <ErrorNotice error={failure ?? refusal} />
      {files === undefined && failure === undefined && <div role="status">{texts.looking}</div>}
      <ul className={styles.list} aria-label={texts.title}>
        {files?.map((file) => (
          <FileCard
            key={file.id}
            file={file}
            onImport={() => setConfirmed(file)}
            onCancel={() => request(client.cancel(file.id))}
            onErase={() => request(client.erase(file.id))}
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
            void request(client.import(confirmed.id, choices));
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
            void request(client.withdraw(withdrawn.id));
          }}
          onCancel={() => setWithdrawn(undefined)}
        >
          <Text>{withdrawalText(withdrawn)}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Sends a file, further where it broke off, and has it checked. */
async function sendAndCheck(
  client: AuditfileClient,
  file: NamedFile,
  report: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const begun = (await client.list(signal)).find(
    ({ state, name, bytes }) => state === 'receiving' && name === file.name && bytes === file.size,
  );
  const received = begun ?? (await client.receive(file, signal));
  await client.sendParts(received, file, (bytes) => report(Math.floor((100 * bytes) / file.size)), signal);
  await client.check(received.id, signal);
}
