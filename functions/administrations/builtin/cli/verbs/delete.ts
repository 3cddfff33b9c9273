import type { Command } from 'commander';
import { CommandError } from '../../files/commandError.ts';
import { deleteAdministration } from '../../setup/deleteAdministration.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

type Options = { administration: bigint; yes?: string };

export function addDelete(program: Command, { say, ask, seconds, withAdministration }: CommandContext): void {
  program
    .command('delete')
    .description(
      'Delete an administration with everything in it, after its name was typed and the question answered with yes. It cannot be undone: export it first.',
    )
    .requiredOption('--administration <id>', 'which', id)
    .option('--yes <name>', 'the name of the administration: nothing is asked then')
    .action(({ administration, yes }: Options) =>
      withAdministration(administration, async (db, { name }) => {
        const refuse = (why: string) => new CommandError(`${why} Nothing was deleted.`);
        if (yes !== undefined && yes !== name) throw refuse(`Administration ${administration} is not called ${yes}.`);
        if (yes === undefined) {
          if (ask === undefined) throw refuse('There is no terminal: expected --yes and its name.');
          say(
            `Administration ${administration}, ${name}, is to be deleted: invoices, books, relations, keys and its log.`,
          );
          if ((await ask('Type its name: ')) !== name) throw refuse('That is not its name.');
          const answer = await ask('Delete it? It cannot be undone. Type yes: ');
          if (answer.toLowerCase() !== 'yes') throw refuse('The answer was not yes.');
        }
        const rows = await deleteAdministration(db, administration, seconds());
        say(`Administration ${administration}, ${name}, is deleted: ${rows} rows of all tables.`);
        say('What stays: folders that export wrote, backups of the database, and in storage its relation exports');
        say('and what pushes sent, until they are removed by their age (EXPORT_DAYS, PUSH_DAYS).');
      }),
    );
}
