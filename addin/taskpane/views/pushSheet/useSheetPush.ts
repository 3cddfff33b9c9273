import { useCallback, useEffect, useRef, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { PushChoices } from '../../../../shared/resources/push.ts';
import { defaultRetry } from '../../../excel/batch.ts';
import { type Administration, isSameAdministration, type TableHandle } from '../../../excel/tables/tableMemory.ts';
import type { WaitReason } from '../../../excel/workbookProblem.ts';
import { type IdentifiedConnection, isOfOtherKey } from '../../connections/connections.ts';
import { usePane, useSameIds } from '../../paneContext.ts';
import { abandonPush, type Followed, followPush } from '../../push/followPush.ts';
import { preparePush, type Selection } from '../../push/preparePush.ts';
import { reviewPush } from '../../push/reviewPush.ts';
import { isFinished, type SheetPush } from '../../push/sheetPush.ts';
import { readSheetPush } from '../../push/storedPush.ts';
import { sheetKindOf } from '../../sheetKinds.ts';

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
 * The push of the selected sheet. A stored push is found when the sheet is opened, and followed while the view is open.
 * It continues without the pane, so leaving the view only stops following it.
 */
export function useSheetPush(
  handle: TableHandle | undefined,
  administration: Administration,
  connection: IdentifiedConnection,
  client: PushClient,
) {
  const { messages, setBusy, reading } = usePane();
  const [shown, setShown] = useState<ShownPush>();
  const [failure, setFailure] = useState<unknown>();
  const signals = useRef<{ follow: AbortController; cancel: AbortController }>(undefined);
  const preparing = useRef<AbortController>(undefined);
  const isAttempting = useRef(false);
  const latest = useRef(connection);
  latest.current = connection;
  const known = useSameIds(administration);

  /** Changes the shown push, unless another sheet is shown by then. */
  const change = useCallback(
    (sheetId: string, part: Partial<ShownPush>) =>
      setShown((now) => (now?.sheetId === sheetId ? { ...now, ...part } : now)),
    [],
  );
  const contextOf = useCallback(
    (table: TableHandle, signal = signals.current?.follow.signal) => {
      const onWaiting = (waiting: WaitReason | undefined) => change(table.sheetId, { waiting });
      const kind = sheetKindOf(table);
      return { handle: table, kind, messages, retry: { ...defaultRetry, onWaiting, signal } };
    },
    [messages, change],
  );

  const follow = useCallback(
    async (table: TableHandle, push: SheetPush, isNew: boolean) => {
      if (signals.current === undefined || signals.current.follow.signal.aborted) return;
      const { signal } = signals.current.follow;
      const cancel = signals.current.cancel.signal;
      const onChange = (part: Partial<ShownPush>) => {
        if (!signal.aborted) change(table.sheetId, part);
      };
      onChange({ push, phase: 'following', cancelling: push.cancelled || cancel.aborted, failure: undefined });
      const options = {
        signal,
        cancel,
        isNew,
        isOfOtherKey: isOfOtherKey(push.administration, latest.current),
        onChange,
      };
      await followPush(contextOf(table), push, client, options).then(
        (finished) => onChange({ push: finished, phase: 'resting', error: undefined }),
        (failure: unknown) => onChange({ phase: 'resting', failure, error: undefined }),
      );
    },
    [client, contextOf, change],
  );

  useEffect(() => {
    setFailure(undefined);
    if (handle === undefined) return;
    const controllers = { follow: new AbortController(), cancel: new AbortController() };
    signals.current = controllers;
    setShown(undefined);
    readSheetPush(handle, sheetKindOf(handle), { ...reading, signal: controllers.follow.signal })
      .then((push) => {
        if (controllers.follow.signal.aborted) return;
        const { sheetId } = handle;
        setShown({ sheetId, push, phase: 'resting', cancelling: false, waiting: undefined });
        if (push !== undefined && isOpenHere(push, known)) void follow(handle, push, false);
      })
      // The reading of a sheet that is no longer shown ends with the reason of its signal.
      .catch((error: unknown) => controllers.follow.signal.aborted || setFailure(error));
    return () => controllers.follow.abort();
  }, [handle, known, follow, reading]);

  // Nobody follows the push once the view is left, so the service would never hear that it is to stop.
  const isStopping = shown?.phase === 'following' && shown.cancelling && shown.push?.cancelled !== true;
  useEffect(() => {
    if (!isStopping) return;
    setBusy(true);
    return () => setBusy(false);
  }, [isStopping, setBusy]);

  /** Runs work on the stored push, and shows its error. While it runs, its buttons do nothing. */
  const attempt = async (work: (table: TableHandle, push: SheetPush) => Promise<void>) => {
    if (handle === undefined || shown?.push === undefined || isAttempting.current) return;
    isAttempting.current = true;
    await work(handle, shown.push).catch((failure: unknown) => change(handle.sheetId, { failure }));
    isAttempting.current = false;
  };

  return {
    shown: shown?.sheetId === handle?.sheetId ? shown : undefined,
    /** Why the stored push could not be read. */
    failure,

    /** Reviews the stored push before rows are sent again. @throws WorkbookProblem */
    async review(signal: AbortSignal): Promise<SheetPush | undefined> {
      if (handle === undefined || shown?.push === undefined) return undefined;
      const onWritten = (push: SheetPush) => change(handle.sheetId, { push });
      return reviewPush(contextOf(handle), shown.push, client, { signal, onWritten });
    },

    /** Prepares and begins a push. @returns whether it was begun by this window */
    async begin(selection: Selection, choices: PushChoices = {}): Promise<boolean> {
      if (handle === undefined || shown === undefined) return false;
      setBusy(true);
      change(handle.sheetId, { phase: 'preparing', failure: undefined, cancelling: false });
      const controller = new AbortController();
      preparing.current = controller;
      try {
        const context = contextOf(handle, controller.signal);
        const push = await preparePush(context, selection, administration, shown.push, { choices });
        if (signals.current !== undefined) {
          signals.current.cancel = new AbortController();
          // Cancelled while the sheet stored it: it is stored as cancelled too, and nothing of it is sent.
          if (controller.signal.aborted) signals.current.cancel.abort();
        }
        void follow(handle, push, true);
        return !controller.signal.aborted;
      } catch (error) {
        change(handle.sheetId, { phase: 'resting', ...(controller.signal.aborted ? {} : { failure: error }) });
        return false;
      } finally {
        setBusy(false);
      }
    },

    /** Stops a push while its sheet is being prepared. */
    cancelPreparing() {
      preparing.current?.abort();
      setShown((now) => now && { ...now, cancelling: true });
    },

    cancel() {
      signals.current?.cancel.abort();
      setShown((now) => now && { ...now, cancelling: true });
    },

    /** Follows a push again after an error. */
    resume: () =>
      attempt(async (table) => {
        // Another window may have continued it meanwhile.
        const { kind, retry } = contextOf(table);
        const push = await readSheetPush(table, kind, retry);
        if (push !== undefined && !isFinished(push)) void follow(table, push, false);
        else change(table.sheetId, { push, phase: 'resting', failure: undefined });
      }),

    /** Abandons a push that cannot be followed. */
    abandon: () =>
      attempt(async (table, stored) => {
        const push = await abandonPush(contextOf(table), stored);
        change(table.sheetId, { push, failure: undefined });
      }),
  };
}

/** Whether a push has open rows whose results the administration can return. */
export const isOpenHere = (push: SheetPush, administration: Administration): boolean =>
  !isFinished(push) && isSameAdministration(push.administration, administration);
