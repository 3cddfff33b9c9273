import type { Command } from 'commander';
import { checkAdministration } from '../../../check/check.ts';
import { ledgerDifferences } from '../../../check/ledger.ts';
import { CommandError } from '../../../files/commandError.ts';
import { changesOutside } from '../../../log/readLog.ts';
import { id } from '../../arguments.ts';
import { type CommandContext, onOneLine } from '../../context.ts';

export function addCheck(program: Command, { say, complain, withAdministration }: CommandContext): void {
  program
    .command('check')
    .description('Look for anything in an administration that does not add up. Changes nothing.')
    .requiredOption('--administration <id>', 'which', id)
    .action((options: { administration: bigint }) =>
      withAdministration(options.administration, async (db) => {
        let found = 0;
        for (const look of [checkAdministration, changesOutside]) {
          for await (const sentence of look(db, options.administration)) {
            found++;
            complain(onOneLine(sentence));
          }
        }
        for await (const sentence of ledgerDifferences(db, options.administration)) {
          say(`For information: ${onOneLine(sentence)}`);
        }
        if (found > 0) throw new CommandError(`Administration ${options.administration}: ${found} found.`);
        say(`Administration ${options.administration}: everything adds up.`);
      }),
    );
}
