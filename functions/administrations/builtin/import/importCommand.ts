import { access } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Database } from '../database.ts';
import { Refusal } from '../refusal.ts';
import type { Seconds } from '../schema.ts';
import { accounts } from './accounts.ts';
import { auditfileReport, importAuditfile } from './auditfile.ts';
import type { Mapping } from './bind.ts';
import { orders, purchaseInvoices } from './documents.ts';
import { importRows, type StartImport } from './importRows.ts';
import { invoices } from './invoices.ts';
import { materialBookings } from './materialBookings.ts';
import { costCenters, orderStatuses } from './names.ts';
import { refuseProblems } from './problems.ts';
import { products } from './products.ts';
import { projects } from './projects.ts';
import { type Delimiter, delimiters, readCsv } from './readCsv.ts';
import { readXlsx } from './readXlsx.ts';
import { relations } from './relations.ts';
import { type RowSource, UnreadableFile } from './source.ts';
import { taxCodes } from './taxCodes.ts';

/** What can be imported, by the name the command knows it by. */
export const resources = {
  accounts,
  'tax-codes': taxCodes,
  'cost-centers': costCenters,
  'order-statuses': orderStatuses,
  relations,
  products,
  projects,
  'material-bookings': materialBookings,
  invoices,
  orders,
  'purchase-invoices': purchaseInvoices,
} as const satisfies Record<string, StartImport>;
type ResourceName = keyof typeof resources;

/** What is imported from a format of its own. */
const AUDITFILE = 'auditfile';

type ImportOptions = {
  administration: bigint;
  delimiter?: Delimiter;
  sheet?: string;
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
    .description('Import a file into an administration: all of it, or, when anything in it is wrong, nothing.')
    .argument('<resource>', [...Object.keys(resources), AUDITFILE].join(', '), resourceName)
    .argument(
      '<file>',
      'a CSV file in UTF-8 or an .xlsx workbook, with a line of headings; for auditfile an XML Auditfile Financieel 3.2',
    )
    .requiredOption('--administration <id>', 'where to', administrationId)
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
    .option('--report <file>', 'write all problems to a file')
    .action((resource: ResourceName | typeof AUDITFILE, file: string, options: ImportOptions) =>
      run(options.administration, async (db, given) =>
        resource === AUDITFILE
          ? importAuditfileFrom(db, file, options, given)
          : importFile(db, resource, file, options, given),
      ),
    );
}

async function importAuditfileFrom(
  db: Database,
  file: string,
  options: ImportOptions,
  { say, complain, now }: Parameters<Work>[1],
): Promise<void> {
  const { columns, set, values, only, delimiter, sheet, decimalComma } = options;
  const mapped = [columns, set, values, only].some((given) => given.size > 0);
  if (mapped || delimiter !== undefined || sheet !== undefined || decimalComma !== undefined) {
    throw new Refusal('An auditfile says itself what it has: of the options, it knows --report only.');
  }
  const result = await readable(file, () =>
    importAuditfile(db, file, path.basename(file), { administrationId: options.administration, now }),
  );
  await refuseProblems(result.problems, path.basename(file), options.report, complain);
  for (const line of auditfileReport(result)) say(line);
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
  const source = await openSource(file, options);
  const { problems, warnings, counts, leftOut } = await importRows(db, resources[resource], source, {
    administrationId: options.administration,
    now,
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
    if (sheet !== undefined) throw new Refusal(`${file} is no .xlsx workbook: it has no sheets.`);
    return readable(file, () => readCsv(file, delimiter));
  }
  if (delimiter !== undefined || decimalComma !== undefined) {
    throw new Refusal(`${file} is a workbook: its cells need no delimiter, and its numbers no comma.`);
  }
  return readable(file, () => readXlsx(file, sheet));
}

/** @throws Refusal naming the file when it cannot be read */
async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    await access(file);
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw new Refusal(`${file}:${error.line}: ${error.message}`);
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && syscall !== undefined) throw new Refusal(`${file} cannot be read: ${message}`);
    throw error;
  }
}

function resourceName(text: string): ResourceName | typeof AUDITFILE {
  if (text === AUDITFILE || Object.hasOwn(resources, text)) return text as ResourceName | typeof AUDITFILE;
  throw new InvalidArgumentError(`Expected one of: ${[...Object.keys(resources), AUDITFILE].join(', ')}.`);
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
