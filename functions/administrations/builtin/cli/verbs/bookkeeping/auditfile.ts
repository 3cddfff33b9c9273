import { type Command, InvalidArgumentError, Option } from 'commander';
import { centsText } from '../../../../../../shared/money.ts';
import {
  type AuditfileVersion,
  auditfileVersions,
  isFiscalYear,
  MAX_CHECKED_BYTES,
} from '../../../../../../shared/resources/generalLedger/auditfileYear.ts';
import { auditfileFiles } from '../../../auditfileExport/auditfileFiles.ts';
import { fiscalYearsOf } from '../../../balances/balances.ts';
import { fiscalYearNamed } from '../../../balances/fiscalYears.ts';
import { broughtInto, withdrawYear } from '../../../import/auditfile/withdrawYear.ts';
import { type CommandContext, requireWritable } from '../../context.ts';

type Options = { year: string; version: AuditfileVersion; split?: boolean };

const YEAR =
  'the calendar year in which the fiscal year begins, such as 2026; of several that begin in it, the month, such as 2026-07';

/** What begins and ends a journal and the document stands beside entries. */
const ROOM_FOR_TAGS = 1000;

/** `auditfile` and `withdraw-auditfile`: a fiscal year as an audit file, and without what one brought. */
export function addAuditfile(program: Command, context: CommandContext): void {
  const { say, complain, confirm, seconds, today, withNamed } = context;
  program
    .command('auditfile')
    .description(
      'Write a fiscal year as an XML Auditfile Financieel: accounts, relations, VAT codes, opening balance and every entry.',
    )
    .argument('<administration>', 'its number or its name')
    .argument('[file]', 'the file to make; left out: auditfile-ADMINISTRATION-YEAR.xaf')
    .requiredOption('--year <year>', YEAR, fiscalYear)
    .addOption(new Option('--version <version>', 'of the format').choices(auditfileVersions).default('4.0'))
    .option('--split', 'make further files where it would be larger than 5 MB, as the official checker takes them')
    .action((named: string, given: string | undefined, { year, version, split = false }: Options) =>
      withNamed(named, async (db, administration) => {
        const file = given ?? `auditfile-${administration.id}-${year}.xaf`;
        const options = { year, version, today: today() };
        const maxBytes = split ? MAX_CHECKED_BYTES - ROOM_FOR_TAGS : undefined;
        const contents = await auditfileFiles(db, administration, options, file, maxBytes);
        const { period, relations, entries, lines, debit, credit, cut, files } = contents;
        for (const [element, count] of cut)
          complain(`${element}: ${count} texts were longer than it allows, and are cut.`);
        say(`${period.first} to ${period.last}: ${relations} relations, ${entries} entries, ${lines} lines.`);
        say(`Debit ${centsText(debit)}, credit ${centsText(credit)}.`);
        say(`The audit file is in ${files.map((one) => one.file).join(', ')}, version ${version}.`);
        for (const one of files) {
          if (one.bytes <= MAX_CHECKED_BYTES) continue;
          const advice = split ? 'its accounts and relations alone, or one entry, take more' : 'see --split';
          complain(`${one.file} is larger than the 5 MB that the official checker takes: ${advice}.`);
        }
      }),
    );

  program
    .command('withdraw-auditfile')
    .description(
      'Remove the entries and the opening balance that `import auditfile` brought into a fiscal year. Accounts, relations and tax codes stay.',
    )
    .argument('<administration>', 'its number or its name')
    .requiredOption('--year <year>', YEAR, fiscalYear)
    .option('--yes', 'remove them without a question')
    .action((named: string, { year, yes }: { year: string; yes?: boolean }) =>
      withNamed(named, async (db, administration) => {
        requireWritable(administration);
        const period = fiscalYearNamed(year, await fiscalYearsOf(db, administration), administration.name);
        const brought = (await broughtInto(db, administration, period)).entries;
        const days = `${period.first} to ${period.last}`;
        await confirm(`Remove ${brought} imported entries of ${days} from ${administration.name}?`, yes);
        const { entries, hasOpening } = await withdrawYear(db, administration.id, period, seconds());
        say(`Removed from ${days}: ${entries} entries${hasOpening ? ', and the opening balance' : ''}.`);
      }),
    );
}

function fiscalYear(text: string): string {
  const year = text.trim();
  if (isFiscalYear(year)) return year;
  throw new InvalidArgumentError('Expected a year, such as 2026, or a month, such as 2026-07.');
}
