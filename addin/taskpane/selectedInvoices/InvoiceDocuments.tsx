import { Link } from '@fluentui/react-link';
import { Subtitle2, Text } from '@fluentui/react-text';
import { useEffect, useMemo, useState } from 'react';
import type { DocumentForm } from '../../../shared/client/documentClient.ts';
import { serviceOf } from '../fetchWithRetry.ts';
import { type Connected, useAdministration, usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import { useSelectedRows } from '../useSelectedRows.ts';
import { JobStatus } from '../views/JobStatus.tsx';
import { Notice } from '../views/Notice.tsx';
import { WorkButton } from '../views/WorkButton.tsx';
import { explainDocument } from './explainDocument.ts';
import { invoiceNumbers } from './invoiceNumbers.ts';
import { type OpenedDocument, openDocument } from './openDocument.ts';
import { ZipOfDocuments } from './ZipOfDocuments.tsx';

type Props = Pick<Connected, 'connection'> & {
  /** Shown while no invoice is selected. */
  hint?: string;
};

/** Opens the PDF and the e-invoice of the invoice in the row of the active cell, or those of all selected ones. */
export function InvoiceDocuments({ connection, hint }: Props) {
  const administration = useAdministration(connection);
  const names = useMemo(() => invoiceNumbers(administration), [administration]);
  const numbers = useSelectedRows(names);
  return (
    <>
      {/* The work of both goes on when the selection moves. */}
      <OneByOne connection={connection} numbers={numbers} />
      {numbers.length === 0 && hint !== undefined && (
        <Text size={200} className="muted">
          {hint}
        </Text>
      )}
      <ZipOfDocuments connection={connection} names={names} isOffered={numbers.length > 1} />
    </>
  );
}

function OneByOne({ connection, numbers }: Pick<Props, 'connection'> & { numbers: readonly string[] }) {
  const { messages } = usePane();
  const texts = messages.documents;
  const [place, setPlace] = useState(0);
  const [asked, setAsked] = useState<{ number: string; form: DocumentForm }>();
  const { job, start, cancel, reset } = useJob<never, OpenedDocument>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selection begins with its first invoice.
  useEffect(() => setPlace(0), [numbers]);
  /** The invoice that is shown, if one is selected. */
  const number = numbers[Math.min(place, numbers.length - 1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status is that of the previous invoice.
  useEffect(() => reset(), [number]);

  const open = (wanted: string, form: DocumentForm) => {
    setAsked({ number: wanted, form });
    void start(({ signal, send }) => openDocument(serviceOf(connection, send), wanted, form, signal));
  };
  const go = (step: number) => setPlace((place + step + numbers.length) % numbers.length);
  const titled = number ?? (job.state === 'idle' ? undefined : asked?.number);
  if (titled === undefined) return null;
  return (
    <section className="card" aria-label={texts.title(titled)}>
      <Subtitle2 as="h2" className="heading">
        {texts.title(titled)}
      </Subtitle2>
      {numbers.length > 1 && (
        <div className="side">
          <Text>{texts.several(place + 1, numbers.length)}</Text>
          <WorkButton size="small" onClick={() => go(-1)}>
            {texts.previous}
          </WorkButton>
          <WorkButton size="small" onClick={() => go(1)}>
            {texts.next}
          </WorkButton>
        </div>
      )}
      {number !== undefined && (
        <div className="side">
          <WorkButton aria-label={texts.pdfOf(number)} onClick={() => open(number, 'pdf')}>
            {texts.pdf}
          </WorkButton>
          <WorkButton aria-label={texts.eInvoiceOf(number)} onClick={() => open(number, 'xml')}>
            {texts.eInvoice}
          </WorkButton>
        </div>
      )}
      <JobStatus
        job={job}
        onCancel={cancel}
        running={() => texts.opening}
        cancelled={texts.notOpened}
        done={(opened) => <Opened opened={opened} />}
        explain={(error) => asked && <Failure error={error} {...asked} isShown={asked.number === titled} />}
      />
    </section>
  );
}

function Opened({ opened }: { opened: OpenedDocument }) {
  const { messages } = usePane();
  const texts = messages.documents;
  if (opened.where !== 'link') return <Notice intent="success">{texts[opened.where](opened.fileName)}</Notice>;
  return (
    <Notice intent="info">
      {texts.link}{' '}
      <Link href={opened.address} target="_blank" rel="noreferrer" inline>
        {opened.fileName}
      </Link>
    </Notice>
  );
}

type FailureProps = {
  error: unknown;
  form: DocumentForm;
  number: string;
  /** Whether its invoice is the one that is shown: another one may have been selected meanwhile. */
  isShown: boolean;
};

/** Why the document could not be made; missing fields are listed one by one. */
function Failure({ error, form, number, isShown }: FailureProps) {
  const { messages } = usePane();
  const { text, fields } = explainDocument(error, form, number, messages);
  const said = isShown ? text : messages.labelled(messages.documents.title(number), text);
  if (fields.length === 0) return said;
  return (
    <>
      {said}
      <ul className="bullets">
        {fields.map((field) => (
          <li key={field}>{field}</li>
        ))}
      </ul>
    </>
  );
}
