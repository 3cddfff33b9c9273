import { useCallback, useEffect, useRef, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import { defaultRetry } from '../../../excel/batch.ts';
import { type Administration, isSameAdministration, type TableHandle } from '../../../excel/tables/tableMemory.ts';
import type { WaitReason } from '../../../excel/workbookProblem.ts';
import { usePane } from '../../paneContext.ts';
import { abandonPush, type Followed, followPush } from '../../push/followPush.ts';
import { preparePush } from '../../push/preparePush.ts';
import type { ProductRow, SendableRow } from '../../push/readProductRow.ts';
import { reviewPush } from '../../push/reviewPush.ts';
import { isFinished, type SheetPush } from '../../push/sheetPush.ts';
import { readSheetPush } from '../../push/storedPush.ts';

export type SheetPushing = ReturnType<typeof useSheetPush>;

/** The push of one sheet for display. */
export type ShownPush = Partial<Omit<Followed, 'push'>> & {
  sheetId: string;
  push: SheetPush | undefined;
  /** `preparing`: nothing is sent yet. `following`: its results are requested. */
  phase: 'resting' | 'preparing' | 'following';
  /** The user pressed the button; the service may not have it yet. */
  cancelling: boolean;
  /** What Excel waits for. */
  waiting: WaitReason | undefined;
  /** The error that ended preparing or following. */
  failure?: unknown;
};

/**
 * The push of the chosen sheet: found again when the sheet is opened, begun, followed while the pane is open,
 * cancelled. A push continues without the pane, so leaving the view only stops following it.
 */
export function useSheetPush(handle: TableHandle | undefined, administration: Administration, client: PushClient) {
  const { messages, setBusy } = usePane();
  const [shown, setShown] = useState<ShownPush>();
  const [failure, setFailure] = useState<unknown>();
  const signals = useRef<{ look: AbortController; cancel: AbortController }>(undefined);
  const preparing = useRef<AbortController>(undefined);

  const contextOf = useCallback(
    (table: TableHandle, signal = signals.current?.look.signal) => {
      const onWaiting = (reason: WaitReason | undefined) =>
        setShown((now) => (now?.sheetId === table.sheetId ? { ...now, waiting: reason } : now));
      const retry = { ...defaultRetry, onWaiting, signal };
      return { handle: table, messages, retry };
    },
    [messages],
  );

  const follow = useCallback(
    async (table: TableHandle, push: SheetPush, isNew: boolean) => {
      const { look, cancel } = signals.current ?? {};
      if (look === undefined || cancel === undefined || look.signal.aborted) return;
      const change = (part: Partial<ShownPush>) => {
        if (!look.signal.aborted) setShown((now) => now && { ...now, ...part });
      };
      change({ push, phase: 'following', cancelling: push.cancelled, failure: undefined });
      try {
        const finished = await followPush(contextOf(table), push, client, {
          signal: look.signal,
          cancel: cancel.signal,
          isNew,
          onChange: change,
        });
        change({ push: finished, phase: 'resting', error: undefined });
      } catch (error) {
        change({ phase: 'resting', failure: error, error: undefined });
      }
    },
    [client, contextOf],
  );

  useEffect(() => {
    if (handle === undefined) return;
    const controllers = { look: new AbortController(), cancel: new AbortController() };
    signals.current = controllers;
    setShown(undefined);
    readSheetPush(handle, { ...defaultRetry, signal: controllers.look.signal })
      .then((push) => {
        if (controllers.look.signal.aborted) return;
        const { sheetId } = handle;
        setShown({ sheetId, push, phase: 'resting', cancelling: false, waiting: undefined });
        if (push !== undefined && isOpenHere(push, administration)) void follow(handle, push, false);
      })
      .catch(setFailure);
    return () => controllers.look.abort();
  }, [handle, administration, follow]);

  return {
    shown: shown?.sheetId === handle?.sheetId ? shown : undefined,
    /** Why it is unknown whether the sheet has a push. */
    failure,

    /** Checks the push of the sheet again, before rows are sent again. @throws WorkbookProblem */
    async review(): Promise<SheetPush | undefined> {
      if (handle === undefined || shown?.push === undefined) return undefined;
      const push = await reviewPush(contextOf(handle), shown.push, client);
      setShown((now) => (now?.sheetId === handle.sheetId ? { ...now, push } : now));
      return push;
    },

    /** Prepares and begins a push. @returns whether it was begun by this window */
    async begin(rows: readonly ProductRow[], chosen: readonly SendableRow[]): Promise<boolean> {
      if (handle === undefined || shown === undefined) return false;
      setBusy(true);
      setShown({ ...shown, phase: 'preparing', failure: undefined, cancelling: false });
      const controller = new AbortController();
      preparing.current = controller;
      try {
        const push = await preparePush(contextOf(handle, controller.signal), rows, chosen, administration, shown.push);
        if (signals.current !== undefined) signals.current.cancel = new AbortController();
        void follow(handle, push, true);
        return true;
      } catch (error) {
        setShown({ ...shown, phase: 'resting', ...(controller.signal.aborted ? {} : { failure: error }) });
        return false;
      } finally {
        setBusy(false);
      }
    },

    /** Stops a push while its sheet is being prepared. */
    cancelPreparing: () => preparing.current?.abort(),

    cancel() {
      signals.current?.cancel.abort();
      setShown((now) => now && { ...now, cancelling: true });
    },

    /** Follows a push again after an error. */
    async resume() {
      if (handle === undefined || shown === undefined) return;
      try {
        // Another window may have continued it meanwhile.
        const push = await readSheetPush(handle, contextOf(handle).retry);
        if (push === undefined || isFinished(push)) setShown({ ...shown, push, phase: 'resting', failure: undefined });
        else void follow(handle, push, false);
      } catch (error) {
        setShown({ ...shown, failure: error });
      }
    },

    /** Abandons a push that cannot be followed. */
    async abandon() {
      if (handle === undefined || shown?.push === undefined) return;
      try {
        const push = await abandonPush(contextOf(handle), shown.push);
        setShown({ ...shown, push, failure: undefined });
      } catch (error) {
        setShown({ ...shown, failure: error });
      }
    },
  };
}

/** Whether the results of a push are still awaited, and can be asked for in the name of an administration. */
export const isOpenHere = (push: SheetPush, administration: Administration): boolean =>
  !isFinished(push) && isSameAdministration(push.administration, administration);
