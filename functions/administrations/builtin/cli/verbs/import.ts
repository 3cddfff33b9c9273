import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { orderedParts, PART_START } from '../../../../../shared/resources/generalLedger/auditfileYear.ts';
import { readSettings } from '../../../../settings.ts';
import { importAdministration } from '../../archive/importAdministration.ts';
import { checkAdministration } from '../../check/check.ts';
import { bytesOf } from '../../files/bytesOf.ts';
import { CommandError } from '../../files/commandError.ts';
import { type ImportProblem, refuseProblems } from '../../files/problems.ts';
import { AUDITFILE_READINGS, auditfileReport, importAuditfile } from '../../import/auditfile/auditfile.ts';
import { importRows } from '../../import/importRows.ts';
import { type ResourceName, resources } from '../../import/resources.ts';
import type { Database } from '../../sql/database.ts';
import { staged } from '../../sql/staging/staged.ts';
import { filled, id } from '../arguments.ts';
import { columnsHelp, resourceHelp } from '../columnsHelp.ts';
import { COMMAND, type CommandContext } from '../context.ts';
import { namesake } from '../freeName.ts';
import { addMappingOptions, isMapped, type MappingOptions, mappingOf } from '../mappingOptions.ts';
import { decideMissed, type MissedOptions, missedOption } from '../missedInvoices.ts';
import { openSource, readable } from '../openSource.ts';

type ImportOptions = MappingOptions & MissedOptions & { administration?: bigint; name?: string; report?: string };
type AuditfileOptions = { replace?: boolean; takeWithWarnings?: boolean };
/** The options of an import into an existing administration. */
type Into = ImportOptions & { administration: bigint };

export function addImport(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .description(
      'Import a file into an administration, or make one of an exported folder: all of it, or, when anything in it is wrong, nothing.',
    )
    .usage('<what> <file> --administration <id> [options]')
    .configureHelp({ showGlobalOptions: true })
    // Options may be before and after the resource.
    .enablePositionalOptions(false)
    .option('--administration <id>', 'where to; all makes a new one', id)
    .option('--name <name>', 'what the administration all makes is to be called; left out: what it was called', filled)
    .addOption(missedOption())
    .option('--report <file>', 'write all problems to a file');
  addMappingOptions(command);

  const into = (): Into => {
    const { administration, ...options } = command.opts<ImportOptions>();
    if (administration === undefined) command.error("error: required option '--administration <id>' not specified");
    if (options.name !== undefined) command.error('error: only all has a name.');
    if (options.missedInvoices !== undefined) command.error('error: only all has periodic invoices.');
    return { ...options, administration: administration! };
  };
  for (const name of Object.keys(resources) as ResourceName[]) {
    command
      .command(name)
      .description(resourceHelp[name].description)
      .argument('<file>', 'a CSV file in UTF-8 or an .xlsx workbook, with a line of headings')
      .addHelpText('after', () => columnsHelp(name))
      .action((file: string) => {
        const options = into();
        return context.withWritable(options.administration, (db) => importFile(db, name, file, options, context));
      });
  }
  command
    .command('auditfile')
    .description(
      'a fiscal year of an XML Auditfile Financieel: accounts, relations, tax codes, opening balance, entries',
    )
    .argument('<file>', 'the file, of version 3.2, 3.2.1 or 4.0')
    .argument('[further...]', 'the further files of one that was split (Vervolgbestand), in any order')
    .option('--replace', 'replace the opening balance and the entries that another file of that year brought')
    .option(
      '--take-with-warnings',
      'import a file with totals, counts, periods, relations or VAT codes that contradict the rest, or with other amounts for invoices that are booked here, which stay as they are',
    )
    .action((file: string, further: string[], auditfileOptions: AuditfileOptions) => {
      const options = { ...into(), ...auditfileOptions };
      const files = [file, ...further];
      return context.withWritable(options.administration, (db) => importAuditfileFrom(db, files, options, context));
    });
  command
    .command('all')
    .description('a whole administration, from the folder that export made')
    .argument('<folder>', 'the folder')
    .action((folder: string) => {
      const options = command.opts<ImportOptions>();
      if (options.administration !== undefined) command.error('error: all makes an administration: it takes none.');
      return context.withDatabase((db) => importAll(db, folder, options, context));
    });
}

async function importAll(
  db: Database,
  folder: string,
  options: ImportOptions,
  { say, complain, env, seconds, today }: CommandContext,
): Promise<void> {
  if (isMapped(options)) {
    throw new CommandError(
      'A whole administration is imported as it was exported: of the options, only --name, --missed-invoices and --report apply.',
    );
  }
  const { archiveKey } = readSettings(env);
  const imported = await importAdministration(db, folder, {
    name: options.name,
    key: archiveKey,
    now: seconds(),
    finish: (trx, administrationId) => decideMissed(trx, administrationId, options, { today, complain }),
  });
  await refuseProblems(imported.problems, folder, options.report, complain);
  for await (const sentence of checkAdministration(db, imported.administrationId)) complain(sentence);
  say(String(imported.administrationId));
  const { administrationId, name, rows } = imported;
  complain(`${name}: ${rows} rows. It has no API keys yet: issue them with key issue.`);
  // A backup may well be restored beside what it is of.
  const other = await namesake(db, name, administrationId);
  if (other === undefined) return;
  complain(
    `Administration ${other.id} has this name too. Another one: ${COMMAND} rename ${administrationId} --name "..."`,
  );
}

async function importAuditfileFrom(
  db: Database,
  named: readonly string[],
  { replace, takeWithWarnings, ...options }: Into & AuditfileOptions,
  { say, complain, show, seconds }: CommandContext,
): Promise<void> {
  if (isMapped(options)) {
    throw new CommandError('An auditfile has a format of its own: of the options, only --report applies.');
  }
  const files = await inOrder(named);
  const [file] = files as [string];
  const name = path.basename(file);
  const onRead = show && percentOf(AUDITFILE_READINGS * bytesOf(files), (percent) => show(`${name}: ${percent}%`));
  const result = await readable(file, () =>
    importAuditfile(db, files, name, {
      ...{ administrationId: options.administration, now: seconds(), replace, takeWithWarnings, onRead },
    }),
  ).finally(() => show?.(''));
  for (const warning of result.warnings) complain(`${name}: ${warning}`);
  const { problems, contradictions } = result;
  await refuseProblems(problems, name, options.report, complain, 'imported', () =>
    contradictions === problems.length ? 'It can be imported all the same: --take-with-warnings.' : undefined,
  );
  for (const line of auditfileReport(result)) say(line);
}

/** The files of one that was split, in their order. @throws CommandError */
async function inOrder(files: readonly string[]): Promise<string[]> {
  const parts = await Promise.all(
    files.map((file) => readable(file, async () => ({ file, start: await startOf(file, PART_START) }))),
  );
  const ordered = orderedParts(parts);
  if (ordered !== undefined) return ordered.map(({ file }) => file);
  throw new CommandError(
    files.length === 1
      ? `${files[0]} is a further file of an audit file that was split: name all of its files.`
      : `${files.join(', ')} are not all files of one audit file: expected the first, and each Vervolgbestand once.`,
  );
}

async function startOf(file: string, bytes: number): Promise<string> {
  let start = '';
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) start += String(chunk);
  return start;
}

/** Counts what is read. @param show called with each other percentage of the whole; that of a whole is the last */
function percentOf(whole: number, show: (percent: number) => void): (bytes: number) => void {
  let [read, shown] = [0, -1];
  return (bytes) => {
    read += bytes;
    const percent = Math.min(100, Math.floor((100 * read) / whole));
    if (percent === shown) return;
    shown = percent;
    show(percent);
  };
}

async function importFile(
  db: Database,
  resource: ResourceName,
  file: string,
  options: Into,
  { say, complain, seconds }: CommandContext,
): Promise<void> {
  const target = { administrationId: options.administration, now: seconds(), mapping: mappingOf(options) };
  const { source, result } = await staged(db, { ...target, bytes: bytesOf(file) }, async (copy) => {
    const source = await openSource(file, options);
    return { source, result: await importRows(copy, resources[resource], source, target) };
  });
  const { problems, warnings, counts, leftOut } = result;
  for (const warning of warnings) complain(`${source.file}: ${warning}`);
  await refuseProblems(problems, source.file, options.report, complain, 'imported', adviceOnDecimals);
  say(`${resource}: ${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`);
  if (leftOut > 0) say(`${leftOut} rows were left out, as --only says.`);
}

/** Said once of a file, however many of its numbers have a decimal comma. */
const adviceOnDecimals = (problems: readonly ImportProblem[]): string | undefined =>
  problems.some(({ message }) => /^expected a (?:decimal number|percentage) .* got "[+-]?[\d.]*,\d*%?"$/.test(message))
    ? 'If all its numbers have decimal commas, add --decimal-comma.'
    : undefined;
