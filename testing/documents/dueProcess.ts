import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';

/*
 * An instance of the app that makes the periodic invoices that are due, and nothing else: for tests that end it
 * meanwhile. Its parameters: the database, and what time it is, in milliseconds since 1970.
 */

const [url = '', now = ''] = process.argv.slice(2);
const administrations = builtinAdministrations(await openDatabase(url), { clock: () => Number(now) });
await administrations.upkeep?.makeDueInvoices();
await administrations.close();
