import {
  type LedgerAccount,
  type LedgerAccountQuery,
  ledgerAccount,
} from '../../../../shared/resources/ledgerAccount.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { responding } from '../sql/rows.ts';

const accountResponse = responding(ledgerAccount, 'ledger_account');

/** The ledger accounts of one fiscal year (by default the latest), by number. */
export async function listLedgerAccounts(
  { db, administration }: EndpointContext,
  query: LedgerAccountQuery,
): Promise<LedgerAccount[]> {
  const year =
    query.FiscalYear === undefined
      ? db
          .selectFrom('ledger_account')
          .where('administration_id', '=', administration.id)
          .select((eb) => eb.fn.max('fiscal_year').as('fiscal_year'))
      : BigInt(query.FiscalYear);
  let accounts = db
    .selectFrom('ledger_account')
    .where('administration_id', '=', administration.id)
    .where('fiscal_year', '=', year)
    .orderBy('number');
  if (query.LedgerType !== undefined) accounts = accounts.where('ledger_type', '=', query.LedgerType);
  const rows = await accounts.selectAll().execute();
  return rows.map((row) => ({ ...accountResponse(row), Countrycode: administration.country }));
}
