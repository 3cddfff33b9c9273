import { Field } from '@fluentui/react-field';
import { Input } from '@fluentui/react-input';
import { Select } from '@fluentui/react-select';
import { Text } from '@fluentui/react-text';
import { type FormEvent, useState } from 'react';
import { createLedgerClient } from '../../../../shared/client/ledgerClient.ts';
import {
  type AuditfileVersion,
  auditfileVersions,
  isFiscalYear,
} from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { canDownload, download } from '../../download.ts';
import { serviceOf } from '../../fetchWithRetry.ts';
import { formatDay, formatDecimal } from '../../locales/language.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { useJob } from '../../useJob.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { beginningsIn } from './beginnings.ts';
import { receiveYear, zippedParts } from './receiveYear.ts';

/** A file that was received, in the parts that the official checker takes. */
type Received = { name: string; parts: readonly Blob[] };
/** The first days of several fiscal years that begin in the year that was asked for: nothing was written yet. */
type Several = { year: string; beginnings: readonly CalendarDate[] };

/** A fiscal year that is written as an audit file and downloaded. */
export function WrittenYear({ connection }: Pick<Connected, 'connection'>) {
  const { messages } = usePane();
  const texts = messages.auditfiles.write;
  const [year, setYear] = useState(String(new Date().getFullYear() - 1));
  const [version, setVersion] = useState<AuditfileVersion>(auditfileVersions[0]);
  const [isWrong, setWrong] = useState(false);
  const writing = useJob<number, Received | Several>();

  const write = (asked: string) => {
    void writing.start(async ({ signal, report, send }) => {
      const ledger = createLedgerClient(serviceOf(connection, send));
      if (asked.length === 4) {
        const beginnings = await beginningsIn(asked, ledger, signal);
        if (beginnings.length > 1) return { year: asked, beginnings };
      }
      const parts = await receiveYear(ledger.auditfile({ year: asked, version }, signal), report);
      const name = `auditfile-${asked}.xaf`;
      if (parts.length === 1) download(parts[0]!, name);
      return { name, parts };
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = year.trim();
    const isYear = isFiscalYear(asked);
    setWrong(!isYear);
    if (!isYear) return event.currentTarget.querySelector('input')?.focus();
    write(asked);
  };
  return (
    <Section title={texts.title}>
      <Text>{texts.explanation}</Text>
      {canDownload() ? (
        <form className="form" noValidate onSubmit={submit}>
          <Field
            label={messages.auditfiles.year}
            hint={texts.yearHint}
            {...(isWrong && { validationMessage: texts.noYear })}
          >
            <Input maxLength={7} value={year} onChange={(_, { value }) => setYear(value)} />
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
        done={(result) =>
          'parts' in result ? <Ready received={result} /> : <WhichYear several={result} onChosen={write} />
        }
      />
    </Section>
  );
}

/** The fiscal years that begin in one calendar year, each with a button that writes it. */
function WhichYear({ several, onChosen }: { several: Several; onChosen: (year: string) => void }) {
  const { language, messages } = usePane();
  const texts = messages.auditfiles.write;
  return (
    <div className="section">
      <Notice intent="info">{texts.whichYear(several.year)}</Notice>
      <div className="side">
        {several.beginnings.map((first) => (
          <WorkButton key={first} onClick={() => onChosen(first.slice(0, 7))}>
            {texts.yearFrom(formatDay(language, first))}
          </WorkButton>
        ))}
      </div>
    </div>
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
