import { useEffectEvent, useRef } from 'react';
import { usePage } from './pageContext.ts';

type Props = {
  address: string;
  /** F6 was pressed in the pane: the focus moves to the next part of the page, or to the one before. */
  onLeave: (backwards: boolean) => void;
};

/** The pane, in a frame of its own, as Excel shows it. */
export const PaneFrame = ({ address, onLeave }: Props) => {
  const { messages } = usePage();
  const frame = useRef<HTMLIFrameElement>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'F6') return;
    event.preventDefault();
    onLeave(event.shiftKey);
  });

  /** The page gets no events of keys pressed in the frame, so it listens in the frame as well. */
  const listen = () => frame.current?.contentDocument?.addEventListener('keydown', (event) => onKeyDown(event), true);

  return <iframe ref={frame} src={address} title={messages.pane} onLoad={listen} />;
};
