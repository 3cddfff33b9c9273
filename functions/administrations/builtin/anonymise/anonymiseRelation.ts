import { storeAllAnswers } from '../answers/storeAllAnswers.ts';
import { blankingPersonal } from '../log/blankPersonal.ts';
import type { Database } from '../sql/database.ts';
import { withDerived } from '../sql/rows.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { personalValues, redactor } from './personalValues.ts';
import { documentsOf } from './relationDocuments.ts';

const noAddress = { street: '', unit: '', unit_appendix: '', postal_code: '', city: '' };

/** The name an anonymised relation has: by its RelationGUID, so that no two have the same. */
export const anonymousName = (guid: bigint): string => `Anonymous ${guid}`;

/**
 * Removes the personal data of a relation, in one transaction: from the relation, its documents, and the log. Numbers, dates,
 * amounts, VAT and countries stay, so the books still balance. Its periodic invoices, mails, PDFs and the contents of its
 * attachments are removed.
 */
export function anonymiseRelation(
  db: Database,
  { administration_id: administrationId, id, guid }: Row<'relation'>,
  now: Seconds,
): Promise<void> {
  return blankingPersonal(db, { administrationId, guid, now }, async (trx) => {
    const relation = await trx.selectFrom('relation').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
    // What is to be removed from texts is read before it is gone.
    const redact = redactor(await personalValues(trx, relation), anonymousName(guid));
    await blankUnloggedChanges(trx, relation);
    await anonymiseDocuments(trx, relation, now);
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
    await storeAllAnswers(trx, administrationId);
  });
}

/** Changes made beside the app wait outside of the log: their personal values go too. */
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

/** Everything of documents but free texts, which may say what has to stay as well. */
async function anonymiseDocuments(trx: Database, { id, guid }: Row<'relation'>, now: Seconds): Promise<void> {
  const { invoices, orders, purchases, templates } = documentsOf(trx, id);
  const name = anonymousName(guid);
  const unmentioned = { notes: '', packing_slip_notes: '', reference: '' };
  await trx
    .updateTable('sales_invoice')
    .set({ ...unmentioned, customer_name: name, answer: '', lines_answer: '' })
    .where('relation_id', '=', id)
    .execute();
  await trx
    .updateTable('sales_order')
    .set({ ...unmentioned, relation_name: name, changed_on: now })
    .where('relation_id', '=', id)
    .execute();
  await trx
    .updateTable('purchase_invoice')
    .set({ notes: '', relation_name: name })
    .where('relation_id', '=', id)
    .execute();
  await trx.updateTable('sales_invoice_address').set(noAddress).where('sales_invoice_id', 'in', invoices).execute();
  await trx.updateTable('sales_order_address').set(noAddress).where('sales_order_id', 'in', orders).execute();
  for (const table of ['sales_invoice_contact', 'sales_invoice_pdf', 'outgoing_mail'] as const) {
    await trx.deleteFrom(table).where('sales_invoice_id', 'in', invoices).execute();
  }
  await trx.deleteFrom('sales_order_contact').where('sales_order_id', 'in', orders).execute();
  await trx
    .updateTable('attachment')
    .set({ file_name: 'removed', content: null, content_type: '', url: '', failure: 'The relation was anonymised.' })
    .where((eb) =>
      eb.or([
        eb('sales_invoice_id', 'in', invoices),
        eb('sales_order_id', 'in', orders),
        eb('purchase_invoice_id', 'in', purchases),
      ]),
    )
    .execute();
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
  const entries = await trx
    .selectFrom('journal_entry')
    .innerJoin(`${table as 'sales_invoice'} as document`, 'document.id', `journal_entry.${table}_id`)
    .where('document.relation_id', '=', relationId)
    .select(['journal_entry.id', 'document.number'])
    .execute();
  for (const { id, number } of entries) {
    await trx
      .updateTable('journal_entry')
      .set({ description: `${number} ${name}` })
      .where('id', '=', id)
      .execute();
  }
}

/** Text lines are emptied; from the other texts, which say what was sold or done, only personal values are removed. */
async function anonymiseTexts(trx: Database, { id }: Row<'relation'>, redact: (text: string) => string): Promise<void> {
  const { invoices, orders, purchases, projects, entries } = documentsOf(trx, id);
  await trx
    .updateTable('sales_invoice_line')
    .set({ description: '' })
    .where('is_text', '=', 1n)
    .where('sales_invoice_id', 'in', invoices)
    .execute();
  await trx
    .updateTable('sales_order_line')
    .set({ description: '' })
    .where('is_text', '=', 1n)
    .where('sales_order_id', 'in', orders)
    .execute();
  const texts = [
    trx.selectFrom('sales_invoice_line').where('sales_invoice_id', 'in', invoices),
    trx.selectFrom('sales_order_line').where('sales_order_id', 'in', orders),
    trx.selectFrom('purchase_invoice_line').where('purchase_invoice_id', 'in', purchases),
    trx.selectFrom('journal_line').where('journal_entry_id', 'in', entries),
  ] as const;
  const tables = ['sales_invoice_line', 'sales_order_line', 'purchase_invoice_line', 'journal_line'] as const;
  for (const [index, table] of tables.entries()) {
    const rows = await (texts[index] as (typeof texts)[0]).select(['id', 'description']).execute();
    for (const row of rows) {
      const description = redact(row.description);
      if (description !== row.description)
        await trx.updateTable(table).set({ description }).where('id', '=', row.id).execute();
    }
  }
  const bookings = await trx
    .selectFrom('material_booking')
    .where((eb) => eb.or([eb('supplier_id', '=', id), eb('project_id', 'in', projects)]))
    .select(['id', 'description'])
    .execute();
  for (const booking of bookings) {
    const description = redact(booking.description);
    await trx.updateTable('material_booking').set({ description }).where('id', '=', booking.id).execute();
  }
  const own = await trx.selectFrom('project').where('customer_id', '=', id).selectAll().execute();
  for (const project of own) {
    const values = { name: redact(project.name), description: redact(project.description) };
    await trx.updateTable('project').set(withDerived('project', values)).where('id', '=', project.id).execute();
  }
  // The answers of invoices have the names of their projects.
  await trx
    .updateTable('sales_invoice')
    .set({ answer: '', lines_answer: '' })
    .where('project_id', 'in', projects)
    .execute();
}
