import {
  type LedgerAccount,
  type LedgerAccountQuery,
  type LedgerType,
  ledgerAccount,
} from '../../../../shared/resources/ledgerAccount.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { preparedForms } from '../sql/prepared.ts';
import { responding } from '../sql/rows.ts';

const accountResponse = responding(ledgerAccount, 'ledger_account');

/** The ledger accounts of one fiscal year (by default the latest), by number. */
export async function listLedgerAccounts(
  { db, administration }: EndpointContext,
  query: LedgerAccountQuery,
): Promise<LedgerAccount[]> {
  const year = query.FiscalYear === undefined ? undefined : BigInt(query.FiscalYear);
  const type = query.LedgerType;
  const form = { hasYear: year !== undefined, hasType: type !== undefined };
  const rows = await accountsOf(db, { administrationId: administration.id, year, type }, form);
  return rows.map((row) => ({ ...accountResponse(row), Countrycode: administration.country }));
}

type Sought = { administrationId: bigint; year: bigint | undefined; type: LedgerType | undefined };

const accountsOf = preparedForms(
  (db, { administrationId, year, type }: Sought, { hasYear, hasType }: { hasYear: boolean; hasType: boolean }) => {
    const latest = db
      .selectFrom('ledger_account')
      .where('administration_id', '=', administrationId)
      .select((eb) => eb.fn.max('fiscal_year').as('fiscal_year'));
    const accounts = db
      .selectFrom('ledger_account')
      .where('administration_id', '=', administrationId)
      .where('fiscal_year', '=', hasYear ? year! : latest)
      .orderBy('number')
      .selectAll();
    return hasType ? accounts.where('ledger_type', '=', type!) : accounts;
  },
);
