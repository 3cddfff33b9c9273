import { useEffect, useRef } from 'react';

type Props = {
  address: string;
  title: string;
  /** F6 was pressed in the pane: it leads on to the next part of the page, or back to the one before. */
  onLeave: (backwards: boolean) => void;
};

/** The pane, in a frame of its own, as Excel shows it. */
export const PaneFrame = ({ address, title, onLeave }: Props) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });

  /** Keys pressed in a frame stay in it. */
  const listen = () =>
    frame.current?.contentWindow?.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'F6') return;
        event.preventDefault();
        leave.current(event.shiftKey);
      },
      true,
    );

  return <iframe ref={frame} src={address} title={title} onLoad={listen} />;
};
