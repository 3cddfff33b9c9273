import { useEffect } from 'react';
import type { PasteProgress } from './editing/pasteInParts.ts';
import { ModalDialog } from './ModalDialog.tsx';
import { usePage } from './pageContext.ts';

type Props = { progress: PasteProgress; onClosed: () => void };

/** The progress of a large paste, and a button to cancel it. */
export const PasteDialog = ({ progress: { done, total, cancel }, onClosed }: Props) => {
  const { messages } = usePage();
  useEffect(() => onClosed, [onClosed]);
  return (
    <ModalDialog label={messages.pasteTitle} onCancel={cancel}>
      <p>{messages.pasting(done, total)}</p>
      <progress aria-label={messages.pasteTitle} value={done} max={total} />
      <div className="dialog-buttons">
        <button type="button" onClick={cancel}>
          {messages.cancel}
        </button>
      </div>
    </ModalDialog>
  );
};
