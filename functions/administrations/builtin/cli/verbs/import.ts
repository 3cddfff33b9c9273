import { access } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readSettings } from '../../../../settings.ts';
import { importAdministration } from '../../archive/importAdministration.ts';
import { checkAdministration } from '../../check/check.ts';
import { CommandError } from '../../files/commandError.ts';
import { refuseProblems } from '../../files/problems.ts';
import { type Delimiter, delimiters, readCsv } from '../../files/readCsv.ts';
import { readXlsx } from '../../files/readXlsx.ts';
import { type RowSource, UnreadableFile } from '../../files/source.ts';
import { auditfileReport, importAuditfile } from '../../import/auditfile/auditfile.ts';
import type { Mapping } from '../../import/bind.ts';
import { importRows } from '../../import/importRows.ts';
import { type ResourceName, resources } from '../../import/resources.ts';
import type { Database } from '../../sql/database.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

/** What is imported from a format of its own, and a whole administration from the folder `export` made. */
const AUDITFILE = 'auditfile';
const ALL = 'all';
const importable = [...Object.keys(resources), AUDITFILE, ALL];
type Importable = ResourceName | typeof AUDITFILE | typeof ALL;

type ImportOptions = {
  administration?: bigint;
  name?: string;
  delimiter?: Delimiter;
  sheet?: string;
  decimalComma?: boolean;
  columns: Map<string, string>;
  set: Map<string, string>;
  values: Map<string, Map<string, string>>;
  only: Map<string, Set<string>>;
  report?: string;
};
/** Of an import into an administration there is. */
type Into = ImportOptions & { administration: bigint };

export function addImport(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .description(
      'Import a file into an administration, or make one of an exported folder: all of it, or, when anything in it is wrong, nothing.',
    )
    .argument('<resource>', importable.join(', '), resourceName)
    .argument(
      '<file>',
      'a CSV file in UTF-8 or an .xlsx workbook, with a line of headings; for auditfile an XML Auditfile Financieel 3.2; for all the folder export made',
    )
    .option('--administration <id>', 'where to; all makes a new one', id)
    .option('--name <name>', 'what the administration all makes is to be called; left out: what it was called')
    .addOption(
      new Option('--delimiter <character>', 'what parts the cells; left out: seen from the heading').choices(
        delimiters,
      ),
    )
    .option('--sheet <name>', 'the sheet of a workbook; left out: the first')
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
    .option('--report <file>', 'write all problems to a file');
  command.action((resource: Importable, file: string, { administration, ...options }: ImportOptions) => {
    if (resource === ALL) {
      if (administration !== undefined) command.error('error: all makes an administration: it takes none.');
      return context.withDatabase((db) => importAll(db, file, options, context));
    }
    if (administration === undefined) {
      return command.error("error: required option '--administration <id>' not specified");
    }
    if (options.name !== undefined) command.error('error: only what all makes is given a name.');
    const into: Into = { ...options, administration };
    return context.withAdministration(administration, (db) =>
      resource === AUDITFILE
        ? importAuditfileFrom(db, file, into, context)
        : importFile(db, resource, file, into, context),
    );
  });
}

async function importAll(
  db: Database,
  folder: string,
  options: ImportOptions,
  { say, complain, env }: CommandContext,
): Promise<void> {
  if (isMapped(options)) {
    throw new CommandError(
      'A whole administration is imported as it was exported: of the options, it knows --name and --report only.',
    );
  }
  const { archiveKey } = readSettings(env);
  const imported = await importAdministration(db, folder, { name: options.name, key: archiveKey });
  await refuseProblems(imported.problems, folder, options.report, complain);
  for await (const sentence of checkAdministration(db, imported.administrationId)) complain(sentence);
  say(String(imported.administrationId));
  complain(`${imported.name}: ${imported.rows} rows. It has no API keys yet: issue them with key issue.`);
}

/** Whether anything says how a file is to be read. */
const isMapped = ({ columns, set, values, only, delimiter, sheet, decimalComma }: ImportOptions): boolean =>
  [columns, set, values, only].some((given) => given.size > 0) ||
  [delimiter, sheet, decimalComma].some((given) => given !== undefined);

async function importAuditfileFrom(
  db: Database,
  file: string,
  options: Into,
  { say, complain, seconds }: CommandContext,
): Promise<void> {
  if (isMapped(options)) {
    throw new CommandError('An auditfile says itself what it has: of the options, it knows --report only.');
  }
  const result = await readable(file, () =>
    importAuditfile(db, file, path.basename(file), { administrationId: options.administration, now: seconds() }),
  );
  await refuseProblems(result.problems, path.basename(file), options.report, complain);
  for (const line of auditfileReport(result)) say(line);
}

async function importFile(
  db: Database,
  resource: ResourceName,
  file: string,
  options: Into,
  { say, complain, seconds }: CommandContext,
): Promise<void> {
  const mapping: Mapping = {
    decimalComma: options.decimalComma ?? false,
    columns: options.columns,
    constants: options.set,
    values: options.values,
    only: options.only,
  };
  const source = await openSource(file, options);
  const { problems, warnings, counts, leftOut } = await importRows(db, resources[resource], source, {
    administrationId: options.administration,
    now: seconds(),
    mapping,
  });
  for (const warning of warnings) complain(`${source.file}: ${warning}`);
  await refuseProblems(problems, source.file, options.report, complain);
  say(`${resource}: ${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`);
  if (leftOut > 0) say(`${leftOut} rows were left out, as --only says.`);
}

/** A workbook by its name's ending, else CSV. */
function openSource(file: string, { delimiter, sheet, decimalComma }: ImportOptions): Promise<RowSource> {
  if (!/\.xlsx$/i.test(file)) {
    if (sheet !== undefined) throw new CommandError(`${file} is no .xlsx workbook: it has no sheets.`);
    return readable(file, () => readCsv(file, delimiter));
  }
  if (delimiter !== undefined || decimalComma !== undefined) {
    throw new CommandError(`${file} is a workbook: its cells need no delimiter, and its numbers no comma.`);
  }
  return readable(file, () => readXlsx(file, sheet));
}

/** @throws CommandError naming the file when it cannot be read */
async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    await access(file);
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw new CommandError(`${file}:${error.line}: ${error.message}`);
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && syscall !== undefined) throw new CommandError(`${file} cannot be read: ${message}`);
    throw error;
  }
}

function resourceName(text: string): Importable {
  if (importable.includes(text)) return text as Importable;
  throw new InvalidArgumentError(`Expected one of: ${importable.join(', ')}.`);
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
