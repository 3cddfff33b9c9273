import { useEffect, useRef } from 'react';
import type { Administration } from '../../../excel/tables/tableMemory.ts';
import { PushProgress } from './PushProgress.tsx';
import { PushResult } from './PushResult.tsx';
import type { SheetPushing } from './useSheetPush.ts';

type Props = {
  pushing: SheetPushing;
  administration: Administration;
  isPaused: boolean;
  /** Reads the sheets again, of which that of the push is gone. */
  onGone: () => void;
};

/** The push of a sheet: its progress, or its result. It gets the focus when a push begins and when it ends. */
export function PushStatus({ pushing, administration, isPaused, onGone }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const phase = pushing.shown?.phase;
  const previous = useRef(phase);
  useEffect(() => {
    const before = previous.current;
    previous.current = phase;
    const hasBegun = before === 'preparing' && phase === 'following';
    const hasEnded = before === 'following' && phase === 'resting';
    // The user may be typing in the worksheet.
    if (document.hasFocus() && (hasBegun || hasEnded)) place.current?.focus();
  }, [phase]);

  return (
    <div ref={place} tabIndex={-1} className="form">
      <PushProgress pushing={pushing} administration={administration} onGone={onGone} />
      {isPaused && pushing.shown?.push !== undefined && <PushResult push={pushing.shown.push} />}
    </div>
  );
}
