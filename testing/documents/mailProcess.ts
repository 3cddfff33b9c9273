import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { smtpMailer } from '../../functions/administrations/documents/mail/mailer.ts';

/*
 * An instance of the app that sends the mail that is due, and nothing else: for tests that end it meanwhile. Its
 * parameters: the database, what time it is, in milliseconds since 1970, and the mail server.
 */

const [url = '', now = '', server = ''] = process.argv.slice(2);
const mailer = smtpMailer(server, 'facturen@delinde.example');
const administrations = builtinAdministrations(await openDatabase(url), { clock: () => Number(now), mailer });
await administrations.upkeep?.sendDueMail();
await administrations.close();
