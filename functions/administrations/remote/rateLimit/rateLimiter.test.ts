import { beforeEach, describe, expect, it } from 'vitest';
import { type HandClock, handClock } from '../../../../testing/remote/clocks.ts';
import { maxWithin, SECOND } from '../../../../testing/remote/maxWithin.ts';
import { type AcquireOptions, createRateLimiter, type RateLimiter } from './rateLimiter.ts';
import type { Limits } from './rateLimits.ts';

let clock: HandClock;
let limiter: RateLimiter;
/** Who got a permit and when, in tenths of a second; who was refused, with the seconds of its Retry-After. */
let turns: [string, number][];
/** When requests were sent, in milliseconds. */
let departures: number[];
let refused: Record<string, unknown>;

const paced = (limits: Limits) => {
  limiter = createRateLimiter(limits, clock);
};
beforeEach(() => {
  clock = handClock();
  turns = [];
  departures = [];
  refused = {};
  paced({ perSecond: 1, perMinute: 0 });
});

/** `preparing`: milliseconds to get ready with a permit; `sending`: to send the request, in which nothing else is done. */
type Asked = Partial<AcquireOptions> & { key?: string; preparing?: number; sending?: number };

function ask(name: string, more: Asked = {}): Promise<void> {
  return sent(name, more).catch((reason) => {
    refused[name] = reason.headers?.['Retry-After'] ?? reason.message;
  });
}

async function sent(name: string, { key = 'key', preparing = 0, sending = 0, ...options }: Asked): Promise<void> {
  const turn = await limiter.acquire(key, { priority: 'interactive', timeout: Number.POSITIVE_INFINITY, ...options });
  if (preparing > 0) await new Promise<void>((resolve) => clock.after(preparing, resolve));
  await turn.send(async () => {
    departures.push(clock.now());
    turns.push([name, Math.round(clock.now() / 100)]);
    clock.spend(sending);
  });
}

const names = () => turns.map(([name]) => name);

describe('a permit', () => {
  it('is given at once while the limits allow it, and then in the order of the requests', async () => {
    for (const name of ['a', 'b', 'c']) ask(name);
    await clock.pass(0);
    expect(names()).toEqual(['a']);
    expect(limiter.waiting()).toBe(2);
    await clock.pass(5000);
    expect(turns).toEqual([
      ['a', 0],
      ['b', 10],
      ['c', 20],
    ]);
    expect(limiter.waiting()).toBe(0);
  });

  it('is given to interactive callers before background work, which stays in order', async () => {
    ask('first');
    ask('push 1', { priority: 'background' });
    ask('push 2', { priority: 'background' });
    ask('pane 1');
    await clock.pass(1500);
    ask('pane 2');
    await clock.pass(10_000);
    expect(names()).toEqual(['first', 'pane 1', 'pane 2', 'push 1', 'push 2']);
  });

  it('of one credential does not wait for another', async () => {
    for (const name of ['a1', 'a2', 'a3']) ask(name, { key: 'a' });
    ask('b1', { key: 'b' });
    await clock.pass(0);
    expect(names()).toEqual(['a1', 'b1']);
  });

  it('after the timeout of the caller is refused at once, with a Retry-After', async () => {
    paced({ perSecond: 0, perMinute: 2 });
    ask('a');
    ask('b');
    ask('c', { timeout: 30_000 });
    ask('d', { timeout: 61_000 });
    ask('e', { timeout: 61_000 });
    await clock.pass(0);
    expect(refused).toEqual({ c: '61' });
    expect(limiter.waiting()).toBe(2);
    ask('f', { timeout: 61_000 });
    await clock.pass(0);
    expect(refused).toEqual({ c: '61', f: '122' });
    await clock.pass(61_000);
    expect(names()).toEqual(['a', 'b', 'd', 'e']);
  });

  it('is refused to background work that others delay beyond its timeout', async () => {
    ask('first');
    ask('push', { priority: 'background', timeout: 2500 });
    ask('pane 1');
    await clock.pass(0);
    expect(refused).toEqual({});
    ask('pane 2');
    await clock.pass(0);
    expect(refused).toEqual({ push: '4' });
    await clock.pass(10_000);
    expect(names()).toEqual(['first', 'pane 1', 'pane 2']);
  });

  it('is not given during a pause of the service, and refused to callers whose timeout is shorter', async () => {
    ask('first');
    ask('patient');
    ask('hurried', { timeout: 3000 });
    await clock.pass(0);
    limiter.pause('key', 20_000);
    await clock.pass(0);
    // One slot after that of the other caller.
    expect(refused).toEqual({ hurried: '22' });
    await clock.pass(19_000);
    expect(names()).toEqual(['first']);
    await clock.pass(1500);
    expect(turns.at(-1)).toEqual(['patient', 200]);
  });

  describe('with a maximum pause', () => {
    const brief = { priority: 'background', maxPause: 10_000 } as const;

    it('is waited for as long as the limits require, and during a short pause', async () => {
      paced({ perSecond: 0, perMinute: 1 });
      for (const name of ['a', 'b', 'c']) ask(name, brief);
      await clock.pass(1000);
      limiter.pause('key', 10_000);
      await clock.pass(150_000);
      expect([names(), refused]).toEqual([['a', 'b', 'c'], {}]);
    });

    it('is refused during a longer pause with the remaining time, while other callers wait', async () => {
      paced({ perSecond: 0, perMinute: 1 });
      ask('a', brief);
      for (const name of ['b', 'c']) ask(name, brief);
      ask('patient');
      await clock.pass(1000);
      limiter.pause('key', 600_000);
      await clock.pass(100_000);
      ask('d', brief);
      await clock.pass(0);
      expect(refused).toEqual({ b: '600', c: '600', d: '500' });
      await clock.pass(490_000);
      ask('e', brief);
      await clock.pass(100_000);
      expect([names(), limiter.waiting()]).toEqual([['a', 'patient', 'e'], 0]);
    });

    it('is refused when such a pause begins while the caller gets ready', async () => {
      ask('a', { ...brief, preparing: 2000 });
      await clock.pass(1000);
      limiter.pause('key', 60_000);
      await clock.pass(3000);
      expect([turns, refused]).toEqual([[], { a: '59' }]);
    });
  });

  it('is delayed by a pause also without limits', async () => {
    paced({ perSecond: 0, perMinute: 0 });
    for (const name of ['a', 'b', 'c']) ask(name);
    await clock.pass(0);
    expect(names()).toEqual(['a', 'b', 'c']);
    limiter.pause('key', 10_000);
    ask('d');
    ask('e', { key: 'other' });
    await clock.pass(9000);
    expect(names()).toEqual(['a', 'b', 'c', 'e']);
    await clock.pass(1000);
    expect(names()).toEqual(['a', 'b', 'c', 'e', 'd']);
  });

  it('of a caller that stops waiting is given to the next', async () => {
    const stop = new AbortController();
    ask('a');
    ask('b', { signal: stop.signal });
    ask('c');
    await clock.pass(500);
    stop.abort(new Error('no longer wanted'));
    await clock.pass(1000);
    expect(names()).toEqual(['a', 'c']);
    expect(refused).toEqual({ b: 'no longer wanted' });
  });

  it('is refused when the app stops', async () => {
    ask('a');
    ask('b');
    limiter.close();
    await clock.pass(0);
    expect(refused).toEqual({ b: 'The app is stopping.' });
    expect(clock.pending()).toBe(0);
  });

  it('is used at once: requests that are sent slowly at first do not meet later ones within a second', async () => {
    paced({ perSecond: 10, perMinute: 0 });
    for (let index = 0; index < 10; index++) ask('cold', { sending: 8 });
    for (let index = 0; index < 20; index++) ask('warm');
    await clock.pass(5000);
    expect(departures).toHaveLength(30);
    expect(maxWithin(departures, SECOND)).toBe(10);
  });
});

describe('background work', () => {
  it('is spread over the minute, so that an interactive caller soon gets a permit', async () => {
    paced({ perSecond: 2, perMinute: 50 });
    for (let index = 0; index < 100; index++) ask('push', { priority: 'background' });
    for (const second of [10, 33, 61, 90]) clock.after(second * 1000, () => ask('pane'));
    await clock.pass(110_000);
    const seconds = turns.map(([, tenths]) => tenths / 10);
    for (const [index, second] of seconds.entries()) {
      if (index > 0 && turns[index]![0] === 'push') expect(second - seconds[index - 1]!).toBeGreaterThanOrEqual(1.1);
    }
    const panes = turns.filter(([name]) => name === 'pane').map(([, tenths]) => tenths / 10);
    for (const [index, requestedAt] of [10, 33, 61, 90].entries()) {
      expect(panes[index]).toBeGreaterThanOrEqual(requestedAt);
      expect(panes[index]).toBeLessThan(requestedAt + 2.5);
    }
  });

  it('that takes time to get ready is sent in its slot, since it gets its permit earlier', async () => {
    paced({ perSecond: 0, perMinute: 60 });
    const push = async () => {
      for (let time = 0; time < 20; time++) await ask('push', { priority: 'background', preparing: 250 });
    };
    push();
    await clock.pass(30_000);
    const moments = turns.map(([, tenths]) => tenths);
    expect(moments).toHaveLength(20);
    // The first one had to get ready, the others were.
    expect(moments[0]).toBe(3);
    for (let index = 2; index < 20; index++) expect(moments[index]! - moments[index - 1]!).toBeCloseTo(10, 0);
  });

  it('that is ready too late waits for the next slot, before others', async () => {
    ask('slow', { priority: 'background', preparing: 1500 });
    for (const name of ['a', 'b']) ask(name, { priority: 'background' });
    await clock.pass(20_000);
    // The second had its permit while the first got ready.
    expect(names()).toEqual(['a', 'slow', 'b']);
    expect(turns[1]![1] - turns[0]![1]).toBeGreaterThanOrEqual(10);
  });
});

describe('a credential', () => {
  it('that is no longer used is removed from memory', async () => {
    paced({ perSecond: 2, perMinute: 50 });
    for (let index = 0; index < 1000; index++) ask(`${index}`, { key: `key ${index}` });
    await clock.pass(30_000);
    ask('again', { key: 'key 7' });
    expect(limiter.remembered()).toBe(1000);
    await clock.pass(45_000);
    expect(limiter.remembered()).toBe(1);
    await clock.pass(61_000);
    expect(limiter.remembered()).toBe(0);
    expect(clock.pending()).toBe(0);
  });

  it('gets all that the limits allow, and never more, with many callers of both priorities', async () => {
    paced({ perSecond: 2, perMinute: 50 });
    for (let index = 0; index < 250; index++) {
      ask(`${index}`, { priority: index % 3 === 0 ? 'interactive' : 'background' });
    }
    const moments: number[] = [];
    for (let second = 0; second < 400; second++) {
      const before = turns.length;
      await clock.pass(1000);
      for (let turn = before; turn < turns.length; turn++) moments.push(turns[turn]![1] * 100);
    }
    expect(turns).toHaveLength(250);
    // 250 permits take five minutes: the last one is in the fifth.
    expect(moments.at(-1)!).toBeLessThan(5 * 60_600);
    for (const [index, moment] of moments.entries()) {
      if (index >= 50) expect(moment - moments[index - 50]!).toBeGreaterThanOrEqual(60_000);
      if (index >= 2) expect(moment - moments[index - 2]!).toBeGreaterThanOrEqual(1000);
    }
  });
});
