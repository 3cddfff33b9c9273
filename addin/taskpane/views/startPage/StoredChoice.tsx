import { Checkbox } from '@fluentui/react-checkbox';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePane } from '../../paneContext.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';

type Props = {
  label: string;
  /** Reads and stores what is chosen: the same functions each time. */
  read: () => Promise<boolean>;
  store: (chosen: boolean) => Promise<void>;
};

/** A choice that is stored in the workbook. It is shown at once, so that nothing moves, and enabled once it was read. */
export function StoredChoice({ label, read, store }: Props) {
  const { busy } = usePane();
  const [chosen, setChosen] = useState<boolean>();
  const [failed, setFailed] = useState<{ error: unknown; again: () => void }>();
  /** What the workbook has, and the last choice: of several at once only that one counts. */
  const kept = useRef(false);
  const last = useRef(0);
  const load = useCallback(() => {
    setFailed(undefined);
    const show = (stored: boolean) => {
      kept.current = stored;
      setChosen(stored);
    };
    read().then(show, (error: unknown) => setFailed({ error, again: load }));
  }, [read]);
  useEffect(load, [load]);

  const choose = (next: boolean) => {
    setFailed(undefined);
    setChosen(next);
    const choice = ++last.current;
    const keep = () => {
      kept.current = next;
    };
    store(next).then(keep, (error: unknown) => {
      if (choice !== last.current) return;
      setChosen(kept.current);
      setFailed({ error, again: () => choose(next) });
    });
  };
  return (
    <>
      <Checkbox
        label={label}
        checked={chosen ?? false}
        disabled={busy || chosen === undefined}
        onChange={(_, { checked }) => choose(checked === true)}
      />
      {failed !== undefined && <ErrorNotice error={failed.error} onRetry={failed.again} />}
    </>
  );
}
