import { verifyLog } from '../log/verifyLog.ts';
import type { Database } from '../sql/database.ts';
import { checkAnswers } from './answers.ts';
import { checkPurchaseInvoices, checkSalesInvoices } from './invoices.ts';
import { checkIssuer } from './issuer.ts';
import { checkAccounts, checkJournal } from './journal.ts';
import { checkNumbering } from './numbering.ts';
import { checkOrders } from './orders.ts';
import { checkReferences } from './references.ts';
import { checkStock } from './stock.ts';

/**
 * Everything in an administration that does not add up, a sentence each: the journal, by itself and against the documents
 * it is made of, the totals of documents, stock, references, numbering, stored answers, and the chain of the log. Nothing is changed.
 *
 * What was changed alike in all places that tell it cannot be seen; nor what was paid, of which no more is known than that it
 * leaves at most the total. Entries are held to the control accounts that are set now.
 */
export async function* checkAdministration(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  yield* checkJournal(db, administrationId);
  yield* checkSalesInvoices(db, administration);
  yield* checkPurchaseInvoices(db, administration);
  yield* checkOrders(db, administrationId);
  yield* checkAccounts(db, administrationId);
  yield* checkStock(db, administrationId);
  yield* checkReferences(db, administrationId);
  yield* checkNumbering(db, administrationId);
  yield* checkAnswers(db, administrationId);
  yield* checkIssuer(db, administration);
  yield* verifyLog(db, administrationId);
}
