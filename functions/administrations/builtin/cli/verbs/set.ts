import type { Command } from 'commander';
import { CommandError } from '../../files/commandError.ts';
import type { Database } from '../../sql/database.ts';
import { byCommand } from '../../sql/logWriting/author.ts';
import type { Row } from '../../sql/schema.ts';
import { writingIn } from '../../sql/transaction.ts';
import { camelCase, filled, id, month, oneAdministration } from '../arguments.ts';
import { addBookingDateOptions, bookingDatesFromOptions } from '../bookingDateOptions.ts';
import { COMMAND, type CommandContext, requireWritable } from '../context.ts';
import { requireFreeName } from '../freeName.ts';
import { addIssuerOptions, issuerFromOptions } from '../issuerOptions.ts';
import { addVatOptions, vatSettingsFromOptions } from '../vatOptions.ts';

type AccountColumn = Extract<keyof Row<'administration'>, `${string}_account`>;

/** Options of `set`, and the column each sets. */
const accountOptions: readonly { option: string; column: AccountColumn; meaning: string }[] = [
  { option: 'revenue-account', column: 'default_revenue_account', meaning: 'revenue, where a line names no account' },
  { option: 'cost-account', column: 'default_cost_account', meaning: 'costs, where a line names no account' },
  { option: 'debtor-account', column: 'debtor_account', meaning: 'what customers owe' },
  { option: 'creditor-account', column: 'creditor_account', meaning: 'what suppliers are owed' },
  { option: 'vat-payable-account', column: 'vat_payable_account', meaning: 'VAT on sales' },
  { option: 'vat-receivable-account', column: 'vat_receivable_account', meaning: 'VAT on purchases' },
  { option: 'result-account', column: 'result_account', meaning: 'the results of earlier fiscal years' },
];

export function addSet(program: Command, { say, seconds, withNamed }: CommandContext): void {
  const set = program
    .command('set')
    .alias('rename')
    .description(
      'Rename an administration, and set who sends its invoices, when it books, its VAT returns, and the accounts it books on.',
    )
    .argument('[administration]', 'its number or its name')
    .option('--administration <id>', 'its number', id);
  for (const { option, meaning } of accountOptions) set.option(`--${option} <number>`, meaning, filled);
  addIssuerOptions(set);
  addBookingDateOptions(set);
  addVatOptions(set);
  set.option('--fiscal-year-start <month>', 'the month in which its fiscal years begin, from 1', month);
  set.option('--name <name>', 'what the administration is called', filled);
  set.action((named: string | undefined, { administration, fiscalYearStart, ...options }: Options) =>
    withNamed(oneAdministration(named, administration), async (db, found) => {
      requireWritable(found);
      const { id: administrationId, country } = found;
      if (options.name !== undefined) await requireFreeName(db, options.name, administrationId);
      const settings = {
        ...issuerFromOptions(options, country),
        ...bookingDatesFromOptions(options),
        ...vatSettingsFromOptions(options),
        ...(fiscalYearStart === undefined ? {} : { fiscal_year_start: fiscalYearStart }),
        ...(options.name === undefined ? {} : { name: options.name }),
      };
      const accounts = accountOptions.flatMap(({ option, column }) => {
        const number = options[camelCase(option)];
        return number === undefined ? [] : [{ column, number }];
      });
      const by = { administrationId, author: byCommand('set'), now: seconds() };
      await writingIn(db, by, (trx) => setColumns(trx, administrationId, accounts, settings));
      for (const [column, value] of Object.entries(settings)) say(`${column.replaceAll('_', ' ')}: ${value}`);
      for (const { column, number } of accounts) say(`${column.replaceAll('_', ' ')}: ${number}`);
    }),
  );
}

type Options = Record<string, string> & { administration?: bigint; fiscalYearStart?: bigint };

async function setColumns(
  db: Database,
  administrationId: bigint,
  accounts: readonly { column: AccountColumn; number: string }[],
  settings: Partial<Row<'administration'>>,
): Promise<void> {
  if (accounts.length + Object.keys(settings).length === 0)
    throw new CommandError(`Expected something to set. See: ${COMMAND} set --help`);
  for (const { number } of accounts) {
    const found = await db
      .selectFrom('ledger_account')
      .where('administration_id', '=', administrationId)
      .where('number', '=', number)
      .select('id')
      .executeTakeFirst();
    if (found === undefined)
      throw new CommandError(`Administration ${administrationId} has no ledger account ${number}.`);
  }
  const values = { ...settings, ...Object.fromEntries(accounts.map(({ column, number }) => [column, number])) };
  await db.updateTable('administration').where('id', '=', administrationId).set(values).execute();
}
