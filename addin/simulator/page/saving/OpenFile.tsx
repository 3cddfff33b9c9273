import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type WorkbookContents, workbookOf } from '../../savedFile/contents.ts';
import type { FileTaskResult } from '../../savedFile/fileWorker.ts';
import { readInWorker } from '../../savedFile/inFileWorker.ts';
import type { Workbook } from '../../workbook/workbook.ts';
import { ModalDialog } from '../ModalDialog.tsx';
import { usePage } from '../pageContext.ts';
import { addInId } from './addInId.ts';

type ReadResult = Extract<FileTaskResult, { kind: 'read' }>;
type Props = {
  file: File;
  /** Whether the present workbook has changes that were not downloaded. */
  isUnsaved: boolean;
  onOpened: (workbook: Workbook) => void;
  /** @param message why it was not opened; "" when the person did not want it */
  onClosed: (message: string) => void;
};

/** Opens a file beside the page, and asks before anything is lost: of the present workbook, or of the file. */
export const OpenFile = ({ file, isUnsaved, onOpened, onClosed }: Props) => {
  const { workbook, messages } = usePage();
  const texts = messages.openFile;
  const [read, setRead] = useState<ReadResult>();
  /** Which part of the file was read, once that is known. */
  const [part, setPart] = useState<number>();
  const cancelling = useRef<AbortController>(undefined);

  const open = (contents: WorkbookContents) => {
    const opened = workbookOf(contents);
    opened.name = file.name;
    onOpened(opened);
  };
  const finish = useEffectEvent((result: FileTaskResult) => {
    if (result.kind === 'failed') return onClosed(texts.failed[result.reason]);
    if (result.kind !== 'read') return;
    if (result.leftOut.length === 0 && !isUnsaved) return open(result.contents);
    setRead(result);
  });
  const fail = useEffectEvent(() => onClosed(texts.failed.tooLarge));
  const { language } = workbook.locale;
  useEffect(() => {
    const stopping = new AbortController();
    cancelling.current = stopping;
    const { signal } = stopping;
    readInWorker(file, addInId, language, setPart, signal)
      .then(finish)
      .catch(() => {
        if (!signal.aborted) fail();
      });
    return () => stopping.abort();
  }, [file, language]);

  const cancel = () => {
    cancelling.current?.abort();
    onClosed('');
  };
  return (
    <ModalDialog label={texts.title(file.name)} onCancel={cancel}>
      <h2>{texts.title(file.name)}</h2>
      {read === undefined ? (
        <>
          <p>{texts.reading}</p>
          <progress aria-label={texts.reading} value={part} />
        </>
      ) : (
        <>
          {isUnsaved && <p>{texts.replaces}</p>}
          {read.leftOut.length > 0 && (
            <>
              <p>{texts.leftOut}</p>
              <ul>
                {read.leftOut.map((kind) => (
                  <li key={kind}>{texts.leftOutKinds[kind]}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      <div className="dialog-buttons">
        {read !== undefined && (
          <button type="button" className="strong" onClick={() => open(read.contents)}>
            {texts.open}
          </button>
        )}
        <button type="button" onClick={cancel}>
          {messages.cancel}
        </button>
      </div>
    </ModalDialog>
  );
};
