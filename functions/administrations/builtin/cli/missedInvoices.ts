import { Option } from 'commander';
import { CommandError } from '../files/commandError.ts';
import { type MissedChoice, missedChoices, missedInvoices } from '../sales/templateSchedule.ts';
import type { Database } from '../sql/database.ts';
import type { CommandContext } from './context.ts';

export type MissedOptions = { missedInvoices?: MissedChoice };

export const missedOption = () =>
  new Option(
    '--missed-invoices <what>',
    'periodic invoices with a date before today: make lets the app make them, skip leaves them out',
  ).choices(missedChoices);

/**
 * Applies the option, in a transaction: no periodic invoice of a past date is made without being asked for.
 * @throws CommandError when there are such dates and the option is left out
 */
export async function decideMissed(
  trx: Database,
  administrationId: bigint,
  { missedInvoices: choice }: MissedOptions,
  { today, complain }: Pick<CommandContext, 'today' | 'complain'>,
): Promise<void> {
  const { count, first } = await missedInvoices(trx, administrationId, today(), choice);
  if (count === 0) return;
  const sentence = `Its templates have ${count} periodic invoices with a date before today, the first on ${first}.`;
  if (choice === undefined)
    throw new CommandError(`${sentence} Add --missed-invoices make, or --missed-invoices skip.`);
  complain(`${sentence} ${choice === 'make' ? 'The app makes them, and holds their mail.' : 'They are left out.'}`);
}
