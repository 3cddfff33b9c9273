/* Chromium's own trace of a page. */

export const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

export type TraceEvent = {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
};

/** The milliseconds that an event took of its thread, while others use the machine too. */
export const cost = ({ tdur, dur }: TraceEvent): number => (tdur ?? dur ?? 0) / 1000;

/** The events of the thread that draws the page: that with the most frames. */
export function ofMainThread(trace: Buffer): TraceEvent[] {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const threads = Map.groupBy(
    traceEvents.filter(({ name }) => name === 'Commit'),
    ({ pid, tid }) => `${pid} ${tid}`,
  );
  const [main] = [...threads].toSorted(([, a], [, b]) => b.length - a.length)[0]!;
  return traceEvents.filter(({ pid, tid }) => `${pid} ${tid}` === main).toSorted((a, b) => a.ts - b.ts);
}

/** The milliseconds of the longest task of the page: meanwhile it does nothing that somebody asks. */
export const longestTask = (trace: Buffer): number =>
  ofMainThread(trace).reduce(
    (longest, event) => (event.name === 'RunTask' ? Math.max(longest, cost(event)) : longest),
    0,
  );
