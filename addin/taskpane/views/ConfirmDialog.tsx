import { Button, makeStyles, Subtitle2, tokens } from '@fluentui/react-components';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { usePane } from '../paneContext.ts';
import { useFormStyles } from './ViewFrame.tsx';

const useStyles = makeStyles({
  dialog: {
    boxSizing: 'border-box',
    width: 'min(26rem, calc(100vw - 2rem))',
    padding: tokens.spacingHorizontalXL,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    border: 'none',
    borderRadius: tokens.borderRadiusXLarge,
    boxShadow: tokens.shadow64,
    '::backdrop': { backgroundColor: tokens.colorBackgroundOverlay },
  },
});

type Props = {
  title: string;
  confirm: string;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
};

/** A question before something that cannot be taken back. The browser keeps the focus in it and gives it back after. */
export function ConfirmDialog({ title, confirm, onConfirm, onCancel, children }: Props) {
  const styles = useStyles();
  const form = useFormStyles();
  const { messages } = usePane();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <div className={form.form}>
        <Subtitle2 as="h2" id={titleId} className={form.heading}>
          {title}
        </Subtitle2>
        {children}
        <div className={form.side}>
          <Button appearance="primary" onClick={onConfirm}>
            {confirm}
          </Button>
          <Button onClick={onCancel}>{messages.cancel}</Button>
        </div>
      </div>
    </dialog>
  );
}
