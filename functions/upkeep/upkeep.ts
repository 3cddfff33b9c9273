import type { Administrations } from '../administrations/administration.ts';
import type { AppFunctions } from '../http/definition.ts';

/** The due work of the built-in administration: periodic invoices and mail. */
export const upkeepFunctions = (administrations: () => Promise<Administrations>): AppFunctions => ({
  http: [],
  queues: [],
  timers: [
    {
      name: 'periodicInvoices',
      schedule: '0 */5 * * * *',
      atStart: true,
      handler: async (_timer, context) => {
        const made = await (await administrations()).upkeep?.makeDueInvoices();
        if (made) context.log(JSON.stringify({ periodicInvoices: { made } }));
      },
    },
    {
      name: 'outgoingMail',
      schedule: '30 * * * * *',
      atStart: true,
      handler: async (_timer, context) => {
        const sent = await (await administrations()).upkeep?.sendDueMail();
        if (sent) context.log(JSON.stringify({ outgoingMail: { sent } }));
      },
    },
  ],
});
