import { verifyLog } from '../log/verifyLog.ts';
import { isHalfDeleted } from '../setup/deleteAdministration.ts';
import type { Database } from '../sql/database.ts';
import { checkInvoices } from './invoices.ts';
import { checkIssuer } from './issuer.ts';
import { checkAccounts, checkJournal } from './journal.ts';
import { checkLedger } from './ledger.ts';
import { checkNumbering } from './numbering.ts';
import { checkOrders } from './orders.ts';
import { checkReferences } from './references.ts';
import { checkResponses } from './responses.ts';
import { checkStock } from './stock.ts';

/**
 * Reports everything in an administration that does not add up, in a sentence each: the journal, by itself and against
 * the documents it is made from, the totals of documents, stock, references, numbering, stored responses, and the chain of
 * the log. Nothing is changed.
 *
 * A value that was changed in all places alike cannot be detected; nor can payments, of which only the outstanding
 * amount is stored. Entries are compared with the present control accounts.
 */
export async function* checkAdministration(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  if (await isHalfDeleted(db, administrationId)) {
    yield 'Its deletion was begun and not finished. Delete it again: the rest goes too.';
    return;
  }
  yield* checkJournal(db, administrationId);
  yield* checkLedger(db, administrationId);
  yield* checkInvoices(db, administration, 'sales_invoice');
  yield* checkInvoices(db, administration, 'purchase_invoice');
  yield* checkOrders(db, administrationId);
  yield* checkAccounts(db, administrationId);
  yield* checkStock(db, administrationId);
  yield* checkReferences(db, administrationId);
  yield* checkNumbering(db, administrationId);
  yield* checkResponses(db, administrationId);
  yield* checkIssuer(db, administration);
  yield* verifyLog(db, administrationId);
}
