import { sql } from 'kysely';
import { blankCostCenters, blankingPersonal } from '../log/blankPersonal.ts';
import { storeAllResponses } from '../responses/storeAllResponses.ts';
import type { Database } from '../sql/database.ts';
import { withDerived } from '../sql/rows.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { staged } from '../sql/staging/staged.ts';
import { inTransaction } from '../sql/transaction.ts';
import { anonymousName } from './anonymousName.ts';
import { personalValues, redactor } from './personalValues.ts';
import { documentsOf } from './relationDocuments.ts';
import { anonymiseFiledReturns, anonymiseTexts, removeCostCenters } from './texts.ts';

const noAddress = { street: '', unit: '', unit_appendix: '', postal_code: '', city: '' };

/**
 * Removes the personal data of a relation, all of it or nothing: from the relation, its documents, and the log. Numbers,
 * dates, amounts, VAT and countries stay, so the books still balance. Its periodic invoices, mails, PDFs and the contents of
 * its attachments are removed.
 * @param clock asked when the data are removed: who writes in the administration may keep this waiting for long
 * @param check throws when it may not be done by now; nothing is removed then
 */
export async function anonymiseRelation(
  db: Database,
  relation: Row<'relation'>,
  clock: () => Seconds,
  check: (trx: Database) => Promise<unknown> = async () => {},
): Promise<void> {
  // Those were made without the app, so they are not among what is done on a copy.
  await inTransaction(db, async (trx) => {
    await check(trx);
    await blankUnloggedChanges(trx, relation);
  });
  const { administration_id: administrationId } = relation;
  await staged(db, { administrationId }, (copy) => anonymise(copy, relation, clock, check));
  // Who reads an invoice stores its PDF, also beside this work, with what it removes.
  await inTransaction(db, async (trx) => {
    const { invoices } = documentsOf(trx, relation.id);
    await trx.deleteFrom('sales_invoice_pdf').where('sales_invoice_id', 'in', invoices).execute();
  });
}

const anonymise = (
  db: Database,
  { administration_id: administrationId, id, guid }: Row<'relation'>,
  clock: () => Seconds,
  check: (trx: Database) => Promise<unknown>,
): Promise<void> =>
  blankingPersonal(db, { administrationId, guid, now: clock() }, async (trx) => {
    await check(trx);
    const now = clock();
    const relation = await trx.selectFrom('relation').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
    // Read the values that texts must lose before they are removed.
    const redact = redactor(await personalValues(trx, relation), anonymousName(guid));
    await blankUnloggedChanges(trx, relation);
    await anonymiseDocuments(trx, relation, now);
    // Before these texts leave the lines.
    await blankCostCenters(trx, administrationId, await removeCostCenters(trx, relation, redact));
    await anonymiseFiledReturns(trx, relation, redact);
    await anonymiseTexts(trx, relation, redact);
    for (const table of [
      'relation_contact',
      'relation_bank_account',
      'relation_address',
      'relation_custom_field',
    ] as const) {
      await trx.deleteFrom(table).where('relation_id', '=', id).execute();
    }
    const nameless = { name: anonymousName(guid), email: '', phone: '', vat_number: '', registration_number: '' };
    const values = withDerived('relation', { ...nameless, ...noAddress, changed_on: now, answer: '' });
    await trx.updateTable('relation').set(values).where('id', '=', id).execute();
    await storeAllResponses(trx, administrationId);
  });

/** Removes personal values from changes that were made without the app: no row of the log has them. */
async function blankUnloggedChanges(trx: Database, { id, guid }: Row<'relation'>): Promise<void> {
  const { invoices, orders, purchases, templates, projects, entries } = documentsOf(trx, id);
  const blanked = trx.updateTable('log_change').set({ old_personal: '', new_personal: '' });
  await blanked.where('relation_guid', '=', guid).execute();
  await blanked.where('record', '=', 'relation').where('record_id', '=', id).execute();
  for (const [record, ids] of [
    ['sales_invoice', invoices],
    ['sales_order', orders],
    ['purchase_invoice', purchases],
    ['periodic_invoice', templates],
    ['project', projects],
    ['journal_entry', entries],
  ] as const) {
    await blanked
      .where('record', '=', record)
      .where('record_id', 'in', ids as typeof invoices)
      .execute();
  }
}

/** Removes the personal data of documents, except from texts about what was sold or done. */
async function anonymiseDocuments(trx: Database, { id, guid }: Row<'relation'>, now: Seconds): Promise<void> {
  const { invoices, orders, purchases, templates } = documentsOf(trx, id);
  const name = anonymousName(guid);
  const noTexts = { notes: '', packing_slip_notes: '', reference: '' };
  for (const [table, values] of [
    ['sales_invoice', { ...noTexts, customer_name: name, answer: '', lines_answer: '' }],
    ['sales_order', { ...noTexts, relation_name: name, changed_on: now }],
    ['purchase_invoice', { notes: '', relation_name: name }],
  ] as const) {
    await trx
      .updateTable(table as 'sales_invoice')
      .set(values as object)
      .where('relation_id', '=', id)
      .execute();
  }
  await trx.updateTable('sales_invoice_address').set(noAddress).where('sales_invoice_id', 'in', invoices).execute();
  await trx.updateTable('sales_order_address').set(noAddress).where('sales_order_id', 'in', orders).execute();
  for (const table of ['sales_invoice_contact', 'sales_invoice_pdf', 'outgoing_mail'] as const) {
    await trx.deleteFrom(table).where('sales_invoice_id', 'in', invoices).execute();
  }
  await trx.deleteFrom('sales_order_contact').where('sales_order_id', 'in', orders).execute();
  const failure = 'The relation was anonymised.';
  const removed = { file_name: 'removed', content: null, content_type: '', url: '', failure };
  for (const [owner, documents] of [
    ['sales_invoice_id', invoices],
    ['sales_order_id', orders],
    ['purchase_invoice_id', purchases],
  ] as const) {
    await trx
      .updateTable('attachment')
      .set(removed)
      .where(owner, 'in', documents as typeof invoices)
      .execute();
  }
  await trx.deleteFrom('attachment').where('periodic_invoice_id', 'in', templates).execute();
  await trx.deleteFrom('periodic_invoice').where('relation_id', '=', id).execute();
  await nameEntries(trx, 'sales_invoice', id, name);
  await nameEntries(trx, 'purchase_invoice', id, name);
}

/** Journal entries are described by the number of their document and a name. */
async function nameEntries(
  trx: Database,
  table: 'sales_invoice' | 'purchase_invoice',
  relationId: bigint,
  name: string,
): Promise<void> {
  const documents = trx.selectFrom(table).where('relation_id', '=', relationId);
  const document = documents.where('id', '=', sql.ref<bigint>(`journal_entry.${table}_id`));
  await trx
    .updateTable('journal_entry')
    .set({ description: document.select(sql<string>`cast(number as text) || ${` ${name}`}`.as('description')) })
    .where(`${table}_id`, 'in', documents.select('id'))
    .execute();
}
