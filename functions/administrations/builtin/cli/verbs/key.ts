import type { Command } from 'commander';
import { CommandError } from '../../files/commandError.ts';
import { issueKey, listKeys, revokeKey } from '../../setup/keys.ts';
import { id, mailAddress } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

export function addKey(program: Command, { say, seconds, withAdministration }: CommandContext): void {
  const key = program.command('key').description('Issue, list and revoke the API keys of an administration.');
  key
    .command('issue')
    .description('Issue a key and print it. It is kept hashed and cannot be shown again.')
    .requiredOption('--administration <id>', 'whose key', id)
    .requiredOption('--username <e-mail>', 'the user name that goes with it', mailAddress)
    .option('--label <label>', 'what it is for', '')
    .action((options: { administration: bigint; username: string; label: string }) =>
      withAdministration(options.administration, async (db) => {
        const { username, label } = options;
        say(await issueKey(db, { administrationId: options.administration, username, label, now: seconds() }));
      }),
    );
  key
    .command('list')
    .description('List the keys: id, user name, since when, label, and when revoked. Never the keys themselves.')
    .requiredOption('--administration <id>', 'whose keys', id)
    .action((options: { administration: bigint }) =>
      withAdministration(options.administration, async (db) => {
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
      withAdministration(options.administration, async (db) => {
        const revoked = await revokeKey(db, { administrationId: options.administration, id: keyId, now: seconds() });
        if (!revoked)
          throw new CommandError(`Administration ${options.administration} has no key ${keyId} that still works.`);
        say(`Key ${keyId} is revoked.`);
      }),
    );
}

const day = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
