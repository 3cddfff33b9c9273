import { useEffect, useRef } from 'react';
import type { PasteProgress } from './editing/pasteInParts.ts';
import type { Words } from './words.ts';

type Props = { progress: PasteProgress; words: Words; onClosed: () => void };

/** How far a large paste is. Nothing else on the page can be used meanwhile, but to cancel it. */
export const PasteDialog = ({ progress: { done, total, cancel }, words, onClosed }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    return onClosed;
  }, [onClosed]);
  return (
    <dialog
      ref={dialog}
      aria-label={words.pasteTitle}
      onCancel={(event) => {
        event.preventDefault();
        cancel();
      }}
    >
      <p>{words.pasting(done, total)}</p>
      <progress aria-label={words.pasteTitle} value={done} max={total} />
      <div className="answers">
        <button type="button" onClick={cancel}>
          {words.cancel}
        </button>
      </div>
    </dialog>
  );
};
