import type { Command } from 'commander';
import { readSettings } from '../../../../settings.ts';
import { exportAdministration, requireNewFolder } from '../../archive/exportAdministration.ts';
import { CommandError } from '../../files/commandError.ts';
import { isHalfDeleted } from '../../setup/deleteAdministration.ts';
import type { Database } from '../../sql/database.ts';
import { byCommand } from '../../sql/logWriting/author.ts';
import { writingIn } from '../../sql/transaction.ts';
import { id } from '../arguments.ts';
import { COMMAND, type CommandContext } from '../context.ts';
import { decideMissed, type MissedOptions, missedOption } from '../missedInvoices.ts';

export function addArchive(program: Command, context: CommandContext): void {
  const { say, env, seconds, interruption, withAdministration } = context;
  const setArchived = (
    db: Database,
    administrationId: bigint,
    archived: boolean,
    finish?: (trx: Database) => Promise<void>,
  ) =>
    writingIn(
      db,
      { administrationId, author: byCommand(archived ? 'archive' : 'unarchive'), now: seconds() },
      async (trx) => {
        // Another command may have done so since this one began.
        await refuseRepeated(trx, administrationId, archived);
        const change = { archived_on: archived ? seconds() : null };
        await trx.updateTable('administration').where('id', '=', administrationId).set(change).execute();
        await finish?.(trx);
      },
    );
  program
    .command('archive')
    .description(
      'Export an administration once more, and make it read-only: it answers no writes, makes no periodic invoices and is not exported every night. unarchive takes that back.',
    )
    .argument('<folder>', 'the folder to export to')
    .requiredOption('--administration <id>', 'which', id)
    .action((folder: string, { administration }: { administration: bigint }) =>
      withAdministration(administration, async (db, { name }) => {
        // Pushes that see the administration archived, however briefly, end for good.
        requireNewFolder(folder);
        const signal = interruption?.();
        const stopped = (error: unknown) =>
          signal?.aborted && error === signal.reason
            ? new CommandError(`Administration ${administration} was not archived: the command was stopped.`)
            : error;
        await setArchived(db, administration, true, async () => signal?.throwIfAborted()).catch((error) => {
          throw stopped(error);
        });
        try {
          await exportAdministration(db, administration, folder, { key: readSettings(env).archiveKey, signal });
        } catch (error) {
          // Whoever has taken it back or begun to delete it meanwhile has done more.
          await setArchived(db, administration, false).catch((refusal) => {
            if (!(refusal instanceof CommandError)) throw refusal;
          });
          throw stopped(error);
        }
        say(`Administration ${administration}, ${name}, is archived: its keys only read. It is exported to ${folder}.`);
        const { mails } = await db
          .selectFrom('outgoing_mail')
          .where('administration_id', '=', administration)
          .where('state', '=', 'waiting')
          .select((eb) => eb.fn.countAll<bigint>().as('mails'))
          .executeTakeFirstOrThrow();
        if (BigInt(mails) > 0n) say(`Mail of its invoices that waits is still sent: ${mails}.`);
        say(`Take it back with: ${COMMAND} unarchive --administration ${administration}`);
      }),
    );
  program
    .command('unarchive')
    .description('Take an archived administration back: it can be written to again.')
    .requiredOption('--administration <id>', 'which', id)
    .addOption(missedOption())
    .action(({ administration, ...options }: { administration: bigint } & MissedOptions) =>
      withAdministration(administration, async (db, { name }) => {
        await setArchived(db, administration, false, (trx) => decideMissed(trx, administration, options, context));
        say(`Administration ${administration}, ${name}, can be written to again.`);
      }),
    );
}

/** @throws CommandError when an administration is archived already, or is not archived, or is deleted */
async function refuseRepeated(trx: Database, id: bigint, archives: boolean): Promise<void> {
  const administrations = trx.selectFrom('administration').where('id', '=', id);
  const found = await administrations.select('archived_on').executeTakeFirst();
  if (found === undefined) throw new CommandError(`Administration ${id} is deleted.`);
  const { archived_on } = found;
  if (archives && archived_on !== null) throw new CommandError(`Administration ${id} is archived already.`);
  if (!archives && archived_on === null) throw new CommandError(`Administration ${id} is not archived.`);
  if (await isHalfDeleted(trx, id)) {
    throw new CommandError(`A part of administration ${id} is deleted: delete the rest too.`);
  }
}
