import type { Command } from 'commander';
import { exportAdministration } from '../archive/exportAdministration.ts';
import type { Database } from '../sql/database.ts';

type Work = (db: Database, given: { say: (line: string) => void }) => Promise<void>;

/**
 * Adds `export` to a command line.
 * @param run does the work with the database of an administration that exists
 */
export function addExportCommand(
  program: Command,
  administrationId: (text: string) => bigint,
  run: (administrationId: bigint, work: Work) => Promise<void>,
): void {
  program
    .command('export')
    .description(
      'Write a whole administration to the CSV files import reads, in a new folder. API keys are not among them.',
    )
    .argument('<folder>', 'the folder to make')
    .requiredOption('--administration <id>', 'which', administrationId)
    .action((folder: string, options: { administration: bigint }) =>
      run(options.administration, async (db, { say }) => {
        const rows = await exportAdministration(db, options.administration, folder);
        for (const [file, count] of Object.entries(rows)) if (count > 0) say(`${file}: ${count}`);
        say(`Administration ${options.administration} is in ${folder}, without its API keys.`);
      }),
    );
}
