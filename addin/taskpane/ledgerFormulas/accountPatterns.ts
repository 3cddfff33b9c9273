import { invalidValue } from './formulaProblem.ts';

/** Which accounts are meant: one, those from one to another, or those whose numbers fit a text with `*`. */
export type AccountPattern =
  /** `isNumber`: from a cell with a number, which lacks the leading zeros of an account. */
  | { kind: 'one'; number: string; isNumber: boolean }
  | { kind: 'range'; from: string; to: string }
  | { kind: 'wildcard'; text: string };

/** The numbers of accounts up to this length, in characters. */
const MAX_LENGTH = 200;

/** Whether a cell has nothing: Excel passes an empty one as null, as no text or as 0. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === 0;

/**
 * Reads accounts from an argument: one cell or several, each with an account (`4000`), a list (`4000|4010`), a range
 * (`4000:4999`) or a wildcard (`4*`), as text or as a number.
 * @throws FormulaProblem
 */
export function readAccounts(argument: unknown): AccountPattern[] {
  const cells = (Array.isArray(argument) ? argument.flat(2) : [argument]).filter((cell) => !isEmpty(cell));
  if (cells.length === 0) throw invalidValue(({ noAccount }) => noAccount);
  return cells.flatMap(readCell);
}

function readCell(cell: unknown): AccountPattern[] {
  if (typeof cell === 'number' && Number.isSafeInteger(cell) && cell > 0) {
    return [{ kind: 'one', number: String(cell), isNumber: true }];
  }
  if (typeof cell !== 'string') throw invalidValue(({ wrongAccount }) => wrongAccount(String(cell)));
  return cell.split('|').map((part) => readText(part.trim()));
}

function readText(text: string): AccountPattern {
  const wrong = () => invalidValue(({ wrongAccount }) => wrongAccount(text));
  if (text === '' || text.length > MAX_LENGTH) throw wrong();
  const ends = text.split(':').map((end) => end.trim());
  if (ends.length === 1) {
    return text.includes('*') ? { kind: 'wildcard', text } : { kind: 'one', number: text, isNumber: false };
  }
  const [from = '', to = ''] = ends;
  if (ends.length > 2 || from === '' || to === '' || text.includes('*')) throw wrong();
  if (compareNumbers(from, to) > 0) throw invalidValue(({ reversedRange }) => reversedRange(text));
  return { kind: 'range', from, to };
}

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Numbers of accounts in their order: digits by their value, everything else as text, after the digits. */
export function compareNumbers(one: string, other: string): number {
  if (isDigits(one) && isDigits(other)) {
    const [a, b] = [BigInt(one), BigInt(other)];
    return a < b ? -1 : Number(a > b);
  }
  if (isDigits(one) !== isDigits(other)) return isDigits(one) ? -1 : 1;
  const [a, b] = [one.toUpperCase(), other.toUpperCase()];
  return a < b ? -1 : Number(a > b);
}

const matcherOf = (pattern: Exclude<AccountPattern, { kind: 'one' }>): ((number: string) => boolean) => {
  if (pattern.kind === 'range') {
    const { from, to } = pattern;
    // Accounts with letters are not between two numbers.
    const isOfKind = isDigits(from) && isDigits(to) ? isDigits : () => true;
    return (number) => isOfKind(number) && compareNumbers(from, number) <= 0 && compareNumbers(number, to) <= 0;
  }
  const parts = pattern.text.toUpperCase().split('*');
  const [first, last] = [parts[0]!, parts.at(-1)!];
  return (number) => {
    const text = number.toUpperCase();
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
};

/** The accounts of a list by their numbers in capitals: most formulas name one account. */
const byNumber = new WeakMap<readonly { number: string }[], Map<string, { number: string }>>();

function accountNumbered<Account extends { number: string }>(
  number: string,
  accounts: readonly Account[],
): Account | undefined {
  let index = byNumber.get(accounts);
  if (index === undefined) {
    index = new Map(accounts.map((account) => [account.number.toUpperCase(), account]));
    byNumber.set(accounts, index);
  }
  return index.get(number.toUpperCase()) as Account | undefined;
}

/**
 * The accounts that some patterns mean, each once. A range or a wildcard may fit none. A number from a cell also means
 * the accounts with zeros before it, since a cell has no such zeros.
 * @throws FormulaProblem for a single account that there is not
 */
export function matchingAccounts<Account extends { number: string }>(
  patterns: readonly AccountPattern[],
  accounts: readonly Account[],
): Account[] {
  const found = new Set<Account>();
  for (const pattern of patterns) {
    for (const account of matching(pattern, accounts)) found.add(account);
  }
  return [...found];
}

function matching<Account extends { number: string }>(
  pattern: AccountPattern,
  accounts: readonly Account[],
): Account[] {
  if (pattern.kind !== 'one') {
    const matches = matcherOf(pattern);
    return accounts.filter(({ number }) => matches(number));
  }
  const exact = accountNumbered(pattern.number, accounts);
  if (exact !== undefined) return [exact];
  const padded = pattern.isNumber ? accounts.filter(({ number }) => number.replace(/^0+/, '') === pattern.number) : [];
  if (padded.length === 0) throw invalidValue(({ unknownAccount }) => unknownAccount(pattern.number));
  return padded;
}
