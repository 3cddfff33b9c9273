import type { Command } from 'commander';
import { checkAdministration } from '../check.ts';
import type { Database } from '../database.ts';
import { refuseProblems } from '../import/problems.ts';
import { exportAdministration } from './exportAdministration.ts';
import { restoreAdministration } from './restoreAdministration.ts';

type Work = (db: Database, given: { say: (line: string) => void; complain: (line: string) => void }) => Promise<void>;

/**
 * Adds `export` and `restore` to a command line.
 * @param run does the work with the database, for `export` of an administration that exists
 */
export function addExportCommands(
  program: Command,
  administrationId: (text: string) => bigint,
  run: (administrationId: bigint | undefined, work: Work) => Promise<void>,
): void {
  program
    .command('export')
    .description('Write a whole administration to CSV files in a new folder. API keys are not among them.')
    .argument('<folder>', 'the folder to make')
    .requiredOption('--administration <id>', 'which', administrationId)
    .action((folder: string, options: { administration: bigint }) =>
      run(options.administration, async (db, { say }) => {
        const rows = await exportAdministration(db, options.administration, folder);
        for (const [file, count] of Object.entries(rows)) if (count > 0) say(`${file}: ${count}`);
        say(`Administration ${options.administration} is in ${folder}, without its API keys.`);
      }),
    );
  program
    .command('restore')
    .description('Make an administration of an exported one: all of it, or, when anything in it is wrong, nothing.')
    .argument('<folder>', 'what export made')
    .option('--name <name>', 'what it is to be called; left out: what it was called')
    .option('--report <file>', 'write all problems to a file')
    .action((folder: string, options: { name?: string; report?: string }) =>
      run(undefined, async (db, { say, complain }) => {
        const restored = await restoreAdministration(db, folder, options.name);
        await refuseProblems(restored.problems, folder, options.report, complain);
        for await (const sentence of checkAdministration(db, restored.administrationId)) complain(sentence);
        say(String(restored.administrationId));
        complain(`${restored.name}: ${restored.rows} rows. It has no API keys yet: issue them with key issue.`);
      }),
    );
}
