import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function addList(program: Command, { say, dayOf, withDatabase }: CommandContext): void {
  program
    .command('list')
    .description('List the administrations: id, country, name, and since when one is archived.')
    .action(() =>
      withDatabase(async (db) => {
        const rows = await db.selectFrom('administration').orderBy('id').selectAll().execute();
        if (rows.length === 0) say('There are no administrations yet.');
        for (const { id, country, name, archived_on } of rows) {
          say(`${id}\t${country}\t${name}${archived_on === null ? '' : `\tarchived ${dayOf(archived_on)}`}`);
        }
      }),
    );
}
