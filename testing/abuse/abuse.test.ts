import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind } from '../database.ts';
import { testStorage } from '../storage.ts';
import { attacks } from './attacks/all.ts';
import type { Attack } from './attacks/attack.ts';
import { type RemoteTarget, remoteAttacks, startRemoteTarget } from './attacks/remote.ts';
import type { Prober } from './probe.ts';
import { startTarget, type Target } from './target.ts';

/* The attacks of `npm run abuse`, which prints how long each delays others on an idle machine, with a part of the bodies. */

const { connectionString } = await testStorage();

/** How often the fixed work of a sample, of some 50 ms on an ordinary machine, may be done in the longest turn. */
const MAX_TURN_SAMPLES = 4;
/** Milliseconds of a turn that is not compared: a sample takes time, too. */
const SHORT_TURN_MS = 100;

/** Milliseconds that others may wait: many, so that only excessive growth fails. */
const MAX_WAIT_MS = 5000;
/** Milliseconds for which the machine makes everybody wait, after which a wait says nothing of the app. */
const MAX_STALL_MS = 1000;

/** Carries an attack out while others are served; once more when they waited too long, and the machine had stalled. */
async function carryOut<Of extends { probe: Prober }>({ prepare, maxMemory }: Attack<Of>, target: Of): Promise<void> {
  const measure = async () => {
    const measured = await target.probe.beside(await prepare(target));
    return { ...measured, waited: Math.max(measured.heldUp, measured.writeHeldUp ?? 0) };
  };
  const first = await measure();
  const hasStalled = Math.max(first.machine.pause, first.machine.disk) > MAX_STALL_MS;
  const measured = first.waited >= MAX_WAIT_MS && hasStalled ? await measure() : first;
  const { waited, turn, memory = 0 } = measured;
  expect(waited, JSON.stringify([first, measured])).toBeLessThan(MAX_WAIT_MS);
  if (turn > SHORT_TURN_MS) expect(turn).toBeLessThan(MAX_TURN_SAMPLES * (await target.probe.sample()));
  expect(memory).toBeLessThan(maxMemory ?? Number.POSITIVE_INFINITY);
}

const isOnServer = databaseKind() === 'server';
/** An odd one meets bodies of each key. */
const STEP = isOnServer ? 47 : 17;
/** Beside a server, whose work on them is seen by `npm run abuse`, some attacks take minutes with more. */
const linesOf = isOnServer ? { day: 10, busyYear: 10_000 } : { day: 40, busyYear: 30_000 };

describe('an app', () => {
  let target: Target;
  beforeAll(async () => {
    const kind = databaseKind();
    if (kind === 'embedded') throw new Error('No other process opens an embedded database.');
    target = await startTarget(kind, connectionString, linesOf);
  });
  afterAll(() => target.stop());

  it.each(attacks(STEP, isOnServer))('serves others beside $name', (attack) => carryOut(attack, target));
});

// It has no database.
describe.skipIf(databaseKind() === 'server')('an app before a remote service', () => {
  let target: RemoteTarget;
  beforeAll(async () => {
    target = await startRemoteTarget(connectionString);
  });
  afterAll(() => target.stop());

  it.each(remoteAttacks)('serves others beside $name', (attack) => carryOut(attack, target));
});
