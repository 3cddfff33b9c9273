import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { Problem } from '../../shared/problem.ts';
import type { RelationExport } from '../../shared/resources/relationExport.ts';
import { reportLostOutput } from '../administrations/builtin/cli/outputFailure.ts';
import { openAdministrations } from '../app.ts';
import { runningAzurite, startAzurite } from '../host/azurite.ts';
import { startError } from '../host/startError.ts';
import { readSettings, type Settings, WrongSetting } from '../settings.ts';
import { openStorage } from '../storage/storage.ts';
import type { Progress } from './exportWorker.ts';
import { relationExports } from './relationExports.ts';

/** The output of the command, and the variables it reads its settings from. */
export type CommandContext = {
  env: Readonly<Record<string, string | undefined>>;
  say: (line: string) => void;
  complain: (line: string) => void;
  /** Shows a line in the place of the one before; left out: no progress is shown. */
  show?: (line: string) => void;
};

/** Exit code: success, a failed export, or wrong arguments. */
type ExitCode = 0 | 1 | 2;

/** Runs `npm run export`: exports relations now. @param words the arguments */
export async function runExport(words: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { say, complain } = context;
  let code: ExitCode = 0;
  const program = new Command('export')
    .description('Exports the relations of all administrations, or of one, into blob storage, now.')
    .option('--administration <name>', 'by its id or by its name in EXPORT_ADMINISTRATIONS; left out: all')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
    .action(async ({ administration }: { administration?: string }) => {
      code = await exportNow(readSettings(context.env), administration, context);
    });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already written the error; a request for help is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const reason = startError(error);
    if (typeof reason !== 'string') throw error;
    complain(reason);
    return error instanceof WrongSetting ? 2 : 1;
  }
}

async function exportNow(
  settings: Settings,
  requested: string | undefined,
  { say, complain, show = () => {} }: CommandContext,
): Promise<ExitCode> {
  // The storage account of the app while it runs; otherwise its folder is free.
  const folder = path.join(settings.dataFolder, 'storage');
  const running = settings.storage ?? (await runningAzurite(folder));
  const local = running === undefined ? await startAzurite(folder) : undefined;
  const administrations = await openAdministrations(settings);
  try {
    const exports = relationExports(openStorage(running ?? local!.connectionString), administrations, settings);
    const all = await exports.administrations();
    const wanted = all.filter(
      ({ name, title }) => requested === undefined || requested === name || requested === title,
    );
    if (wanted.length === 0) {
      complain(
        requested === undefined
          ? 'There is no administration to export.'
          : `There is no administration ${requested} to export.`,
      );
      return 2;
    }
    let code: ExitCode = 0;
    for (const { name, title } of wanted) {
      try {
        const made = await exports.runNow(
          name,
          () => {},
          (progress) => show(bar(title, progress)),
        );
        show('');
        say(sentence(title, made));
      } catch (failure) {
        show('');
        // The other administrations are exported all the same.
        complain(`${title}: ${failure instanceof Problem ? failure.message : (failure as Error).stack}`);
        code = 1;
      }
    }
    return code;
  } finally {
    await administrations.close();
    await local?.stop();
  }
}

const sentence = (title: string, made: RelationExport): string => {
  const { administration, date, relations, added, changed, vanished, full } = made;
  const read = full ? 'all of them read' : 'what changed was read';
  return `${title}: ${relations} relations, ${read}; ${added} new, ${changed} changed, ${vanished} gone. relation-exports/${administration}/${date}`;
};

const stages = {
  reading: 'reading',
  merging: 'putting together',
  workbook: 'making the workbook',
  publishing: 'checking',
  published: 'done',
};
const WIDTH = 30;

/** `3  [#########-------]  reading, 12000 relations`, full when as many were read as the last export had. */
export function bar(title: string, { stage, relations, expected }: Progress): string {
  const filled = expected === undefined ? 0 : Math.min(WIDTH, Math.round((WIDTH * relations) / Math.max(1, expected)));
  return `${title}  [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]  ${stages[stage]}, ${relations} relations`;
}

if (import.meta.main) {
  // Only the owner may read the stored files.
  process.umask(0o077);
  reportLostOutput((line) => console.error(line));
  process.exitCode = await runExport(process.argv.slice(2), {
    env: process.env,
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
    ...(process.stderr.isTTY ? { show: (line: string) => void process.stderr.write(`\r\x1b[K${line}`) } : {}),
  });
}
