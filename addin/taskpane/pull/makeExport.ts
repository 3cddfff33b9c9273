import type { ExportClient } from '../../../shared/client/exportClient.ts';
import { sleep } from '../../../shared/client/sleep.ts';
import type { RelationExport } from '../../../shared/resources/relationExport.ts';

/** Milliseconds between two looks at the list. */
const POLL_MS = 1500;

type MakeOptions = {
  /** Stops waiting; the export is made all the same. */
  signal: AbortSignal;
  /** Called with the number of relations so far, once the export has begun. */
  onProgress: (relations: number) => void;
  wait?: typeof sleep;
};

/** Requests an export now, and waits for it. @returns the export, published or failed */
export async function makeExport(
  exports: Pick<ExportClient, 'request' | 'list'>,
  { signal, onProgress, wait = sleep }: MakeOptions,
): Promise<RelationExport> {
  const moment = await exports.request(signal);
  for (;;) {
    const list = await exports.list(signal);
    const ended = list.find(({ state, scheduledOn }) => state !== 'running' && Number(scheduledOn) >= moment);
    if (ended !== undefined) return ended;
    const running = list.find(({ state }) => state === 'running');
    if (running !== undefined) onProgress(running.relations ?? 0);
    await wait(POLL_MS, signal);
  }
}
