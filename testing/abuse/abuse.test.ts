import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind } from '../database.ts';
import { deeper } from '../deep.ts';
import { testStorage } from '../storage.ts';
import { attacks } from './attacks/all.ts';
import type { Attack } from './attacks/attack.ts';
import { bodyAttacks } from './attacks/bodies.ts';
import { documentAttacks } from './attacks/documents.ts';
import { fileAttacks } from './attacks/files.ts';
import { type RemoteTarget, remoteAttacks, startRemoteTarget } from './attacks/remote.ts';
import type { Prober } from './probe.ts';
import { startTarget, type Target } from './target.ts';

/*
 * The attacks of `npm run abuse`, which prints how long each delays others on an idle machine: a part of them, and in
 * the deep runs all of them, with a part of the generated bodies.
 */

const { connectionString } = await testStorage();

/** Carries an attack out while others are served. */
async function carryOut<Of extends { probe: Prober }>({ prepare, maxMemory }: Attack<Of>, target: Of): Promise<void> {
  const { heldUp, memory = 0 } = await target.probe.beside(prepare(target));
  // The limit is large, so that only excessive growth fails.
  expect(heldUp).toBeLessThan(5000);
  expect(memory).toBeLessThan(maxMemory ?? Number.POSITIVE_INFINITY);
}

describe('an app', () => {
  let target: Target;
  beforeAll(async () => {
    const kind = databaseKind();
    if (kind === 'embedded') throw new Error('No other process opens an embedded database.');
    target = await startTarget(kind, connectionString);
  });
  afterAll(() => target.stop());

  // The steps meet bodies of each key, and of each operation.
  const usual = () => [
    ...fileAttacks,
    ...documentAttacks.slice(-5),
    ...bodyAttacks(1000).filter((_, at) => at % 23 === 0),
  ];
  it.each(deeper(usual, () => attacks(5))())('serves others beside $name', (attack) => carryOut(attack, target));
});

describe('an app before a remote service', () => {
  let target: RemoteTarget;
  beforeAll(async () => {
    target = await startRemoteTarget(connectionString);
  });
  afterAll(() => target.stop());

  it.each(remoteAttacks)('serves others beside $name', (attack) => carryOut(attack, target));
});
