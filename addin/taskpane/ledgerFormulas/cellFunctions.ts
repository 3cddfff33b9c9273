import { centsText, sum } from '../../../shared/money.ts';
import { isEmpty, matchingAccounts, readAccounts } from './accountPatterns.ts';
import type { AskedBooks } from './askedBooks.ts';
import type { AccountFigures, OpenAmount, Table } from './books.ts';
import type { FunctionId } from './declaration.ts';
import { invalidValue } from './formulaProblem.ts';
import { readPeriod } from './period.ts';

/** The arguments of the functions with an amount, as they are understood. @throws FormulaProblem */
export const readArguments = {
  BALANCE: ([accounts, at, administration]: readonly unknown[]) => ({
    patterns: readAccounts(accounts),
    question: { to: readPeriod(at) },
    administration: nameOf(administration),
  }),
  TURNOVER: ([accounts, from, to, administration]: readonly unknown[]) => ({
    patterns: readAccounts(accounts),
    question: { from: readPeriod(from), to: readPeriod(to) },
    administration: nameOf(administration),
  }),
  OPEN([relation, at, administration]: readonly unknown[]) {
    if (isEmpty(relation)) throw invalidValue(({ noRelation }) => noRelation);
    return { relation: String(relation).trim(), at: readPeriod(at), administration: nameOf(administration) };
  },
};

/** A function in cells: its arguments are values as Excel passes them, in the order of the declaration. */
type CellFunction = (...args: unknown[]) => Promise<number | string>;

/** What the functions compute. Amounts are debit less credit, summed exactly in cents. */
export const cellFunctions = ({ ask }: Pick<AskedBooks, 'ask'>) =>
  ({
    async BALANCE(accounts: unknown, at: unknown, administration: unknown) {
      const { patterns, question, administration: name } = readArguments.BALANCE([accounts, at, administration]);
      const table = await ask(name, { kind: 'balances', ...question });
      return amount(matchingAccounts(patterns, accountsOf(table)).map(({ closing }) => closing));
    },

    async TURNOVER(accounts: unknown, from: unknown, to: unknown, administration: unknown) {
      const { patterns, question, administration: name } = readArguments.TURNOVER([accounts, from, to, administration]);
      const table = await ask(name, { kind: 'balances', ...question });
      return amount(matchingAccounts(patterns, accountsOf(table)).map(({ debit, credit }) => debit - credit));
    },

    async NAME(account: unknown, administration: unknown) {
      const patterns = readAccounts(account);
      const [pattern] = patterns;
      if (patterns.length !== 1 || pattern?.kind !== 'one') throw invalidValue(({ oneAccount }) => oneAccount);
      const { accounts } = await ask(nameOf(administration), { kind: 'accounts' });
      return matchingAccounts([pattern], accounts)[0]!.name;
    },

    async OPEN(relation: unknown, at: unknown, administration: unknown) {
      const { relation: wanted, at: day, administration: name } = readArguments.OPEN([relation, at, administration]);
      const { relations } = await ask(name, { kind: 'open', at: day });
      return amount([relationNamed(wanted, relations).amount]);
    },
  }) satisfies Record<FunctionId, CellFunction>;

/** @throws FormulaProblem for a period that begins after its end */
export function accountsOf({ accounts }: Extract<Table, { kind: 'balances' }>): readonly AccountFigures[] {
  if (accounts === undefined) throw invalidValue(({ reversedPeriod }) => reversedPeriod);
  return accounts;
}

/** A sum of cents as the number of a cell. */
const amount = (cents: readonly bigint[]): number => Number(centsText(sum(cents)));

/** The administration that a formula names; undefined for that of the workbook. */
const nameOf = (administration: unknown): string | undefined =>
  isEmpty(administration) ? undefined : String(administration).trim();

/**
 * The relation with a number of a customer or supplier, else with a RelationGUID, else with a name.
 * @throws FormulaProblem when several have it, or none
 */
export function relationNamed(wanted: string, relations: readonly OpenAmount[]): OpenAmount {
  const folded = wanted.toLowerCase();
  const isMeant: ((one: OpenAmount) => boolean)[] = [
    ({ numbers }) => numbers.includes(wanted),
    ({ guid }) => guid === wanted,
    ({ name }) => name.toLowerCase() === folded,
  ];
  for (const isWanted of isMeant) {
    const [found, another] = relations.filter(isWanted);
    if (another !== undefined) throw invalidValue(({ severalRelations }) => severalRelations(wanted));
    if (found !== undefined) return found;
  }
  throw invalidValue(({ unknownRelation }) => unknownRelation(wanted));
}
