import { type ReactNode, useEffect, useRef } from 'react';

type Props = {
  label: string;
  /** Escape was pressed. */
  onCancel: () => void;
  children: ReactNode;
};

/** A dialog that blocks the rest of the page. */
export const ModalDialog = ({ label, onCancel, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {children}
    </dialog>
  );
};
