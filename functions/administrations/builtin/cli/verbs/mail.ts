import type { Command } from 'commander';
import { CommandError } from '../../files/commandError.ts';
import { byCommand } from '../../sql/logWriting/author.ts';
import { writingIn } from '../../sql/transaction.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

/** `mail list` and `mail resend`: the mail of invoices with its state, and another attempt. */
export function addMail(program: Command, { say, seconds, withAdministration, withWritable }: CommandContext): void {
  const mail = program.command('mail').description('Show the mail of invoices, and send it again.');
  mail
    .command('list')
    .description(
      'List mail that was not sent: number of the invoice, state, when it is due, attempts, the last reason.',
    )
    .requiredOption('--administration <id>', 'whose', id)
    .option('--all', 'also mail that was sent')
    .action((options: { administration: bigint; all?: boolean }) =>
      withAdministration(options.administration, async (db) => {
        let mails = db
          .selectFrom('outgoing_mail')
          .innerJoin('sales_invoice', 'sales_invoice.id', 'outgoing_mail.sales_invoice_id')
          .where('outgoing_mail.administration_id', '=', options.administration);
        if (!options.all) mails = mails.where('state', '<>', 'sent');
        const rows = await mails
          .orderBy('sales_invoice.number')
          .select(['number', 'state', 'due_on', 'attempts', 'reason'])
          .execute();
        if (rows.length === 0) say('There is no such mail.');
        for (const { number, state, due_on, attempts, reason } of rows) {
          const due = new Date(Number(due_on) * 1000).toISOString();
          say([number, state, due, attempts, reason.replace(/\s+/g, ' ')].join('\t').trimEnd());
        }
      }),
    );
  mail
    .command('resend')
    .description('Send the mail of an invoice again, in any state.')
    .requiredOption('--administration <id>', 'whose', id)
    .option('--invoice <number>', 'number of the invoice', id)
    .option('--held', 'all mail that is held: of periodic invoices whose date had passed')
    .action((options: { administration: bigint; invoice?: bigint; held?: boolean }) =>
      withWritable(options.administration, async (db) => {
        if ((options.invoice === undefined) === (options.held === undefined)) {
          throw new CommandError('Name one invoice with --invoice, or all held mail with --held.');
        }
        const now = seconds();
        const invoice = db
          .selectFrom('sales_invoice')
          .where('administration_id', '=', options.administration)
          .$if(options.invoice !== undefined, (query) => query.where('number', '=', options.invoice!))
          .select('id');
        const by = { administrationId: options.administration, author: byCommand('mail resend'), now };
        const { numUpdatedRows } = await writingIn(db, by, (trx) =>
          trx
            .updateTable('outgoing_mail')
            .where('sales_invoice_id', 'in', invoice)
            .where('state', options.held ? '=' : '<>', options.held ? 'held' : 'sending')
            .set({ state: 'waiting', due_on: now, attempts: 0n, reason: '', changed_on: now })
            .executeTakeFirstOrThrow(),
        );
        if (options.held) return say(`Held mail that is sent by the app: ${numUpdatedRows}.`);
        if (numUpdatedRows === 0n)
          throw new CommandError(`Invoice ${options.invoice} has no mail that can be sent again.`);
        say(`The mail of invoice ${options.invoice} is sent again by the app.`);
      }),
    );
}
