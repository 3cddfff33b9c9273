import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePane } from '../../paneContext.ts';
import { WorkButton } from '../WorkButton.tsx';

/**
 * A place to drop an audit file on, or the files that it was split into, with a button to choose them.
 * @param onChosen called with the files: what was chosen while other work runs waits for its end
 */
export function ChosenFile({ onChosen }: { onChosen: (files: readonly File[]) => void }) {
  const { messages, busy } = usePane();
  const texts = messages.auditfiles;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [chosen, setChosen] = useState<readonly File[]>();
  const choose = (files: FileList | null) => {
    if (files !== null && files.length > 0) setChosen([...files]);
  };
  const give = useEffectEvent(onChosen);
  useEffect(() => {
    if (busy || chosen === undefined) return;
    setChosen(undefined);
    give(chosen);
  }, [busy, chosen]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer.files);
      }}
    >
      <span>{texts.drop}</span>
      <WorkButton onClick={() => input.current?.click()}>{texts.choose}</WorkButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={texts.choose}
        accept=".xaf,.xml,.auditfile"
        onChange={(event) => {
          choose(event.target.files);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </div>
  );
}
