import type { Administrations } from '../administrations/administration.ts';
import type { TimerFunction } from '../http/definition.ts';
import { openSlices } from '../storage/slices.ts';

/**
 * Milliseconds after which a run begins no other mail or invoice, and leaves the rest to the next run. A mail in hand may
 * take five minutes more, and after ten the platform ends the worker (`functionTimeout`): then it would not be known
 * whether that mail went out.
 */
const SLICE_MS = 240_000;

/** The due work of the built-in administration: periodic invoices and mail. `stop` waits for what is in hand. */
export function upkeepFunctions(administrations: () => Promise<Administrations>): {
  timers: TimerFunction[];
  stop: () => Promise<void>;
} {
  const slices = openSlices(SLICE_MS);
  const timers: TimerFunction[] = [
    {
      name: 'periodicInvoices',
      schedule: '0 */15 * * * *',
      atStart: true,
      handler: async (_timer, context) => {
        const made = await slices.run(async (over) => (await administrations()).upkeep?.makeDueInvoices(over));
        if (made) context.log(JSON.stringify({ periodicInvoices: { made } }));
      },
    },
    {
      name: 'outgoingMail',
      schedule: '30 */5 * * * *',
      atStart: true,
      handler: async (_timer, context) => {
        const sent = await slices.run(async (over, stopping) =>
          (await administrations()).upkeep?.sendDueMail(over, stopping),
        );
        if (sent) context.log(JSON.stringify({ outgoingMail: { sent } }));
      },
    },
  ];
  return { timers, stop: slices.stop };
}
