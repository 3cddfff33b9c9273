import { createInterface, type ReadLineOptions } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import { Problem } from '../../../../shared/problem.ts';
import { WrongSetting } from '../../../settings.ts';
import { CommandError, reasonOf } from '../files/commandError.ts';
import { COMMAND, type CommandContext, type CommandIO, commandContext } from './context.ts';
import { reportLostOutput } from './outputFailure.ts';
import { addAnonymise } from './verbs/anonymise.ts';
import { addArchive } from './verbs/archive.ts';
import { addAuditfile } from './verbs/bookkeeping/auditfile.ts';
import { addCheck } from './verbs/bookkeeping/check.ts';
import { addVat } from './verbs/bookkeeping/vat.ts';
import { addCreate } from './verbs/create.ts';
import { addDelete } from './verbs/delete.ts';
import { addDemo } from './verbs/demo.ts';
import { addExport } from './verbs/export.ts';
import { addImport } from './verbs/import.ts';
import { addKey } from './verbs/key.ts';
import { addList } from './verbs/list.ts';
import { addLog } from './verbs/log.ts';
import { addMail } from './verbs/mail.ts';
import { addPush } from './verbs/push.ts';
import { addSet } from './verbs/set.ts';
import { addTemplate } from './verbs/template.ts';

/** The functions that add the verbs, in the order of `help`. */
const verbs: readonly ((program: Command, context: CommandContext) => void)[] = [
  addCreate,
  addSet,
  addList,
  addKey,
  addDemo,
  addCheck,
  addLog,
  addImport,
  addPush,
  addTemplate,
  addMail,
  addVat,
  addAuditfile,
  addExport,
  addAnonymise,
  addArchive,
  addDelete,
];

/** Exit code: success, refused data, or wrong arguments. */
type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line of `npm run administration`. It may run beside the app: both wait for each other's writes.
 * @param words the arguments
 */
export async function runCommand(words: readonly string[], io: CommandIO): Promise<ExitCode> {
  const { say, complain } = io;
  const program = new Command(COMMAND)
    .description(
      'Makes administrations, issues keys to them, imports into them, and writes them to files. Ends with 0 when it is done, 1 when what it was given is refused or cannot be read, 2 when the command line or a setting is wrong.',
    )
    .exitOverride()
    // A nested verb has options of its own with the same names.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    });
  const context = commandContext(io);
  for (const add of verbs) add(program, context);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already written the error; a request for help is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandError || error instanceof Problem || error instanceof WrongSetting) {
      complain(error.message);
      return error instanceof WrongSetting ? 2 : 1;
    }
    // A file, a folder or a server that fails: the system says which, and why.
    const { syscall, path } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) {
      complain(`${path === undefined ? '' : `${path}: `}${reasonOf(error)}.`);
      return 1;
    }
    throw error;
  }
}

/** Asks a question in the terminal. @returns the typed answer; "" when Ctrl-C or Ctrl-D was typed */
export async function ask(
  question: string,
  streams: ReadLineOptions = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const terminal = createInterface(streams);
  try {
    return await terminal.question(question);
  } catch (failure) {
    if ((failure as Error).name !== 'AbortError') throw failure;
    streams.output?.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}

/** The end of a line that fits into a terminal: of one that is divided, only the last part would be shown anew. */
export const oneLine = (line: string, columns: number | undefined): string =>
  !columns || line.length < columns ? line : `...${line.slice(line.length - columns + 4)}`;

/** The person's Ctrl-C, once; the second one ends the command at once. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return interrupted.signal;
}

const show = (line: string): void => void process.stderr.write(`\r\x1b[K${oneLine(line, process.stderr.columns)}`);

if (import.meta.main) {
  // Only the owner may read written files, such as exports.
  process.umask(0o077);
  reportLostOutput((line) => console.error(line));
  process.exitCode = await runCommand(process.argv.slice(2), {
    env: process.env,
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
    now: () => new Date(),
    interruption,
    ...(process.stderr.isTTY ? { show } : {}),
    ...(process.stdin.isTTY ? { ask } : {}),
  });
}
