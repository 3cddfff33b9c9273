import type { Administrations } from '../administrations/administration.ts';
import type { TimerFunction } from '../http/definition.ts';
import { openSlices } from '../storage/slices.ts';

/** The due work of the built-in administration: periodic invoices and mail. `stop` waits for what is in hand. */
export function upkeepFunctions(administrations: () => Promise<Administrations>): {
  timers: TimerFunction[];
  stop: () => Promise<void>;
} {
  const slices = openSlices();
  const timers: TimerFunction[] = [
    {
      name: 'periodicInvoices',
      schedule: '0 */15 * * * *',
      atStart: true,
      handler: async (_timer, context) => {
        const made = await slices.run(async (stopping) => (await administrations()).upkeep?.makeDueInvoices(stopping));
        if (made) context.log(JSON.stringify({ periodicInvoices: { made } }));
      },
    },
    {
      name: 'outgoingMail',
      schedule: '30 */5 * * * *',
      atStart: true,
      handler: async (_timer, context) => {
        const sent = await slices.run(async (stopping) => (await administrations()).upkeep?.sendDueMail(stopping));
        if (sent) context.log(JSON.stringify({ outgoingMail: { sent } }));
      },
    },
  ];
  return { timers, stop: slices.stop };
}
