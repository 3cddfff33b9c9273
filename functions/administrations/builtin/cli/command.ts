import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readSettings, WrongSetting } from '../../../settings.ts';
import { checkAdministration } from '../check/check.ts';
import { CommandError } from '../files/commandError.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import type { IssuerColumns } from '../setup/issuer.ts';
import { issueKey, listKeys, revokeKey } from '../setup/keys.ts';
import type { Database } from '../sql/database.ts';
import { openDatabase } from '../sql/openDatabase.ts';
import type { Row } from '../sql/schema.ts';
import { addExportCommand } from './exportCommand.ts';
import { addImportCommand } from './importCommand.ts';
import { addIssuerOptions, givenIssuer } from './issuerOptions.ts';
import { addMailCommand } from './mailCommand.ts';
import { addTemplateCommand } from './templateCommand.ts';

/** Where a command writes, and what it reads its settings from. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  say: (line: string) => void;
  complain: (line: string) => void;
  now: () => Date;
};

/** How a command ended: done, data refused, or used wrongly. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line of `npm run administration`. It may run beside the app: both wait for each other's writes.
 * @param words what stands after the command's name
 */
export async function runCommand(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { say, complain } = surroundings;
  const program = new Command('administration')
    .description('Makes administrations, issues keys to them, imports into them, and writes them to files.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    });
  const withDatabase = async (work: (db: Database) => Promise<void>): Promise<void> => {
    const db = await openDatabase(readSettings(surroundings.env).databaseUrl);
    try {
      await work(db);
    } finally {
      await db.destroy();
    }
  };
  const seconds = (): bigint => BigInt(Math.floor(surroundings.now().getTime() / 1000));

  const create = program
    .command('create')
    .description(
      'Make an administration, with the usual VAT codes and chart of accounts of its country; prints its id.',
    )
    .requiredOption('--name <name>', 'what it is called', filled)
    .addOption(new Option('--country <country>', 'NL or BE').choices(['NL', 'BE']).makeOptionMandatory())
    .option(
      '--years <years>',
      'fiscal years that get the chart of accounts, such as 2025,2026 (default: this year)',
      years,
    )
    .option('--empty', 'without VAT codes and chart of accounts, to import them');
  addIssuerOptions(create);
  create.action((options: { name: string; country: 'NL' | 'BE'; years?: number[]; empty?: boolean }) =>
    withDatabase(async (db) => {
      const issuer = givenIssuer(options, options.country);
      const id = await createAdministration(db, {
        name: options.name,
        country: options.country,
        fiscalYears: options.years ?? [surroundings.now().getUTCFullYear()],
        now: seconds(),
        issuer,
        ...(options.empty === undefined ? {} : { empty: options.empty }),
      });
      say(String(id));
    }),
  );

  const set = program
    .command('set')
    .description('Set who sends the invoices of an administration, and the accounts it falls back on and books on.')
    .requiredOption('--administration <id>', 'whose', id);
  for (const { option, meaning } of accountOptions) set.option(`--${option} <number>`, meaning, filled);
  addIssuerOptions(set);
  set.option('--name <name>', 'what the administration is called', filled);
  set.action((options: Record<string, string> & { administration: bigint }) =>
    withDatabase(async (db) => {
      const country = await countryOf(db, options.administration);
      const issuer = {
        ...givenIssuer(options, country),
        ...(options.name === undefined ? {} : { name: options.name }),
      };
      const accounts = accountOptions.flatMap(({ option, column }) => {
        // As Commander names it: debtorAccount for debtor-account.
        const number = options[option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
        return number === undefined ? [] : [{ column, number }];
      });
      await setColumns(db, options.administration, accounts, issuer);
      for (const [column, value] of Object.entries(issuer)) say(`${column.replaceAll('_', ' ')}: ${value}`);
      for (const { column, number } of accounts) say(`${column.replaceAll('_', ' ')}: ${number}`);
    }),
  );

  program
    .command('list')
    .description('List the administrations: id, country, name.')
    .action(() =>
      withDatabase(async (db) => {
        const rows = await db.selectFrom('administration').orderBy('id').selectAll().execute();
        if (rows.length === 0) say('There are no administrations yet.');
        for (const { id, country, name } of rows) say(`${id}\t${country}\t${name}`);
      }),
    );

  const key = program.command('key').description('Issue, list and revoke the API keys of an administration.');
  key
    .command('issue')
    .description('Issue a key and print it. It is kept hashed and cannot be shown again.')
    .requiredOption('--administration <id>', 'whose key', id)
    .requiredOption('--username <e-mail>', 'the user name that goes with it', mailAddress)
    .option('--label <label>', 'what it is for', '')
    .action((options: { administration: bigint; username: string; label: string }) =>
      withDatabase(async (db) => {
        await requireAdministration(db, options.administration);
        const { username, label } = options;
        say(await issueKey(db, { administrationId: options.administration, username, label, now: seconds() }));
      }),
    );
  key
    .command('list')
    .description('List the keys: id, user name, since when, label, and when revoked. Never the keys themselves.')
    .requiredOption('--administration <id>', 'whose keys', id)
    .action((options: { administration: bigint }) =>
      withDatabase(async (db) => {
        await requireAdministration(db, options.administration);
        const keys = await listKeys(db, options.administration);
        if (keys.length === 0) say('There are no keys yet.');
        for (const { id, username, label, createdOn, revokedOn } of keys) {
          say([id, username, day(createdOn), label, revokedOn === null ? '' : `revoked ${day(revokedOn)}`].join('\t'));
        }
      }),
    );
  key
    .command('revoke')
    .description('End a key, by its id in the list.')
    .argument('<key>', 'id of the key', id)
    .requiredOption('--administration <id>', 'whose key', id)
    .action((keyId: bigint, options: { administration: bigint }) =>
      withDatabase(async (db) => {
        await requireAdministration(db, options.administration);
        const revoked = await revokeKey(db, { administrationId: options.administration, id: keyId, now: seconds() });
        if (!revoked)
          throw new CommandError(`Administration ${options.administration} has no key ${keyId} that still works.`);
        say(`Key ${keyId} is revoked.`);
      }),
    );

  program
    .command('check')
    .description('Look for anything in an administration that does not add up. Changes nothing.')
    .requiredOption('--administration <id>', 'which', id)
    .action((options: { administration: bigint }) =>
      withDatabase(async (db) => {
        await requireAdministration(db, options.administration);
        let found = 0;
        for await (const sentence of checkAdministration(db, options.administration)) {
          found++;
          complain(sentence);
        }
        if (found > 0) throw new CommandError(`Administration ${options.administration}: ${found} found.`);
        say(`Administration ${options.administration}: everything adds up.`);
      }),
    );

  addImportCommand(program, id, (administrationId, work) =>
    withDatabase(async (db) => {
      if (administrationId !== undefined) await requireAdministration(db, administrationId);
      await work(db, { say, complain, now: seconds() });
    }),
  );

  addTemplateCommand(program, id, (administrationId, work) =>
    withDatabase(async (db) => {
      await requireAdministration(db, administrationId);
      await work(db, { say });
    }),
  );

  addMailCommand(program, id, (administrationId, work) =>
    withDatabase(async (db) => {
      await requireAdministration(db, administrationId);
      await work(db, { say, now: seconds() });
    }),
  );

  addExportCommand(program, id, (administrationId, work) =>
    withDatabase(async (db) => {
      await requireAdministration(db, administrationId);
      await work(db, { say });
    }),
  );

  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already said what was wrong; asking for help is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandError || error instanceof WrongSetting) {
      complain(error.message);
      return error instanceof CommandError ? 1 : 2;
    }
    throw error;
  }
}

type AccountColumn = Extract<keyof Row<'administration'>, `${string}_account`>;

/** Options of `set`, and the column each sets. */
const accountOptions: readonly { option: string; column: AccountColumn; meaning: string }[] = [
  { option: 'revenue-account', column: 'default_revenue_account', meaning: 'revenue, where a line names no account' },
  { option: 'cost-account', column: 'default_cost_account', meaning: 'costs, where a line names no account' },
  { option: 'debtor-account', column: 'debtor_account', meaning: 'what customers owe' },
  { option: 'creditor-account', column: 'creditor_account', meaning: 'what suppliers are owed' },
  { option: 'vat-payable-account', column: 'vat_payable_account', meaning: 'VAT on sales' },
  { option: 'vat-receivable-account', column: 'vat_receivable_account', meaning: 'VAT on purchases' },
];

async function setColumns(
  db: Database,
  administrationId: bigint,
  accounts: readonly { column: AccountColumn; number: string }[],
  issuer: IssuerColumns & { name?: string },
): Promise<void> {
  if (accounts.length + Object.keys(issuer).length === 0)
    throw new CommandError('Nothing to set was given. See: administration set --help');
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
  const values = { ...issuer, ...Object.fromEntries(accounts.map(({ column, number }) => [column, number])) };
  await db.updateTable('administration').where('id', '=', administrationId).set(values).execute();
}

const requireAdministration = async (db: Database, administrationId: bigint): Promise<void> => {
  await countryOf(db, administrationId);
};

async function countryOf(db: Database, administrationId: bigint): Promise<'NL' | 'BE'> {
  const found = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .select('country')
    .executeTakeFirst();
  if (found === undefined)
    throw new CommandError(`There is no administration ${administrationId}. See: administration list`);
  return found.country;
}

const day = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 10);

/** A whole number above zero. */
function id(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new InvalidArgumentError('Expected the number of one, as the list shows it.');
  return BigInt(text);
}

function filled(text: string): string {
  const value = text.trim();
  if (value === '') throw new InvalidArgumentError('Expected more than nothing.');
  return value;
}

function mailAddress(text: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(text.trim())) throw new InvalidArgumentError('Expected an e-mail address.');
  return text.trim();
}

function years(text: string): number[] {
  const list = text.split(',').map((year) => year.trim());
  if (!list.every((year) => /^(19|[2-9]\d)\d{2}$/.test(year))) {
    throw new InvalidArgumentError('Expected years, such as 2025,2026.');
  }
  return [...new Set(list.map(Number))];
}

if (import.meta.main) {
  // What it writes, exports above all, is for its owner only.
  process.umask(0o077);
  process.exitCode = await runCommand(process.argv.slice(2), {
    env: process.env,
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
    now: () => new Date(),
  });
}
