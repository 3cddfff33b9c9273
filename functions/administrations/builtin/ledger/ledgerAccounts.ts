import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { folded } from '../sql/comparedText.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';

type AccountInput = { LedgerAccountNumber?: string | undefined; IsTextLine?: boolean };

/** The account numbers of lines that exist in the administration. */
export async function knownAccounts(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  lines: readonly AccountInput[],
): Promise<ReadonlySet<string>> {
  const named = [...new Set(lines.flatMap((line) => line.LedgerAccountNumber ?? []))];
  if (named.length === 0) return new Set();
  const rows = await db
    .selectFrom('ledger_account')
    .where('administration_id', '=', administration.id)
    .where('number', 'in', named)
    .select('number')
    .distinct()
    .execute();
  return new Set(rows.map((row) => row.number));
}

/**
 * The ledger account of each line: its own, or the administration's default; "" for a text line.
 * @param path of the list in the request, for the errors
 */
export function ledgerAccounts(
  { administration, accounts: known }: { administration: Row<'administration'>; accounts: ReadonlySet<string> },
  side: 'revenue' | 'cost',
  lines: readonly AccountInput[],
  path: string,
): { accounts: string[]; errors: FieldError[] } {
  const byDefault = side === 'revenue' ? administration.default_revenue_account : administration.default_cost_account;
  const errors: FieldError[] = [];
  const accounts = lines.map(({ LedgerAccountNumber: number, IsTextLine = false }, index) => {
    if (IsTextLine) return '';
    const at = `${path}[${index}].LedgerAccountNumber`;
    if (number === undefined) {
      if (byDefault === '') errors.push(fieldError(at, 'REQUIRED_ACCOUNT', { side }));
      return byDefault;
    }
    if (!known.has(number)) errors.push(fieldError(at, 'NO_SUCH_ACCOUNT', { number }));
    return number;
  });
  return { accounts, errors };
}

/** Creates missing cost centers. @returns the stored spelling of each name; "" for "" */
export async function costCenterNames(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  names: readonly string[],
): Promise<string[]> {
  const spellings = new Map<string, string>();
  for (const name of names) if (name !== '' && !spellings.has(folded(name))) spellings.set(folded(name), name);
  if (spellings.size === 0) return [...names];
  const values = [...spellings].map(([name_folded, name]) => ({
    administration_id: administration.id,
    name,
    name_folded,
  }));
  await db
    .insertInto('cost_center')
    .values(values)
    .onConflict((conflict) => conflict.columns(['administration_id', 'name_folded']).doNothing())
    .execute();
  const rows = await db
    .selectFrom('cost_center')
    .where('administration_id', '=', administration.id)
    .where('name_folded', 'in', [...spellings.keys()])
    .select(['name', 'name_folded'])
    .execute();
  const written = new Map(rows.map((row) => [row.name_folded, row.name]));
  return names.map((name) => (name === '' ? '' : written.get(folded(name))!));
}
