import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { HUNDRED } from '../../../../../shared/money.ts';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/**
 * The tax that a purchaser owes, and what may be deducted, on each line of a purchase. Earlier lines stay without: their
 * entries have what the invoice says, and are not changed.
 */
export const assessedTax = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { addOptional } = columns(db, dialect);
    await addOptional('purchase_invoice_line', 'assessed_tax', sql`bigint`);
    await addOptional('purchase_invoice_line', 'deductible_tax', sql`bigint`);
  },
});

/**
 * Migration 027. The tax that was booked with purchases of before, where it is certain: all that an invoice charges was deducted. It is
 * not where a rule of the administration says otherwise, or where the purchaser owes the tax: returns name those.
 */
export const bookedTax: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`update purchase_invoice_line
      set assessed_tax = 0, deductible_tax = subtotal_incl - subtotal_excl
      where assessed_tax is null and subtotal_incl <> subtotal_excl and not exists (
        select 1 from vat_rule
        join purchase_invoice on purchase_invoice.administration_id = vat_rule.administration_id
        where purchase_invoice.id = purchase_invoice_line.purchase_invoice_id
        and vat_rule.tax_type = 'Purchase' and vat_rule.tax_code = purchase_invoice_line.tax_code
        and (vat_rule.self_assessed_pc <> 0 or vat_rule.deductible_pc <> ${HUNDRED}))`.execute(db);
  },
};
