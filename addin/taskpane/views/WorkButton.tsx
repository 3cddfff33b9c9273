import { Button } from '@fluentui/react-button';
import { type MouseEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
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

/** Where the pointer went down. */
const pressedAt = { x: 0, y: 0 };

/** How far a hand moves during a press, in pixels. */
const STILL = 6;

/**
 * For what is around buttons: sections that come in above a button move it, and a press that began on it is its own
 * nevertheless. Who moves the pointer away from it presses nothing.
 */
export const ownPresses = {
  onPointerDown: ({ target, pointerId, clientX, clientY }: PointerEvent) => {
    buttonAt(target)?.setPointerCapture(pointerId);
    Object.assign(pressedAt, { x: clientX, y: clientY });
  },
  onClickCapture: (event: MouseEvent) => {
    const { target, detail, clientX: x, clientY: y } = event;
    const button = buttonAt(target);
    // One of the keyboard has no detail.
    if (button === null || detail === 0 || Math.hypot(x - pressedAt.x, y - pressedAt.y) < STILL) return;
    const { left, right, top, bottom } = button.getBoundingClientRect();
    if (x >= left && x <= right && y >= top && y <= bottom) return;
    event.preventDefault();
    event.stopPropagation();
  },
};

const buttonAt = (target: EventTarget) => (target as Element).closest('button');
