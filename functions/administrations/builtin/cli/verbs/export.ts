import type { Command } from 'commander';
import { readSettings } from '../../../../settings.ts';
import { exportAdministration } from '../../archive/exportAdministration.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

export function addExport(program: Command, { say, env, withAdministration }: CommandContext): void {
  program
    .command('export')
    .description(
      'Write a whole administration to the CSV files import reads, in a new folder. API keys, mail and PDFs are not among them.',
    )
    .argument('<folder>', 'the folder to make')
    .requiredOption('--administration <id>', 'which', id)
    .option('--for-spreadsheets', 'write an apostrophe before texts that a spreadsheet would take for a formula')
    .action((folder: string, options: { administration: bigint; forSpreadsheets?: boolean }) =>
      withAdministration(options.administration, async (db) => {
        const { archiveKey: key } = readSettings(env);
        const { administration, forSpreadsheets } = options;
        const rows = await exportAdministration(db, administration, folder, { key, forSpreadsheets });
        for (const [file, count] of Object.entries(rows)) if (count > 0) say(`${file}: ${count}`);
        say(`Administration ${options.administration} is in ${folder}, without its API keys.`);
      }),
    );
}
