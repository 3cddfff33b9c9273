import { Button } from '@fluentui/react-button';
import { Subtitle2 } from '@fluentui/react-text';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { usePane } from '../paneContext.ts';

type Props = {
  title: string;
  confirm: string;
  /** The other button; by default it cancels. */
  deny?: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** Whether it cannot be confirmed yet. */
  disabled?: boolean;
  children: ReactNode;
};

/** A question before something that cannot be undone. The focus stays in the dialog and returns when it is closed. */
export function ConfirmDialog({ title, confirm, deny, onConfirm, onCancel, disabled = false, children }: Props) {
  const { messages } = usePane();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect, so that the focus is restored before the dialog is removed.
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    // Not on a button: a second Enter must not confirm.
    heading.current?.focus();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      role="alertdialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <div className="form">
        <h2 id={titleId} ref={heading} tabIndex={-1} className="heading">
          <Subtitle2>{title}</Subtitle2>
        </h2>
        {children}
        <div className="side buttons">
          <Button appearance="primary" disabledFocusable={disabled} onClick={onConfirm}>
            {confirm}
          </Button>
          <Button onClick={onCancel}>{deny ?? messages.cancel}</Button>
        </div>
      </div>
    </dialog>
  );
}
