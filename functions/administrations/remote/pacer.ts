import { Problem, type ProblemCode } from '../../../shared/problem.ts';
import type { Priority } from '../administration.ts';
import type { Clock } from './clock.ts';
import { forgottenAfter, type Limits, mostLate, mostRemembered, nextSlot, nextSlots } from './pace.ts';
import { createTurnBook, type Sharing, type TurnBook } from './turnBook.ts';

/** How a caller waits for its turn. */
export type Wish = {
  priority: Priority;
  /** Milliseconds until which a turn is of use. */
  patience: number;
  /** Milliseconds of a pause the service asked for that it waits through, whatever its patience. Left out: all of it. */
  sitsOut?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** The next request is this caller's. */
export type Turn = {
  /**
   * Waits for the very moment the request may leave: the turn itself comes earlier by what callers lately took to get
   * ready. Whoever is ready too late for its moment waits for another, before everybody else of its priority.
   * @throws HeldBack when that one is further away than its patience, or the service asked for too long a pause
   */
  depart(): Promise<void>;
};

export type Pacer = {
  /**
   * Waits for a turn to send one request.
   * @param key whose turns they are: each key has its own pace
   * @throws HeldBack RATE_LIMIT with Retry-After, at once when the turn is further away than the caller's patience, later
   *   when others went before it until it was; so too when the service asks for a longer pause than it sits out
   * @throws the signal's reason
   */
  turn(key: string, wish: Wish): Promise<Turn>;
  /** Gives nobody a turn for so many milliseconds: the service said it had enough. */
  hold(key: string, milliseconds: number): void;
  /** How many wait for a turn. */
  waiting(): number;
  /** How many keys are remembered. */
  remembered(): number;
  close(): void;
};

/** A request was not sent, because it is not the time for it. */
export class HeldBack extends Problem {
  /** Milliseconds until it may be. */
  readonly after: number;

  constructor(
    code: ProblemCode,
    message: string,
    after: number,
    headers: Record<string, string> = { 'Retry-After': seconds(after) },
  ) {
    super(code, message, { headers });
    this.after = after;
  }
}

type Waiting = {
  until: number;
  sitsOut: number;
  priority: Priority;
  go: (slot: number) => void;
  refuse: (reason: unknown) => void;
};
/** What is known of one key. */
type Line = {
  book: TurnBook;
  /** Turns that were taken and are nobody's yet, the earliest first. */
  slots: number[];
  waiting: Record<Priority, Waiting[]>;
  cancelNext: (() => void) | undefined;
  cancelForget: (() => void) | undefined;
};

/** Turns that are taken for interactive callers as soon as they come: background work of other processes comes after them. */
const MOST_AHEAD = 2;
/** Milliseconds by which anything is begun earlier at the most, because it took so long the last times. */
const LONGEST_LEAD = 1000;
/** Milliseconds in which nothing else is waited for than a moment, at the most. */
const LONGEST_STRETCH = 20;
/** How much of that is left when it took less. */
const REMAINS = 0.95;

const atOnce: Turn = { depart: async () => {} };

/**
 * Gives turns: first come first served, interactive callers before background work, never more than the limits.
 * Background work is spread out, so that somebody who comes in between finds a turn soon.
 * @param sharing with whom the turns are shared; left out: all requests go through this pacer
 */
export function createPacer(limits: Limits, clock: Clock, sharing?: Sharing): Pacer {
  const lines = new Map<string, Line>();
  const isLimited = mostRemembered(limits) > 0;
  const late = mostLate(limits);
  /** Milliseconds callers take to get ready, and timers come late. */
  let preparing = 0;
  let lag = 0;
  let closed = false;

  const lineOf = (key: string): Line => {
    let line = lines.get(key);
    if (line === undefined) {
      line = {
        book: createTurnBook(key, limits, clock, isLimited ? sharing : undefined),
        slots: [],
        waiting: { interactive: [], background: [] },
        cancelNext: undefined,
        cancelForget: undefined,
      };
      lines.set(key, line);
    }
    return line;
  };

  const learned = (known: number, took: number): number => Math.min(LONGEST_LEAD, Math.max(took, known * REMAINS));

  /** Does something at a moment, or as soon after it as the machine can. */
  const at = (moment: number, work: () => void): (() => void) =>
    clock.after(moment - clock.now(), () => {
      lag = learned(lag, clock.now() - moment);
      work();
    });

  /** Milliseconds a turn is given before its moment. */
  const lead = (): number => preparing + lag;

  const countIn = ({ waiting }: Line): number => waiting.interactive.length + waiting.background.length;

  /** What is left of a pause the service asked for. */
  const heldIn = ({ book }: Line): number => book.turns().heldUntil - clock.now();

  /** The earliest moment a turn taken now can have, and still be reached. */
  const earliestIn = ({ book }: Line): number =>
    Math.max(Math.floor(clock.now() + Math.max(0, book.delay() - late / 2)), book.turns().heldUntil);

  /** When the turns of the first so many of each priority are. */
  function foreseen(line: Line, interactive: number, background: number): number[] {
    const { slots, book } = line;
    const early = Math.max(0, interactive - slots.length);
    const spread = Math.max(0, interactive + background - slots.length - early);
    return [...slots, ...nextSlots(book.turns().slots, limits, earliestIn(line), early, spread)];
  }

  /** The turns to take now, and when to look again; no more than are waited for, and none long before it is due. */
  function dueIn(line: Line): { due: number[]; next: number } {
    const { book, slots, waiting } = line;
    const known = book.turns().slots.slice();
    const due: number[] = [];
    // One delay for these, and one for those after them.
    const ahead = lead() + 2 * book.delay();
    for (let place = slots.length; place < countIn(line); place++) {
      const isInteractive = place < waiting.interactive.length;
      const slot = nextSlot(known, limits, earliestIn(line), !isInteractive);
      const isAhead = book.isShared() && isInteractive && place < MOST_AHEAD;
      if (slot - ahead > clock.now() && !isAhead) return { due, next: slot - ahead };
      due.push(slot);
      known.push(slot);
    }
    return { due, next: Number.POSITIVE_INFINITY };
  }

  const isUsable = (line: Line, slot: number): boolean =>
    clock.now() <= slot + late && slot >= line.book.turns().heldUntil;

  /** Gives back turns that are nobody's yet when their moment is over: all of them then, to take them anew from now on. */
  function giveBackUnusable(line: Line): void {
    if (line.slots.every((slot) => isUsable(line, slot))) return;
    for (const slot of line.slots.splice(0)) line.book.giveBack(slot);
  }

  /** Gives every turn whose time has come, takes those that are due, and sees to it that it goes on. */
  function serve(key: string, line: Line): void {
    if (closed) return;
    line.cancelNext?.();
    line.cancelNext = undefined;
    giveBackUnusable(line);
    const { waiting, book } = line;
    while (countIn(line) > 0 && line.slots.length > 0 && line.slots[0]! - lead() <= clock.now()) {
      const next = (waiting.interactive.shift() ?? waiting.background.shift())!;
      next.go(line.slots.shift()!);
    }
    const { due, next } = book.isBusy() ? { due: [], next: Number.POSITIVE_INFINITY } : dueIn(line);
    if (due.length > 0 || (book.isHoldUntold() && !book.isBusy())) {
      const taken = book.take(due);
      if (!(taken instanceof Promise)) {
        line.slots.push(...taken);
        serve(key, line);
        return;
      }
      taken.then((slots) => {
        line.slots.push(...slots);
        if (slots.length === 0) refuseWhoWaitInVain(line);
        serve(key, line);
      });
    }
    const wake = Math.min(next, (line.slots[0] ?? Number.POSITIVE_INFINITY) - lead());
    if (countIn(line) === 0) forgetLater(key, line);
    // Without a moment to wait for, it goes on when what is busy is done.
    else if (wake < Number.POSITIVE_INFINITY) line.cancelNext = at(wake, () => serve(key, line));
  }

  /** Others may have gone before them, or the service asked for a pause. */
  function refuseWhoWaitInVain(line: Line): void {
    const { interactive, background } = line.waiting;
    const all = [...interactive, ...background];
    const held = heldIn(line);
    if (all.every(({ until, sitsOut }) => until === Number.POSITIVE_INFINITY && held <= sitsOut)) return;
    const slots = foreseen(line, interactive.length, background.length);
    const refused = new Set<Waiting>();
    for (const [index, one] of all.entries()) {
      // Whoever is refused makes room for those behind.
      const slot = slots[index - refused.size]!;
      if (slot <= one.until && held <= one.sitsOut) continue;
      refused.add(one);
      one.refuse(tooMany(held > one.sitsOut ? held : slot - clock.now()));
    }
    for (const priority of ['interactive', 'background'] as const) {
      line.waiting[priority] = line.waiting[priority].filter((one) => !refused.has(one));
    }
  }

  /** Takes somebody out of the line when the signal says so. */
  function leaveWhen(signal: AbortSignal, line: Line, one: Waiting): void {
    const { go, refuse } = one;
    const leave = () => {
      const others = line.waiting[one.priority];
      others.splice(others.indexOf(one), 1);
      refuse(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    one.go = (slot) => {
      signal.removeEventListener('abort', leave);
      go(slot);
    };
    one.refuse = (reason) => {
      signal.removeEventListener('abort', leave);
      refuse(reason);
    };
  }

  function forgetLater(key: string, line: Line): void {
    line.cancelForget ??= clock.after(
      Math.max(forgottenAfter(limits), line.book.turns().heldUntil - clock.now()),
      () => {
        line.cancelForget = undefined;
        if (countIn(line) > 0) return;
        const { slots, heldUntil } = line.book.turns();
        const last = Math.max((slots.at(-1) ?? 0) + forgottenAfter(limits), heldUntil);
        if (last <= clock.now() && !line.book.isBusy()) lines.delete(key);
        else forgetLater(key, line);
      },
    );
  }

  /** Waits in line for the moment of a turn, behind or before the others of its priority. */
  async function queue(
    key: string,
    { priority, until, sitsOut = Number.POSITIVE_INFINITY, signal }: Omit<Wish, 'patience'> & { until: number },
    isFirst: boolean,
  ): Promise<number> {
    if (closed) throw stopping();
    const line = lineOf(key);
    const { interactive, background } = line.waiting;
    const mine = line.waiting[priority];
    const refused = (wait: number): HeldBack => {
      forgetLater(key, line);
      return tooMany(wait);
    };
    if (heldIn(line) > sitsOut) throw refused(heldIn(line));
    if (until < Number.POSITIVE_INFINITY) {
      const before = isFirst ? 0 : mine.length;
      const slot =
        priority === 'interactive'
          ? foreseen(line, before + 1, 0)[before]!
          : foreseen(line, interactive.length, before + 1)[interactive.length + before]!;
      if (slot > until) throw refused(slot - clock.now());
    }
    return new Promise((resolve, reject) => {
      const one: Waiting = { priority, until, sitsOut, go: resolve, refuse: reject };
      if (signal !== undefined) leaveWhen(signal, line, one);
      if (isFirst) mine.unshift(one);
      else mine.push(one);
      serve(key, line);
      if (priority === 'interactive' && background.length > 0) refuseWhoWaitInVain(line);
    });
  }

  /** Waits for a moment. @returns false when it passed unused, or is no longer to be used */
  async function isReached(line: Line, slot: number): Promise<boolean> {
    // Timers come late: the last stretch is gone without them.
    const stretch = () => Math.min(lag + 1, LONGEST_STRETCH);
    while (slot - clock.now() > stretch()) {
      await new Promise<void>((resolve) => at(slot - stretch(), resolve));
    }
    while (clock.now() < slot) await new Promise<void>((resolve) => clock.soon(resolve));
    return isUsable(line, slot);
  }

  return {
    async turn(key, { priority, patience, sitsOut, signal }) {
      signal?.throwIfAborted();
      if (!isLimited && !lines.has(key)) return atOnce;
      const until = clock.now() + patience;
      let slot = await queue(key, { priority, until, sitsOut, signal }, false);
      const given = clock.now();
      return {
        async depart() {
          preparing = learned(preparing, clock.now() - given);
          while (!(await isReached(lineOf(key), slot))) {
            const line = lineOf(key);
            line.slots.unshift(slot);
            giveBackUnusable(line);
            slot = await queue(key, { priority, until, sitsOut }, true);
          }
        },
      };
    },

    hold(key, milliseconds) {
      const line = lineOf(key);
      line.book.hold(clock.now() + milliseconds);
      giveBackUnusable(line);
      refuseWhoWaitInVain(line);
      serve(key, line);
    },

    waiting: () => [...lines.values()].reduce((count, line) => count + countIn(line), 0),
    remembered: () => lines.size,

    close() {
      closed = true;
      for (const line of lines.values()) {
        line.cancelNext?.();
        line.cancelForget?.();
        for (const one of [...line.waiting.interactive, ...line.waiting.background]) {
          one.refuse(stopping());
        }
      }
      lines.clear();
    },
  };
}

/** Another instance may go on at once. */
const stopping = (): HeldBack => new HeldBack('REMOTE_FAILED', 'The app is stopping.', 1000, {});

/** @param wait milliseconds until there is a turn */
export const tooMany = (wait: number): HeldBack =>
  new HeldBack('RATE_LIMIT', `Too many requests. Try again in ${seconds(wait)} seconds.`, wait);

const seconds = (milliseconds: number): string => String(Math.max(1, Math.ceil(milliseconds / 1000)));
