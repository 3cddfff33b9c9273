import { useEffect, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';

/** Milliseconds after which they are read again while one of them is under way. */
const POLL_MS = 5000;

/**
 * The latest pushes that began in another workbook, or on another computer, as the service has them now.
 * @param unfollowed the id of the push of the sheet, if its results cannot be followed there: it is `recorded`
 */
export function useListedPushes(pushes: PushClient, isOther: (push: Push) => boolean, unfollowed: string | undefined) {
  const [all, setAll] = useState<readonly Push[]>([]);
  const recorded = all.find(({ id }) => id === unfollowed);
  const others = all.filter(isOther);
  const isUnderWay = [recorded, ...others].some((push) => push && push.state !== 'ended');
  // biome-ignore lint/correctness/useExhaustiveDependencies: one that is not followed any more may be new.
  useEffect(() => {
    const leaving = new AbortController();
    const read = () =>
      // They are only for information, so a failure is not shown.
      pushes.page('', leaving.signal).then(
        (page) => setAll(page.pushes),
        () => {},
      );
    void read();
    const timer = isUnderWay ? setInterval(read, POLL_MS) : undefined;
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [pushes, unfollowed, isUnderWay]);
  return { recorded, others };
}
