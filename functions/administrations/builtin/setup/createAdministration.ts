import { defaultOrderStatuses } from '../sales/orderStatus.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import { insertRows } from '../sql/insertRows.ts';
import { logged } from '../sql/log/appendChanges.ts';
import { byCommand } from '../sql/log/author.ts';
import { flag, type Seconds } from '../sql/schema.ts';
import { inTransaction } from '../sql/transaction.ts';
import { usualChart } from './charts/chart.ts';
import { usualTaxCodes } from './charts/taxCodes.ts';
import type { IssuerColumns } from './issuer.ts';

type NewAdministration = {
  name: string;
  country: 'NL' | 'BE';
  /** The years that get the country's usual chart of accounts. */
  fiscalYears: readonly number[];
  now: Seconds;
  /** Leaves out chart and tax codes, which are imported. */
  empty?: boolean;
  /** The known data of the sender of its invoices. */
  issuer?: IssuerColumns;
};

/** Creates an administration, with its country's usual VAT codes and chart of accounts, and returns its id. */
export function createAdministration(db: Database, administration: NewAdministration): Promise<bigint> {
  const { name, country, fiscalYears, now, empty = false, issuer = {} } = administration;
  return inTransaction(db, async (trx) => {
    const chart = usualChart(country);
    const made = { administrationId: 0n, author: byCommand('create'), now };
    return logged(trx, made, async () => {
      const { id } = await trx
        .insertInto('administration')
        .values({
          name,
          country,
          ...issuer,
          created_on: now,
          default_revenue_account: empty ? '' : chart.defaultRevenueAccount,
          default_cost_account: empty ? '' : chart.defaultCostAccount,
          debtor_account: empty ? '' : chart.controlAccounts.debtor,
          creditor_account: empty ? '' : chart.controlAccounts.creditor,
          vat_payable_account: empty ? '' : chart.controlAccounts.vatPayable,
          vat_receivable_account: empty ? '' : chart.controlAccounts.vatReceivable,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      made.administrationId = id;
      await insertRows(
        trx,
        'order_status',
        defaultOrderStatuses.map((label) => ({ administration_id: id, label, label_folded: folded(label) })),
      );
      if (empty) return id;
      await insertRows(
        trx,
        'tax_code',
        usualTaxCodes[country].map((code) => ({
          administration_id: id,
          code: code.code,
          name: code.name,
          percentage: code.percentage,
          tax_type: code.type,
          tax_exempt: flag(code.exempt),
          vat_category: code.category,
        })),
      );
      await insertRows(
        trx,
        'ledger_account',
        fiscalYears.flatMap((year) =>
          chart.accounts.map((account) => ({
            administration_id: id,
            fiscal_year: BigInt(year),
            number: account.number,
            name: account.name,
            ledger_type: account.type,
            debet_or_credit: account.side,
          })),
        ),
      );
      return id;
    });
  });
}
