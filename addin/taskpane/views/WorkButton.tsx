import { Button } from '@fluentui/react-button';
import { type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { usePane } from '../paneContext.ts';

type Props = {
  appearance?: 'primary' | 'secondary';
  'aria-label'?: string;
  children: ReactNode;
  onClick?: () => void;
  size?: 'small';
  type?: 'submit';
};

/** A button that starts work in the workbook: while other work runs it keeps the focus and does nothing. */
export function WorkButton(props: Props) {
  const { busy } = usePane();
  return <Button className="submit" disabledFocusable={busy} {...props} />;
}

/** A button that cancels work, shown while it runs. If it has the focus at the end, that goes back to where it was. */
export function CancelButton({ isCancelling, onCancel }: { isCancelling: boolean; onCancel: () => void }) {
  const { messages } = usePane();
  const button = useRef<HTMLButtonElement>(null);
  // A layout effect, so that the focus moves before the button is removed.
  useLayoutEffect(() => {
    const [shown, before] = [button.current, document.activeElement];
    return () => {
      if (document.activeElement === shown && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <Button ref={button} disabledFocusable={isCancelling} onClick={onCancel}>
      {messages.cancel}
    </Button>
  );
}

/** Of a button that opens a view: sections that come in above move it, and a press is its own nevertheless. */
export const ownPress = {
  onPointerDown: ({ currentTarget, pointerId }: PointerEvent) => currentTarget.setPointerCapture(pointerId),
};
