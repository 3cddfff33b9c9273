import { equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RelationExport } from '../../../shared/resources/relationExport.ts';
import type { Target } from '../target.ts';
import type { Attack } from './attack.ts';
import { fillBooks } from './books.ts';

/* Exports of an administration of tens of thousands of relations, as it asks for them at any time. */

/** The exports of the attacker, the latest first. */
const exportsOf = async ({ read }: Target): Promise<RelationExport[]> =>
  JSON.parse((await read({ method: 'GET', path: '/exports' })).body).exports;

export const exportAttacks: readonly Attack[] = [
  {
    name: 'an export of all relations',
    async prepare(target) {
      await fillBooks(target);
      // Loads the code of exports: that of an app that is not built takes a while, once.
      await exportsOf(target);
      return async () => {
        const { status, body } = await target.write({ method: 'POST', path: '/exports', body: '{}' });
        equal(status, 202, body);
        const { scheduledOn } = JSON.parse(body);
        for (;;) {
          const [latest] = (await exportsOf(target)).filter((one) => Number(one.scheduledOn) >= Number(scheduledOn));
          if (latest !== undefined && latest.state !== 'running') {
            equal(latest.state, 'published', latest.message);
            return `${latest.relations} relations`;
          }
          await sleep(200);
        }
      };
    },
  },
];
