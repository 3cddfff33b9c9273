import { Checkbox } from '@fluentui/react-checkbox';
import { useCallback, useEffect, useState } from 'react';
import { usePane } from '../../paneContext.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';

type Props = {
  label: string;
  /** Reads and stores what is chosen: the same functions each time. */
  read: () => Promise<boolean>;
  store: (chosen: boolean) => Promise<void>;
};

/** A choice that is kept in the workbook. It can be made when it is known; it is there before, so that nothing moves. */
export function StoredChoice({ label, read, store }: Props) {
  const { busy } = usePane();
  const [chosen, setChosen] = useState<boolean>();
  const [failed, setFailed] = useState<{ error: unknown; again: () => void }>();
  const load = useCallback(() => {
    setFailed(undefined);
    read().then(setChosen, (error: unknown) => setFailed({ error, again: load }));
  }, [read]);
  useEffect(load, [load]);

  const choose = (next: boolean) => {
    setFailed(undefined);
    setChosen(next);
    store(next).catch((error: unknown) => {
      setChosen(!next);
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
