import { Problem } from '../../../shared/problem.ts';
import type { Priority } from '../administration.ts';
import type { Clock } from './clock.ts';
import { forgottenAfter, type Limits, mostRemembered, nextSlots } from './pace.ts';

/** How a caller waits for its turn. */
export type Wish = {
  priority: Priority;
  /** Milliseconds until which a turn is of use. */
  patience: number;
  signal?: AbortSignal | undefined;
};

export type Pacer = {
  /**
   * Waits for a turn to send one request.
   * @param key whose turns they are: each key has its own pace
   * @throws Problem RATE_LIMIT with Retry-After, at once when the turn is further away than the caller's patience, later
   *   when others went before it until it was
   * @throws the signal's reason
   */
  turn(key: string, wish: Wish): Promise<void>;
  /** Gives nobody a turn for so many milliseconds: the service said it had enough. */
  hold(key: string, milliseconds: number): void;
  /** How many wait for a turn. */
  waiting(): number;
  /** How many keys are remembered. */
  remembered(): number;
  close(): void;
};

type Waiting = { until: number; priority: Priority; go: () => void; refuse: (reason: unknown) => void };
/** What is known of one key. */
type Line = {
  /** When the latest requests were sent, the latest last. */
  history: number[];
  heldUntil: number;
  waiting: Record<Priority, Waiting[]>;
  cancelNext: (() => void) | undefined;
  cancelForget: (() => void) | undefined;
};

/** A service that asks for more than this is asked again anyway. */
const LONGEST_HOLD = 60 * 60_000;

/** Gives turns: first come first served, interactive callers before background work, never more than the limits. */
export function createPacer(limits: Limits, clock: Clock): Pacer {
  const lines = new Map<string, Line>();
  const keep = mostRemembered(limits);

  const lineOf = (key: string): Line => {
    let line = lines.get(key);
    if (line === undefined) {
      line = {
        history: [],
        heldUntil: Number.NEGATIVE_INFINITY,
        waiting: { interactive: [], background: [] },
        cancelNext: undefined,
        cancelForget: undefined,
      };
      lines.set(key, line);
    }
    return line;
  };

  /** When the next so many turns of a line are. */
  const slotsOf = (line: Line, count: number): number[] =>
    nextSlots(line.history, limits, Math.max(clock.now(), line.heldUntil), count);

  const takeTurn = (line: Line): void => {
    line.history.push(clock.now());
    if (line.history.length > 2 * keep) line.history.splice(0, line.history.length - keep);
  };

  const countIn = ({ waiting }: Line): number => waiting.interactive.length + waiting.background.length;

  /** Gives every turn that is due, and sees to it that the next is given. */
  function serve(key: string, line: Line): void {
    line.cancelNext?.();
    line.cancelNext = undefined;
    while (countIn(line) > 0) {
      const [slot] = slotsOf(line, 1) as [number];
      const wait = slot - clock.now();
      if (wait > 0) {
        line.cancelNext = clock.after(wait, () => serve(key, line));
        return;
      }
      const next = (line.waiting.interactive.shift() ?? line.waiting.background.shift())!;
      takeTurn(line);
      next.go();
    }
    forgetLater(key, line);
  }

  /** Others may have gone before them, or the service asked for a pause. */
  function refuseWhoWaitInVain(line: Line): void {
    const all = [...line.waiting.interactive, ...line.waiting.background];
    if (all.length === 0) return;
    const slots = slotsOf(line, all.length);
    const refused = new Set<Waiting>();
    for (const [index, one] of all.entries()) {
      // Whoever is refused makes room for those behind.
      const slot = slots[index - refused.size]!;
      if (slot <= one.until) continue;
      refused.add(one);
      one.refuse(tooMany(slot - clock.now()));
    }
    for (const priority of ['interactive', 'background'] as const) {
      line.waiting[priority] = line.waiting[priority].filter((one) => !refused.has(one));
    }
  }

  /** Takes somebody out of the line when the signal says so. */
  function leaveWhen(signal: AbortSignal, line: Line, one: Waiting): void {
    const { go, refuse } = one;
    const leave = () => {
      const queue = line.waiting[one.priority];
      queue.splice(queue.indexOf(one), 1);
      refuse(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    one.go = () => {
      signal.removeEventListener('abort', leave);
      go();
    };
    one.refuse = (reason) => {
      signal.removeEventListener('abort', leave);
      refuse(reason);
    };
  }

  function forgetLater(key: string, line: Line): void {
    line.cancelForget ??= clock.after(Math.max(forgottenAfter(limits), line.heldUntil - clock.now()), () => {
      line.cancelForget = undefined;
      const last = Math.max((line.history.at(-1) ?? Number.NEGATIVE_INFINITY) + forgottenAfter(limits), line.heldUntil);
      if (countIn(line) > 0) return;
      if (last <= clock.now()) lines.delete(key);
      else forgetLater(key, line);
    });
  }

  return {
    async turn(key, { priority, patience, signal }) {
      signal?.throwIfAborted();
      if (keep === 0 && !lines.has(key)) return;
      const line = lineOf(key);
      const { interactive, background } = line.waiting;
      const ahead = interactive.length + (priority === 'background' ? background.length : 0);
      const wait = slotsOf(line, ahead + 1).at(-1)! - clock.now();
      if (wait > patience) {
        forgetLater(key, line);
        throw tooMany(wait);
      }
      if (ahead === 0 && wait <= 0) {
        takeTurn(line);
        forgetLater(key, line);
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const one: Waiting = { priority, until: clock.now() + patience, go: resolve, refuse: reject };
        if (signal !== undefined) leaveWhen(signal, line, one);
        line.waiting[priority].push(one);
        if (line.cancelNext === undefined) serve(key, line);
        if (priority === 'interactive' && line.waiting.background.length > 0) refuseWhoWaitInVain(line);
      });
    },

    hold(key, milliseconds) {
      const line = lineOf(key);
      line.heldUntil = Math.max(line.heldUntil, clock.now() + Math.min(milliseconds, LONGEST_HOLD));
      refuseWhoWaitInVain(line);
      serve(key, line);
    },

    waiting: () => [...lines.values()].reduce((count, line) => count + countIn(line), 0),
    remembered: () => lines.size,

    close() {
      for (const line of lines.values()) {
        line.cancelNext?.();
        line.cancelForget?.();
        for (const one of [...line.waiting.interactive, ...line.waiting.background]) {
          one.refuse(new Problem('REMOTE_FAILED', 'The app is stopping.'));
        }
      }
      lines.clear();
    },
  };
}

/** @param wait milliseconds until there is a turn */
export const tooMany = (wait: number): Problem =>
  new Problem('RATE_LIMIT', `Too many requests. Try again in ${seconds(wait)} seconds.`, {
    headers: { 'Retry-After': seconds(wait) },
  });

const seconds = (milliseconds: number): string => String(Math.max(1, Math.ceil(milliseconds / 1000)));
