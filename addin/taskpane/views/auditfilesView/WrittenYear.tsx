import { Field } from '@fluentui/react-field';
import { Input } from '@fluentui/react-input';
import { Select } from '@fluentui/react-select';
import { Text } from '@fluentui/react-text';
import { type FormEvent, useState } from 'react';
import { createLedgerClient } from '../../../../shared/client/ledgerClient.ts';
import { type AuditfileVersion, auditfileVersions } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { canDownload, download } from '../../download.ts';
import { serviceOf } from '../../fetchWithRetry.ts';
import { formatDecimal } from '../../locales/language.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { useJob } from '../../useJob.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { receiveYear, zippedParts } from './receiveYear.ts';

/** A file that was received, in the parts that the official checker takes. */
type Received = { name: string; parts: readonly Blob[] };

/** A fiscal year that is written as an audit file and downloaded. */
export function WrittenYear({ connection }: Pick<Connected, 'connection'>) {
  const { messages } = usePane();
  const texts = messages.auditfiles.write;
  const [year, setYear] = useState(String(new Date().getFullYear() - 1));
  const [version, setVersion] = useState<AuditfileVersion>(auditfileVersions[0]);
  const [isWrong, setWrong] = useState(false);
  const writing = useJob<number, Received>();

  const write = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const isYear = /^[1-9]\d{3}$/.test(year.trim());
    setWrong(!isYear);
    if (!isYear) return event.currentTarget.querySelector('input')?.focus();
    void writing.start(async ({ signal, report, send }) => {
      const query = { year: Number(year), version };
      const parts = await receiveYear(createLedgerClient(serviceOf(connection, send)).auditfile(query, signal), report);
      const name = `auditfile-${query.year}.xaf`;
      if (parts.length === 1) download(parts[0]!, name);
      return { name, parts };
    });
  };
  return (
    <Section title={texts.title}>
      <Text>{texts.explanation}</Text>
      {canDownload() ? (
        <form className="form" noValidate onSubmit={write}>
          <Field
            label={messages.auditfiles.year}
            hint={texts.yearHint}
            {...(isWrong && { validationMessage: texts.noYear })}
          >
            <Input inputMode="numeric" maxLength={4} value={year} onChange={(_, { value }) => setYear(value)} />
          </Field>
          <Field label={texts.version}>
            <Select value={version} onChange={(_, { value }) => setVersion(value as AuditfileVersion)}>
              {auditfileVersions.map((one) => (
                <option key={one} value={one}>
                  {texts.versions[one]}
                </option>
              ))}
            </Select>
          </Field>
          <WorkButton type="submit">{texts.write}</WorkButton>
        </form>
      ) : (
        <Notice intent="warning">{texts.noDownload}</Notice>
      )}
      <JobStatus
        job={writing.job}
        onCancel={writing.cancel}
        running={(percent) => texts.writing(percent ?? 0)}
        cancelled={texts.cancelled}
        done={(received) => <Ready received={received} />}
      />
    </Section>
  );
}

/** What was received: downloaded already, or to download as one file or as several. */
function Ready({ received: { name, parts } }: { received: Received }) {
  const { language, messages } = usePane();
  const texts = messages.auditfiles.write;
  const zipping = useJob<never, string>();
  if (parts.length === 1) return <Notice intent="success">{messages.documents.downloads(name)}</Notice>;
  const megabytes = parts.reduce((sum, { size }) => sum + size, 0) / 1_000_000;
  const zip = () =>
    zipping.start(async () => {
      const file = name.replace(/xaf$/, 'zip');
      download(await zippedParts(parts, name), file);
      return file;
    });
  return (
    <div className="section">
      <Notice intent="success">{texts.ready(name, formatDecimal(language, megabytes.toFixed(1), 1))}</Notice>
      <div className="side">
        <WorkButton onClick={() => download(new Blob([...parts]), name)}>{texts.one}</WorkButton>
        <WorkButton onClick={zip}>{texts.several(parts.length)}</WorkButton>
      </div>
      <JobStatus
        job={zipping.job}
        onCancel={zipping.cancel}
        running={() => texts.zipping}
        cancelled={texts.cancelled}
        done={(file) => <Notice intent="success">{messages.documents.downloads(file)}</Notice>}
      />
    </div>
  );
}
