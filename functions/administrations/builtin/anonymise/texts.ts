import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import type { TableName } from '../sql/declarations/tables.ts';
import { columnsOf, withDerived } from '../sql/rows.ts';
import type { Row } from '../sql/schema.ts';
import { renameFiled } from '../vat/filedReturns.ts';
import { documentsOf } from './relationDocuments.ts';

/** The texts of a table that a caller can fill, as they are declared. */
const textColumns = (table: TableName) =>
  columnsOf(table).filter(([, { kind, derivedFrom, isLogged }]) => kind === 'text' && derivedFrom === null && isLogged);

/**
 * Text lines are emptied. Other texts say what was sold or done: only personal values are removed from them. The name of
 * an account, article and so on stays, since it is the administration's.
 */
export async function anonymiseTexts(
  trx: Database,
  { id, administration_id: administrationId }: Row<'relation'>,
  redact: (text: string) => string,
): Promise<void> {
  const { invoices, orders, purchases, projects, entries } = documentsOf(trx, id);
  const isOwnName = await ownNames(trx, administrationId);
  for (const [table, owner, documents] of [
    ['relation', 'id', [id]],
    ['sales_invoice', 'id', invoices],
    ['sales_invoice_line', 'sales_invoice_id', invoices],
    ['sales_invoice_address', 'sales_invoice_id', invoices],
    ['sales_order', 'id', orders],
    ['sales_order_line', 'sales_order_id', orders],
    ['sales_order_address', 'sales_order_id', orders],
    ['purchase_invoice', 'id', purchases],
    ['purchase_invoice_line', 'purchase_invoice_id', purchases],
    ['journal_entry', 'id', entries],
    ['journal_line', 'journal_entry_id', entries],
    ['material_booking', 'supplier_id', [id]],
    ['material_booking', 'project_id', projects],
    ['project', 'customer_id', [id]],
  ] as const) {
    const columns = textColumns(table);
    const rows = await trx
      .selectFrom(table as 'sales_invoice_line')
      .where(owner as 'sales_invoice_id', 'in', documents as typeof invoices)
      .selectAll()
      .execute();
    for (const row of rows) {
      const values: Record<string, string> = {};
      for (const [name, { isCode }] of columns) {
        const text = row[name as 'description'];
        const redacted = row.is_text === 1n ? '' : isCode && isOwnName(text) ? text : redact(text);
        if (redacted !== text) values[name] = redacted;
      }
      if (Object.keys(values).length === 0) continue;
      await trx.updateTable(table).set(withDerived(table, values)).where('id', '=', row.id).execute();
    }
  }
  // The responses of invoices have the names of their projects.
  const toBeMadeAgain = trx.updateTable('sales_invoice').set({ answer: '', lines_answer: '' });
  await toBeMadeAgain.where('project_id', 'in', projects).execute();
}

/** Removes personal values from what filed VAT returns call the entries of a relation: before they leave its entries. */
export async function anonymiseFiledReturns(
  trx: Database,
  { id, administration_id: administrationId }: Row<'relation'>,
  redact: (text: string) => string,
): Promise<void> {
  const lines = await trx
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_entry_id')
    .where('journal_entry_id', 'in', documentsOf(trx, id).entries)
    .select(['journal_line.date', 'document', 'entry_number', 'journal_entry.description'])
    .distinct()
    .execute();
  const texts = lines.flatMap(({ date, ...line }) =>
    [line.document, line.entry_number, line.description].map((text) => `${date} ${text}`),
  );
  const personal = new Set(texts.filter((text) => redact(text) !== text));
  if (personal.size === 0) return;
  await renameFiled(trx, administrationId, (kind, number, date) =>
    kind === 'entry' && personal.has(`${date} ${number}`) ? redact(number) : number,
  );
}

/** Returns a function for whether a text names something of the administration. */
async function ownNames(trx: Database, administrationId: bigint): Promise<(text: string) => boolean> {
  const names = new Set<string>();
  for (const [table, column] of [
    ['ledger_account', 'number'],
    ['tax_code', 'code'],
    ['product', 'article_number'],
    ['product', 'ean'],
    ['order_status', 'label'],
    ['document_template', 'name'],
  ] as const) {
    const rows = await trx
      .selectFrom(table as 'product')
      .where('administration_id', '=', administrationId)
      .select(`${column as 'name'} as name`)
      .distinct()
      .execute();
    for (const { name } of rows) names.add(folded(name));
  }
  return (text) => names.has(folded(text));
}

/**
 * Removes cost centers that hold personal values, which lines of the relation may have made. Those on documents and entries
 * of others are the administration's.
 * @returns their names
 */
export async function removeCostCenters(
  trx: Database,
  { id, administration_id: administrationId }: Row<'relation'>,
  redact: (text: string) => string,
): Promise<Set<string>> {
  const removed = new Set<string>();
  const { entries } = documentsOf(trx, id);
  const own = trx.selectFrom('cost_center').where('administration_id', '=', administrationId);
  for (const costCenter of await own.select(['id', 'name']).execute()) {
    if (redact(costCenter.name) === costCenter.name) continue;
    const named = { ofOthers: false, ofRelation: false };
    for (const [line, document] of [
      ['sales_invoice_line', 'sales_invoice'],
      ['purchase_invoice_line', 'purchase_invoice'],
    ] as const) {
      const relations = await trx
        .selectFrom(line as 'sales_invoice_line')
        .innerJoin(
          document as 'sales_invoice',
          `${document}.id` as 'sales_invoice.id',
          `${line}.${document}_id` as 'sales_invoice_line.sales_invoice_id',
        )
        .where('administration_id', '=', administrationId)
        .where('cost_center', '=', costCenter.name)
        .select('relation_id')
        .distinct()
        .execute();
      for (const { relation_id } of relations) named[relation_id === id ? 'ofRelation' : 'ofOthers'] = true;
    }
    const lines = trx
      .selectFrom('journal_line')
      .where('administration_id', '=', administrationId)
      .where('cost_center', '=', costCenter.name)
      .select('id')
      .limit(1);
    if (await lines.where('journal_entry_id', 'in', entries).executeTakeFirst()) named.ofRelation = true;
    if (await lines.where('journal_entry_id', 'not in', entries).executeTakeFirst()) named.ofOthers = true;
    if (!named.ofRelation || named.ofOthers) continue;
    await trx.deleteFrom('cost_center').where('id', '=', costCenter.id).execute();
    removed.add(costCenter.name);
  }
  return removed;
}
