import { Text } from '@fluentui/react-text';
import type { DocumentForm } from '../../../shared/client/documentClient.ts';
import { canDownload, download } from '../download.ts';
import { serviceOf } from '../fetchWithRetry.ts';
import { loadPart } from '../loadPart.ts';
import type { Messages } from '../locales/en.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import { readSelectedNames, type SelectedNames } from '../useSelectedRows.ts';
import { JobStatus } from '../views/JobStatus.tsx';
import { Notice } from '../views/Notice.tsx';
import { WorkButton } from '../views/WorkButton.tsx';
import type { NotIncluded } from './collectDocuments.ts';
import { explainDocument } from './explainDocument.ts';

/** The rows of a selection that are read for a zip: an invoice may have many. */
const MAX_ROWS = 20_000;
/** The documents that were left out and are named in the pane; the zip names all. */
const SHOWN = 10;

type Props = Pick<Connected, 'connection'> & {
  names: SelectedNames;
  /** Whether several invoices are selected. */
  isOffered: boolean;
};

type Zipped = { fileName: string; count: number; form: DocumentForm; notIncluded: readonly NotIncluded[] };

/** Downloads the PDFs or the e-invoices of all selected invoices as a zip, which lists what it lacks and why. */
export function ZipOfDocuments({ connection, names, isOffered }: Props) {
  const { messages } = usePane();
  const texts = messages.documents;
  const { job, start, cancel } = useJob<{ done: number; all: number }, Zipped | undefined>();

  const zip = (form: DocumentForm) =>
    start(async ({ signal, report, send }) => {
      const numbers = await readSelectedNames(names, MAX_ROWS);
      const [first] = numbers;
      if (first === undefined) return undefined;
      const { collectDocuments, zipOf } = await loadPart(import('./collectDocuments.ts'));
      const service = serviceOf(connection, send);
      const { files, notIncluded } = await collectDocuments(service, numbers, form, {
        signal,
        report: (done) => report({ done, all: numbers.length }),
      });
      const fileName = `${texts.zipName[form]} ${first}-${numbers.at(-1)}.zip`;
      const text = [
        texts.zipHolds(files.size),
        ...files.keys(),
        ...(notIncluded.length === 0 ? [] : ['', texts.notIncluded(notIncluded.length)]),
        ...notIncluded.map((one) => reasonText(one, form, messages)),
      ].join('\n');
      download(zipOf(files, { name: texts.zipList, text: `${text}\n` }), fileName);
      return { fileName, count: files.size, form, notIncluded };
    });
  return (
    <>
      {isOffered && !canDownload() && (
        <Text size={200} className="muted">
          {texts.noZip}
        </Text>
      )}
      {isOffered && canDownload() && (
        <div className="side">
          <WorkButton onClick={() => void zip('pdf')}>{texts.zip.pdf}</WorkButton>
          <WorkButton onClick={() => void zip('xml')}>{texts.zip.xml}</WorkButton>
        </div>
      )}
      <JobStatus
        job={job}
        onCancel={cancel}
        running={(progress) => (progress === undefined ? texts.opening : texts.zipping(progress.done, progress.all))}
        cancelled={texts.noZipMade}
        done={(zipped) => (zipped === undefined ? null : <Done zipped={zipped} />)}
      />
    </>
  );
}

function Done({ zipped: { fileName, count, form, notIncluded } }: { zipped: Zipped }) {
  const { messages } = usePane();
  const texts = messages.documents;
  return (
    <Notice intent={notIncluded.length === 0 ? 'success' : 'warning'}>
      {texts.zipped(fileName, count)}
      {notIncluded.length > 0 && (
        <>
          {' '}
          {texts.notIncluded(notIncluded.length)}
          <ul className="bullets">
            {notIncluded.slice(0, SHOWN).map((one) => (
              <li key={one.number}>{reasonText(one, form, messages)}</li>
            ))}
          </ul>
          {notIncluded.length > SHOWN && texts.otherDocuments(notIncluded.length - SHOWN)}
        </>
      )}
    </Notice>
  );
}

/** A line with the number of an invoice, and why the zip lacks its document. */
function reasonText({ number, why }: NotIncluded, form: DocumentForm, messages: Messages): string {
  if (typeof why === 'string') return messages.labelled(number, messages.documents.zipFull[why]);
  const { text, fields } = explainDocument(why.error, form, number, messages);
  return messages.labelled(number, [text, fields.join('; ')].filter(Boolean).join(' '));
}
