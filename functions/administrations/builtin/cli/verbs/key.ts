import { type Command, Option } from 'commander';
import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { issueKey, listKeys, revokeKey } from '../../credentials/keys.ts';
import { CommandError } from '../../files/commandError.ts';
import type { Database } from '../../sql/database.ts';
import { type KeyScope, keyScopes } from '../../sql/declarations/administrations.ts';
import { date, id, mailAddress } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

type IssueOptions = { username: string; label: string; scope: KeyScope; ends?: CalendarDate };
type ShortOptions = Omit<IssueOptions, 'username'> & { username?: string; list?: true; revoke?: bigint };

export function addKey(
  program: Command,
  { say, seconds, dayOf, today, withAdministration, withNamed }: CommandContext,
): void {
  const issue = async (db: Database, administrationId: bigint, { ends, ...options }: IssueOptions) => {
    if (ends !== undefined && ends < today()) throw new CommandError(`--ends: expected a day to come, got ${ends}.`);
    const endsOn = ends === undefined ? {} : { endsOn: ends };
    say(await issueKey(db, { administrationId, ...options, ...endsOn, now: seconds() }));
  };
  const list = async (db: Database, administrationId: bigint) => {
    const keys = await listKeys(db, administrationId);
    if (keys.length === 0) say('There are no keys yet.');
    for (const key of keys) say(lineOf(key, dayOf));
  };
  const revoke = async (db: Database, administrationId: bigint, keyId: bigint) => {
    const revoked = await revokeKey(db, { administrationId, id: keyId, now: seconds() });
    if (!revoked) throw new CommandError(`Administration ${administrationId} has no key ${keyId} that still works.`);
    say(`Key ${keyId} is revoked.`);
  };

  const key = program
    .command('key')
    .enablePositionalOptions()
    .description('Issue, list and revoke the API keys of an administration: `key <administration>`, or by a verb.')
    .argument('[administration]', 'its id or its name; issues a key, unless an option says otherwise')
    .option('--list', 'list its keys instead')
    .option('--revoke <key>', 'end a key instead, by its id in the list', id)
    .option('--username <e-mail>', 'the user name that goes with a new key', mailAddress);
  addNewKeyOptions(key);
  key.action((name: string | undefined, { username, ...options }: ShortOptions) => {
    if (name === undefined) return key.error("error: missing required argument 'administration'");
    if (options.list !== true && options.revoke === undefined && username === undefined) {
      return key.error("error: required option '--username <e-mail>' not specified");
    }
    return withNamed(name, async (db, administration) => {
      if (options.list === true) await list(db, administration.id);
      else if (options.revoke !== undefined) await revoke(db, administration.id, options.revoke);
      else await issue(db, administration.id, { ...options, username: username! });
    });
  });
  const issuing = key
    .command('issue')
    .description('Issue a key and print it. Only its hash is stored: it cannot be shown again.')
    .requiredOption('--administration <id>', 'whose key', id)
    .requiredOption('--username <e-mail>', 'the user name that goes with it', mailAddress);
  addNewKeyOptions(issuing);
  issuing.action(({ administration, ...options }: IssueOptions & { administration: bigint }) =>
    withAdministration(administration, (db) => issue(db, administration, options)),
  );
  key
    .command('list')
    .description(
      'List the keys: id, user name, since when, label, when revoked, last use, end, scope. Never the keys themselves.',
    )
    .requiredOption('--administration <id>', 'whose keys', id)
    .action(({ administration }: { administration: bigint }) =>
      withAdministration(administration, (db) => list(db, administration)),
    );
  key
    .command('revoke')
    .description('End a key, by its id in the list.')
    .argument('<key>', 'id of the key', id)
    .requiredOption('--administration <id>', 'whose key', id)
    .action((keyId: bigint, { administration }: { administration: bigint }) =>
      withAdministration(administration, (db) => revoke(db, administration, keyId)),
    );
}

const addNewKeyOptions = (command: Command): Command =>
  command
    .option('--label <label>', 'what a new key is for', '')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(keyScopes).default('all'))
    .option('--ends <date>', 'the last day it works, as yyyy-mm-dd (default: it has no end)', date);

const lineOf = (key: Awaited<ReturnType<typeof listKeys>>[number], dayOf: CommandContext['dayOf']): string =>
  [
    key.id,
    key.username,
    dayOf(key.created_on),
    key.label,
    key.revoked_on === null ? '' : `revoked ${dayOf(key.revoked_on)}`,
    key.last_used_on === null ? 'never used' : `used ${dayOf(key.last_used_on)}`,
    key.ends_on === null ? 'no end' : `ends ${key.ends_on}`,
    key.scope,
  ].join('\t');
