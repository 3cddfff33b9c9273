import type { Administrations } from './administrations/administration.ts';
import { builtinAdministrations } from './administrations/builtin/builtin.ts';
import { hasDemoKey } from './administrations/builtin/credentials/keys.ts';
import type { Database } from './administrations/builtin/sql/database.ts';
import { openDatabase } from './administrations/builtin/sql/openDatabase.ts';
import { smtpMailer } from './administrations/invoiceDocuments/mail/mailer.ts';
import { type Settings, WrongSetting } from './settings.ts';

/**
 * Opens the built-in administrations of the settings.
 * @param prepare does something with the database first
 * @throws WrongSetting
 */
export async function openBuiltin(
  { databaseUrl, timeZone, attachmentPorts, mail: { server, delayMinutes }, isAzure }: Settings,
  prepare?: (db: Database) => Promise<void>,
): Promise<Administrations> {
  const db = await openDatabase(databaseUrl);
  await prepare?.(db);
  if (isAzure && (await hasDemoKey(db))) {
    await db.destroy();
    throw new WrongSetting(
      'DATABASE_URL: expected a database without the keys of the demo, which everybody knows: revoke them with `npm run administration -- key revoke`',
    );
  }
  return builtinAdministrations(db, {
    ...(databaseUrl.endsWith(':memory:') ? {} : { databaseUrl }),
    timeZone,
    attachmentPorts,
    mailDelayMinutes: delayMinutes,
    ...(server === undefined ? {} : { mailer: smtpMailer(server.url, server) }),
  });
}
