import { abs, apportion, type Cents, sum } from '../../../../../shared/money.ts';
import type { Database } from '../../sql/database.ts';
import type { PurchaseTax } from '../purchaseTaxes.ts';
import type { DocumentRow } from './documentVatLines.ts';

/** An account that bears a part of what an entry bought, with its amount: positive for debit. */
type CostLine = { account: string; amount: Cents };

/** Entries that are looked for in one statement. */
const BATCH_SIZE = 500;

/**
 * Purchases of entries, of which only lines of tax have the tax code, with the accounts that bear their cost: a row for
 * each. Other rows are returned as they are.
 */
export async function withCostAccounts(db: Database, rows: readonly DocumentRow[]): Promise<DocumentRow[]> {
  const isWithout = ({ taxType, account }: DocumentRow) => taxType === 'Purchase' && account === '';
  const ids = [...new Set(rows.filter(isWithout).map(({ document }) => idOf(document)))];
  const linesOf = new Map<string, CostLine[]>();
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const lines = await db
      .selectFrom('journal_line')
      .where('journal_entry_id', 'in', ids.slice(start, start + BATCH_SIZE).map(BigInt))
      .where('tax_code', '=', '')
      .orderBy('id')
      .select(['journal_entry_id as entry', 'ledger_account_number as account', 'debit', 'credit'])
      .execute();
    for (const [entry, group] of Map.groupBy(lines, ({ entry }) => String(entry))) {
      linesOf.set(
        entry,
        group.map(({ account, debit, credit }) => ({ account, amount: debit - credit })),
      );
    }
  }
  const costs = new Map<DocumentRow, readonly CostLine[]>();
  for (const [document, group] of Map.groupBy(rows.filter(isWithout), ({ document }) => document)) {
    const left = linesOf.get(idOf(document)) ?? [];
    for (const row of group.toSorted((a, b) => compare(abs(costOf(b)), abs(costOf(a))))) {
      costs.set(row, taken(costOf(row), left));
    }
  }
  return rows.flatMap((row) => ofAccounts(row, costs.get(row) ?? []));
}

const idOf = (document: string): string => document.split(' ')[1]!;
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));

const bookedOf = ({ booked, tax }: DocumentRow): PurchaseTax => booked ?? { assessed: 0n, deductible: tax };

/** What accounts bear of a purchase: what is not deducted too. */
function costOf(row: DocumentRow): Cents {
  const { assessed, deductible } = bookedOf(row);
  return row.base + row.tax + assessed - deductible;
}

function ofAccounts(row: DocumentRow, costs: readonly CostLine[]): DocumentRow[] {
  if (costs.length === 0) return [row];
  const amounts = costs.map(({ amount }) => abs(amount));
  const spread = (total: Cents) =>
    apportion(
      total,
      amounts.map((amount) => total * amount),
      sum(amounts),
    );
  const booked = bookedOf(row);
  const [bases, taxes] = [spread(row.base), spread(row.tax)];
  const [assessed, deductible] = [spread(booked.assessed), spread(booked.deductible)];
  return costs.map(({ account }, index) => ({
    ...row,
    account,
    base: bases[index]!,
    tax: taxes[index]!,
    booked: { assessed: assessed[index]!, deductible: deductible[index]! },
  }));
}

/**
 * Takes a cost from what is left of the lines on its side: from one with just that amount, or else from the largest ones.
 * So each line is taken once, whichever tax codes share it.
 * @returns the accounts, with what was taken of each
 */
function taken(cost: Cents, left: readonly CostLine[]): CostLine[] {
  const isExact = ({ amount }: CostLine) => Number(amount === cost);
  const onSide = left
    .filter(({ amount }) => amount * cost > 0n)
    .sort((a, b) => isExact(b) - isExact(a) || compare(abs(b.amount), abs(a.amount)));
  const found: CostLine[] = [];
  let rest = cost;
  for (const line of onSide) {
    // What is not deducted is known up to a cent.
    if (abs(rest) <= 1n && found.length > 0) break;
    const amount = abs(line.amount) < abs(rest) ? line.amount : rest;
    found.push({ account: line.account, amount });
    line.amount -= amount;
    rest -= amount;
  }
  return found;
}
