import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { smtpMailer } from '../../functions/administrations/invoiceDocuments/mail/mailer.ts';

/*
 * An instance of the app that does due work once, for tests that kill it meanwhile. Its arguments: the database, the
 * time in milliseconds since 1970, and optionally a mail server. With one it sends mail; without one it makes invoices.
 */

const [url = '', now = '', server] = process.argv.slice(2);
const administrations = builtinAdministrations(await openDatabase(url), {
  clock: () => Number(now),
  ...(server === undefined
    ? {}
    : { mailer: smtpMailer(server, { from: 'facturen@delinde.example', requiresTls: false }) }),
});
const { upkeep } = administrations;
const { signal } = new AbortController();
await (server === undefined ? upkeep?.makeDueInvoices(signal) : upkeep?.sendDueMail(signal));
await administrations.close();
