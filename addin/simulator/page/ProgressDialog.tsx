import { useEffect } from 'react';
import type { Progress } from './editing/inParts.ts';
import { ModalDialog } from './ModalDialog.tsx';
import { usePage } from './pageContext.ts';

type Props = { progress: Progress; onClosed: () => void };

/** The progress of work on many cells, and a button to cancel it. */
export const ProgressDialog = ({ progress: { title, text, part, cancel }, onClosed }: Props) => {
  const { messages } = usePage();
  useEffect(() => onClosed, [onClosed]);
  return (
    <ModalDialog label={title} onCancel={cancel}>
      <h2>{title}</h2>
      <p>{text}</p>
      <progress aria-label={title} value={part} max={1} />
      <div className="dialog-buttons">
        <button type="button" onClick={cancel}>
          {messages.cancel}
        </button>
      </div>
    </ModalDialog>
  );
};
