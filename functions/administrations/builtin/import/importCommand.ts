import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Database } from '../database.ts';
import { Refusal } from '../refusal.ts';
import type { Seconds } from '../schema.ts';
import { accounts } from './accounts.ts';
import type { Mapping } from './bind.ts';
import { type ImportProblem, importRows, type StartImport } from './importRows.ts';
import { invoices } from './invoices.ts';
import { products } from './products.ts';
import { type Delimiter, delimiters, readCsv } from './readCsv.ts';
import { relations } from './relations.ts';
import { type RowSource, UnreadableFile } from './source.ts';
import { taxCodes } from './taxCodes.ts';

/** What can be imported, by the name the command knows it by. */
export const resources = {
  accounts,
  'tax-codes': taxCodes,
  relations,
  products,
  invoices,
} as const satisfies Record<string, StartImport>;
type ResourceName = keyof typeof resources;

/** Problems that are shown; the report has them all. */
const MOST_SHOWN = 50;

type ImportOptions = {
  administration: bigint;
  delimiter?: Delimiter;
  decimalComma?: boolean;
  columns: Map<string, string>;
  set: Map<string, string>;
  values: Map<string, Map<string, string>>;
  only: Map<string, Set<string>>;
  report?: string;
};

type Work = (
  db: Database,
  given: { say: (line: string) => void; complain: (line: string) => void; now: Seconds },
) => Promise<void>;

/**
 * Adds `import` to a command line.
 * @param run does the work with the database of an administration that exists
 */
export function addImportCommand(
  program: Command,
  administrationId: (text: string) => bigint,
  run: (administrationId: bigint, work: Work) => Promise<void>,
): void {
  program
    .command('import')
    .description('Import a CSV file into an administration: all of it, or, when anything in it is wrong, nothing.')
    .argument('<resource>', Object.keys(resources).join(', '), resourceName)
    .argument('<file>', 'a CSV file in UTF-8 with a line of headings; see docs/import.md')
    .requiredOption('--administration <id>', 'where to', administrationId)
    .addOption(
      new Option('--delimiter <character>', 'what parts the cells; left out: seen from the heading').choices(
        delimiters,
      ),
    )
    .option('--decimal-comma', 'numbers are written as 1.234,50')
    .option(
      '--columns <pairs>',
      'our column and the heading in the file: "Number=Rekening,Name=Naam"',
      addPairs,
      new Map(),
    )
    .option('--set <pair>', 'one value for a column the file lacks: "FiscalYear=2026"', addPair, new Map())
    .option('--values <words>', 'words in a column and ours: "LedgerType:Balans=BalanceSheet"', addValues, new Map())
    .option('--only <rows>', 'import the rows with these words only: "Niveau=4|5"', addOnly, new Map())
    .option('--report <file>', 'write all problems to a file')
    .action((resource: ResourceName, file: string, options: ImportOptions) =>
      run(options.administration, async (db, given) => importFile(db, resource, file, options, given)),
    );
}

async function importFile(
  db: Database,
  resource: ResourceName,
  file: string,
  options: ImportOptions,
  { say, complain, now }: Parameters<Work>[1],
): Promise<void> {
  const mapping: Mapping = {
    decimalComma: options.decimalComma ?? false,
    columns: options.columns,
    constants: options.set,
    values: options.values,
    only: options.only,
  };
  const source = await openSource(file, options.delimiter);
  const { problems, warnings, counts, leftOut } = await importRows(db, resources[resource], source, {
    administrationId: options.administration,
    now,
    mapping,
  });
  for (const warning of warnings) complain(`${source.file}: ${warning}`);
  if (options.report !== undefined) await writeReport(options.report, problems);
  if (problems.length > 0) {
    for (const problem of problems.slice(0, MOST_SHOWN)) complain(problemText(problem));
    const more = problems.length - MOST_SHOWN;
    if (more > 0) {
      const where =
        options.report === undefined ? 'write them all to a file with --report' : `all are in ${options.report}`;
      complain(`... and ${more} more: ${where}.`);
    }
    const number = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
    throw new Refusal(`${number} in ${source.file}: nothing was imported.`);
  }
  say(`${resource}: ${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`);
  if (leftOut > 0) say(`${leftOut} rows were left out, as --only says.`);
}

async function openSource(file: string, delimiter: Delimiter | undefined): Promise<RowSource> {
  try {
    await access(file);
    return await readCsv(file, delimiter);
  } catch (error) {
    if (error instanceof UnreadableFile) throw new Refusal(`${file}:${error.line}: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== undefined) {
      throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
    }
    throw error;
  }
}

/** `relations.csv:12: Name: is required, got an empty cell` */
export const problemText = ({ file, line, column, message }: ImportProblem): string =>
  `${file}:${line}: ${column === '' ? '' : `${column}: `}${message}`;

async function writeReport(file: string, problems: readonly ImportProblem[]): Promise<void> {
  const stream = createWriteStream(file);
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new Refusal(`The report cannot be written: ${(error as Error).message}`);
  }
  for (const problem of problems) {
    if (!stream.write(`${problemText(problem)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

function resourceName(text: string): ResourceName {
  if (Object.hasOwn(resources, text)) return text as ResourceName;
  throw new InvalidArgumentError(`Expected one of: ${Object.keys(resources).join(', ')}.`);
}

function pair(text: string): [string, string] {
  const [, left, right] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  if (left === undefined || right === undefined) {
    throw new InvalidArgumentError(`Expected two words with = between them, got "${text}".`);
  }
  return [left, right];
}

/** Pairs parted by commas; a comma within a heading parts nothing, as long as no = follows it before the next comma. */
const pairs = (text: string): [string, string][] => text.split(/,(?=[^,=]*=)/).map(pair);

const addPairs = (text: string, to: Map<string, string>): Map<string, string> => new Map([...to, ...pairs(text)]);

const addPair = (text: string, to: Map<string, string>): Map<string, string> => new Map([...to, pair(text)]);

function addValues(text: string, to: Map<string, Map<string, string>>): Map<string, Map<string, string>> {
  const [, column, words] = /^\s*([^:=]+?)\s*:(.*)$/s.exec(text) ?? [];
  if (column === undefined || words === undefined) {
    throw new InvalidArgumentError(`Expected a column, a colon and pairs of words, got "${text}".`);
  }
  return new Map([...to, [column, new Map([...(to.get(column) ?? []), ...pairs(words)])]]);
}

function addOnly(text: string, to: Map<string, Set<string>>): Map<string, Set<string>> {
  const [heading, words] = pair(text);
  return new Map([...to, [heading, new Set(words.split('|').map((word) => word.trim()))]]);
}
