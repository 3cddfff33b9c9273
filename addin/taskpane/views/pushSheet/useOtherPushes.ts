import { useEffect, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';

/** The latest pushes that began in another workbook, or on another computer. */
export function useOtherPushes(pushes: PushClient, isOther: (push: Push) => boolean): Push[] {
  const [all, setAll] = useState<readonly Push[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    // They are only for information, so a failure is not shown.
    pushes.page('', leaving.signal).then(
      (page) => setAll(page.pushes),
      () => {},
    );
    return () => leaving.abort();
  }, [pushes]);
  return all.filter(isOther);
}
