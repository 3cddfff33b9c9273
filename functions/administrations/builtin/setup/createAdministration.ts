import { defaultOrderStatuses } from '../sales/orderStatus.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import { insertAdministration, insertRows } from '../sql/insertRows.ts';
import { logged } from '../sql/logWriting/appendChanges.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import type { Seconds } from '../sql/schema.ts';
import { inTransaction } from '../sql/transaction.ts';
import { usualChart } from './accountCharts/chart.ts';
import { usualTaxCodes } from './accountCharts/taxCodes.ts';
import type { IssuerColumns } from './issuer.ts';

type NewAdministration = {
  name: string;
  country: 'NL' | 'BE';
  /** The years that get the country's usual chart of accounts. */
  fiscalYears: readonly number[];
  now: Seconds;
  /** Makes no chart and no tax codes: they are imported. */
  empty?: boolean;
  /** The known data of the sender of its invoices. */
  issuer?: IssuerColumns;
};

const NO_ACCOUNTS = { default_revenue_account: '', default_cost_account: '' };

/** Creates an administration, with its country's usual VAT codes and chart of accounts, and returns its id. */
export function createAdministration(db: Database, administration: NewAdministration): Promise<bigint> {
  const { name, country, fiscalYears, now, empty = false, issuer = {} } = administration;
  return inTransaction(db, async (trx) => {
    const { accounts, controlAccounts } = usualChart(country);
    const log = { author: byCommand('create'), now };
    return logged(trx, log, async (logging) => {
      const accountColumns = empty ? NO_ACCOUNTS : controlAccounts;
      const id = await insertAdministration(trx, { name, country, ...issuer, created_on: now, ...accountColumns });
      logging.created(id);
      const owner = { administration_id: id };
      const statuses = defaultOrderStatuses.map((label) => ({ ...owner, label, label_folded: folded(label) }));
      await insertRows(trx, 'order_status', statuses);
      if (empty) return id;
      const taxCodes = usualTaxCodes[country].map((code) => ({ ...owner, ...code }));
      await insertRows(trx, 'tax_code', taxCodes);
      const ledger = fiscalYears.flatMap((year) =>
        accounts.map((account) => ({ ...owner, fiscal_year: BigInt(year), ...account })),
      );
      await insertRows(trx, 'ledger_account', ledger);
      return id;
    });
  });
}
