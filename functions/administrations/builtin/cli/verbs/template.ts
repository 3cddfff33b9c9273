import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isColor, languages } from '../../../invoiceDocuments/invoiceDocument.ts';
import { checkLogo } from '../../../invoiceDocuments/pdf/logo.ts';
import { PictureError } from '../../../invoiceDocuments/pdf/png.ts';
import { CommandError } from '../../files/commandError.ts';
import { folded } from '../../sql/comparedText.ts';
import type { Database } from '../../sql/database.ts';
import { byCommand } from '../../sql/logWriting/author.ts';
import type { Seconds } from '../../sql/schema.ts';
import { writingIn } from '../../sql/transaction.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

/** Bytes of a logo. In base64 it fits a cell of a spreadsheet. */
const MAX_LOGO = 24_000;

type TemplateOptions = {
  administration: bigint;
  name: string;
  language?: string;
  color?: string;
  logo?: string;
  textBefore?: string;
  textAfter?: string;
  paymentText?: string;
  mailSubject?: string;
  mailText?: string;
  default?: boolean;
};

/** `template set`, `template list` and `template remove`: the look and the texts of invoices. */
export function addTemplate(
  program: Command,
  { say, seconds, withAdministration, withWritable }: CommandContext,
): void {
  const template = program.command('template').description('Set, list and remove the templates of documents.');
  template
    .command('set')
    .description('Make a template, or change the given parts of one. "" takes a text or a logo away.')
    .requiredOption('--administration <id>', 'whose', id)
    .requiredOption('--name <name>', 'what it is called', filled)
    .addOption(new Option('--language <language>', 'nl, fr or en; "" as the customer').choices([...languages, '']))
    .option('--color <color>', 'colour of titles and lines, such as #1f5c4a', color)
    .option('--logo <file>', 'a PNG or JPEG')
    .option('--text-before <html>', 'text above the lines')
    .option('--text-after <html>', 'text at the end')
    .option(
      '--payment-text <text>',
      'how to pay; {amount}, {dueDate}, {iban}, {name}, {reference} and {number} are filled in',
    )
    .option(
      '--mail-subject <text>',
      'subject of the mail; {kind}, {number}, {issuer}, {customer}, {date} and {amount} are filled in',
    )
    .option('--mail-text <text>', 'text of the mail; {contact}, {dueDate}, {reference} and {payment} are filled in too')
    .option('--default', 'use it where none is named')
    .action((options: TemplateOptions) =>
      withWritable(options.administration, async (db) => {
        await setTemplate(db, options, seconds());
        say(`Template "${options.name}" is set.`);
      }),
    );
  template
    .command('list')
    .description('List the templates: name, language, colour, whether it is the default.')
    .requiredOption('--administration <id>', 'whose', id)
    .action((options: { administration: bigint }) =>
      withAdministration(options.administration, async (db) => {
        const templates = await db
          .selectFrom('document_template')
          .where('administration_id', '=', options.administration)
          .orderBy('name_folded')
          .selectAll()
          .execute();
        if (templates.length === 0) say('There are no templates yet.');
        for (const { name, language, color, is_default } of templates) {
          say([name, language, color, is_default === 1n ? 'default' : ''].join('\t').trimEnd());
        }
      }),
    );
  template
    .command('remove')
    .description('Remove a template. Documents that name it use the default.')
    .requiredOption('--administration <id>', 'whose', id)
    .requiredOption('--name <name>', 'which', filled)
    .action((options: { administration: bigint; name: string }) =>
      withWritable(options.administration, async (db) => {
        const by = {
          administrationId: options.administration,
          author: byCommand('template remove'),
          now: seconds(),
        };
        const { numDeletedRows } = await writingIn(db, by, (trx) =>
          trx
            .deleteFrom('document_template')
            .where('administration_id', '=', options.administration)
            .where('name_folded', '=', folded(options.name))
            .executeTakeFirstOrThrow(),
        );
        if (numDeletedRows === 0n) throw new CommandError(`There is no template "${options.name}".`);
        say(`Template "${options.name}" is removed.`);
      }),
    );
}

async function setTemplate(db: Database, options: TemplateOptions, now: Seconds): Promise<void> {
  const logo = options.logo === undefined ? undefined : options.logo === '' ? '' : await readLogo(options.logo);
  const change = {
    name: options.name,
    ...(options.language === undefined ? {} : { language: options.language }),
    ...(options.color === undefined ? {} : { color: options.color }),
    ...(logo === undefined ? {} : { logo }),
    ...(options.textBefore === undefined ? {} : { text_before: options.textBefore }),
    ...(options.textAfter === undefined ? {} : { text_after: options.textAfter }),
    ...(options.paymentText === undefined ? {} : { payment_text: options.paymentText }),
    ...(options.mailSubject === undefined ? {} : { mail_subject: options.mailSubject }),
    ...(options.mailText === undefined ? {} : { mail_text: options.mailText }),
    ...(options.default ? { is_default: 1n } : {}),
  };
  const by = { administrationId: options.administration, author: byCommand('template set'), now };
  await writingIn(db, by, async (trx) => {
    const key = { administration_id: options.administration, name_folded: folded(options.name) };
    if (options.default) {
      await trx
        .updateTable('document_template')
        .where('administration_id', '=', options.administration)
        .set({ is_default: 0n })
        .execute();
    }
    await trx
      .insertInto('document_template')
      .values({ ...key, ...change })
      .onConflict((conflict) => conflict.columns(['administration_id', 'name_folded']).doUpdateSet(change))
      .execute();
  });
}

/**
 * A picture as it is stored, in base64.
 * @throws CommandError for a file that is missing, too large, no picture or one that cannot be drawn
 */
async function readLogo(file: string): Promise<string> {
  const content = await readFile(file).catch(() => {
    throw new CommandError(`The logo could not be read: ${file}`);
  });
  const isPng = content.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  const isJpeg = content.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1'));
  if (!isPng && !isJpeg) throw new CommandError(`Expected a PNG or a JPEG as logo: ${file}`);
  if (content.length > MAX_LOGO) {
    throw new CommandError(`Expected a logo of at most ${MAX_LOGO} bytes, got ${content.length}: ${file}`);
  }
  try {
    checkLogo(content);
  } catch (thrown) {
    if (!(thrown instanceof PictureError)) throw thrown;
    throw new CommandError(`The logo cannot be drawn, since ${thrown.message}: ${file}`);
  }
  return content.toString('base64');
}

function filled(text: string): string {
  const value = text.trim();
  if (value === '' || value.length > 100) throw new InvalidArgumentError('Expected a name of at most 100 characters.');
  return value;
}

function color(text: string): string {
  if (text !== '' && !isColor(text)) throw new InvalidArgumentError('Expected a colour such as #1f5c4a.');
  return text.toLowerCase();
}
