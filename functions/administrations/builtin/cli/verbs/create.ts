import { type Command, Option } from 'commander';
import { createAdministration } from '../../setup/createAdministration.ts';
import { filled, years } from '../arguments.ts';
import { COMMAND, type CommandContext } from '../context.ts';
import { requireFreeName } from '../freeName.ts';
import { addIssuerOptions, issuerFromOptions } from '../issuerOptions.ts';

type Options = { name: string; country: 'NL' | 'BE'; years?: number[]; empty?: boolean };

export function addCreate(program: Command, { say, complain, today, seconds, withDatabase }: CommandContext): void {
  const create = program
    .command('create')
    .description(
      'Make an administration, with the usual VAT codes and chart of accounts of its country; prints its id. A name that exists is refused.',
    )
    .requiredOption('--name <name>', 'what it is called', filled)
    .addOption(new Option('--country <country>', 'NL or BE').choices(['NL', 'BE']).makeOptionMandatory())
    .option(
      '--years <years>',
      'fiscal years that get the chart of accounts, such as 2025,2026 (default: this year)',
      years,
    )
    .option('--empty', 'without VAT codes and chart of accounts, to import them');
  addIssuerOptions(create);
  create.action((options: Options) =>
    withDatabase(async (db) => {
      const issuer = issuerFromOptions(options, options.country);
      await requireFreeName(db, options.name);
      const id = await createAdministration(db, {
        name: options.name,
        country: options.country,
        fiscalYears: options.years ?? [Number(today().slice(0, 4))],
        now: seconds(),
        issuer,
        ...(options.empty === undefined ? {} : { empty: options.empty }),
      });
      // Scripts read only the number.
      say(String(id));
      const the = `--administration ${id}`;
      complain(`Administration ${id}, ${options.name}, is made. What comes next:`);
      complain(`- a key for those who use it: ${COMMAND} key issue ${the} --username you@example.com`);
      complain(`- what it has already: ${COMMAND} import relations customers.csv ${the}`);
      complain('- the workbook: the add-in of your deployment, or npm start, and connect with that key');
    }),
  );
}
