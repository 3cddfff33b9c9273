import { useCallback, useEffect, useRef, useState } from 'react';
import type { Fetch } from '../../shared/client/client.ts';
import { defaultRetry, type Retry } from '../excel/batch.ts';
import type { WaitReason } from '../excel/workbookProblem.ts';
import { fetchOnce, fetchWithRetry, type ServiceWait } from './fetchWithRetry.ts';
import type { Messages } from './locales/en.ts';
import { formatTimeOfDay } from './locales/language.ts';
import type { Language } from './locales/words.ts';
import { usePane } from './paneContext.ts';

/** What a job waits for: Excel or the service. */
type JobWait = WaitReason | ServiceWait;

/** What a job waits for, in words, and until when if that is known. */
export const explainWait = (wait: JobWait, messages: Messages, language: Language): string =>
  typeof wait === 'string'
    ? messages.waitingFor[wait]
    : messages.waitingForRateLimit(formatTimeOfDay(language, wait.rateLimitUntil));

export type JobState<Progress, Result> =
  | { state: 'idle' }
  | { state: 'running'; progress: Progress | undefined; cancelling: boolean; waiting: JobWait | undefined }
  | { state: 'done'; result: Result }
  /** `again` does the same once more. */
  | { state: 'failed'; error: unknown; again: () => void }
  | { state: 'cancelled' };

type JobTools<Progress> = {
  signal: AbortSignal;
  report: (progress: Progress) => void;
  /** For requests to Excel: they wait until the user cancels, and the job shows the reason. */
  retry: Retry;
  /** For requests to the service: reads are repeated, and the job shows why it waits. */
  send: Fetch;
  onWaiting: (reason: ServiceWait | undefined) => void;
};

/** A job of the pane: its progress and its result. Leaving the view cancels it. */
export function useJob<Progress, Result>() {
  const { setBusy } = usePane();
  const [job, setJob] = useState<JobState<Progress, Result>>({ state: 'idle' });
  const stop = useRef<AbortController | undefined>(undefined);
  const running = useRef(false);
  useEffect(() => () => stop.current?.abort(), []);

  /**
   * @param after called whenever the work has ended, with its result if it has one
   * @returns the result; undefined when it failed, was cancelled, or was not begun because another job runs
   */
  const start = useCallback(
    async (
      work: (tools: JobTools<Progress>) => Promise<Result>,
      after?: (result?: Result) => unknown,
    ): Promise<Result | undefined> => {
      if (running.current) return undefined;
      running.current = true;
      let ended: Result | undefined;
      const controller = new AbortController();
      stop.current = controller;
      const change = (part: { progress: Progress } | { waiting: JobWait | undefined } | { cancelling: boolean }) =>
        setJob((now) => (now.state === 'running' ? { ...now, ...part } : now));
      controller.signal.addEventListener('abort', () => change({ cancelling: true }));
      setBusy(true);
      setJob({ state: 'running', progress: undefined, cancelling: false, waiting: undefined });
      try {
        const onWaiting = (reason: JobWait | undefined) => change({ waiting: reason });
        ended = await work({
          signal: controller.signal,
          report: (progress) => change({ progress }),
          retry: {
            ...defaultRetry,
            signal: controller.signal,
            onWaiting,
          },
          send: fetchWithRetry(fetchOnce, { onWaiting }),
          onWaiting,
        });
        setJob({ state: 'done', result: ended });
      } catch (error) {
        const again = () => void start(work, after);
        setJob(error === controller.signal.reason ? { state: 'cancelled' } : { state: 'failed', error, again });
      } finally {
        running.current = false;
      }
      try {
        await after?.(ended);
      } finally {
        // No sooner: what follows may open the view anew, which would cancel other work that was begun in it.
        setBusy(false);
      }
      return ended;
    },
    [setBusy],
  );

  return {
    job,
    start,
    cancel: () => stop.current?.abort(),
    /** Takes away the result of ended work; what runs is still shown, with the button that cancels it. */
    reset: () => setJob((now) => (now.state === 'running' ? now : { state: 'idle' })),
  };
}
