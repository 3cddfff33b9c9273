import { useEffect, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';

/** The pushes of the credential that began in another workbook, or on another computer. */
export function useOtherPushes(pushes: PushClient, isOther: (push: Push) => boolean): Push[] {
  const [all, setAll] = useState<readonly Push[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    // They are only for information, so a failure is not shown.
    pushes.list(leaving.signal).then(setAll, () => {});
    return () => leaving.abort();
  }, [pushes]);
  return all.filter(isOther);
}
