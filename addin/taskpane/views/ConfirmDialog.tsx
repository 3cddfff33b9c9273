import { Button, makeStyles, mergeClasses, Subtitle2, tokens } from '@fluentui/react-components';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { usePane } from '../paneContext.ts';
import { useFormStyles } from './ViewFrame.tsx';

const useStyles = makeStyles({
  dialog: {
    boxSizing: 'border-box',
    width: 'min(26rem, calc(100vw - 2rem))',
    padding: tokens.spacingHorizontalXL,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    // Forced colours show it.
    border: '1px solid transparent',
    borderRadius: tokens.borderRadiusXLarge,
    boxShadow: tokens.shadow64,
    maxHeight: 'calc(100vh - 2rem)',
    overflowY: 'auto',
    '::backdrop': { backgroundColor: tokens.colorBackgroundOverlay },
  },
  title: { margin: 0, outlineStyle: 'none' },
  // In sight, however long the question is.
  buttons: {
    position: 'sticky',
    bottom: `calc(-1 * ${tokens.spacingHorizontalXL})`,
    marginBottom: `calc(-1 * ${tokens.spacingHorizontalXL})`,
    paddingBlock: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXL}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
});

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
  const styles = useStyles();
  const form = useFormStyles();
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
      className={styles.dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <div className={form.form}>
        <h2 id={titleId} ref={heading} tabIndex={-1} className={styles.title}>
          <Subtitle2>{title}</Subtitle2>
        </h2>
        {children}
        <div className={mergeClasses(form.side, styles.buttons)}>
          <Button appearance="primary" disabledFocusable={disabled} onClick={onConfirm}>
            {confirm}
          </Button>
          <Button onClick={onCancel}>{deny ?? messages.cancel}</Button>
        </div>
      </div>
    </dialog>
  );
}
