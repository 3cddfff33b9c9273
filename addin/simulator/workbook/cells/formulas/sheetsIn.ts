import { quotedSheetName, sameName } from '../address.ts';
import { namedSheets, rewriteTokens, type Token } from './formulaTokens.ts';

/* Names of sheets in formulas. */

/** A token without its sheet, which may stand behind the range operator again. */
const withoutSheet = ({ kind, sheet = '', text, first, last }: Token): string => {
  if (kind !== 'cells') return text.slice(sheet.length);
  return last === undefined ? first! : `${first}:${last}`;
};

/** Several sheets in front of a reference, as `Jan:Mar!` or `'Jan 1:Mar 1'!`. */
const spanPrefix = (first: string, last: string): string => {
  const isQuoted = [first, last].some((name) => quotedSheetName(name).startsWith("'"));
  return isQuoted ? `'${`${first}:${last}`.replaceAll("'", "''")}'!` : `${first}:${last}!`;
};

/** The formula after a sheet got another name. */
export const renameSheetIn = (formula: string, before: string, after: string): string =>
  rewriteTokens(formula, (token) => {
    const { sheet: prefix } = token;
    const sheets = prefix === undefined ? undefined : namedSheets(prefix);
    if (sheets === undefined) return undefined;
    const [name, last] = [sheets.name, sheets.last].map((one) =>
      one !== undefined && sameName(one, before) ? after : one,
    );
    if (name === sheets.name && last === sheets.last) return undefined;
    const renamed = last === undefined ? `${quotedSheetName(name!)}!` : spanPrefix(name!, last);
    return `${renamed}${withoutSheet(token)}`;
  });

/**
 * The formula after a sheet was deleted: references to it are lost. Several sheets become the others among them.
 * @param order the sheets that there were
 */
export const loseSheetIn = (formula: string, deleted: string, order: readonly string[]): string =>
  rewriteTokens(formula, (token) => {
    const { kind, sheet: prefix } = token;
    const sheets = prefix === undefined ? undefined : namedSheets(prefix);
    if (sheets === undefined) return undefined;
    const { name, last } = sheets;
    const rest = withoutSheet(token);
    if (last === undefined) {
      if (!sameName(name, deleted)) return undefined;
      return kind === 'error' ? rest : `#REF!${rest}`;
    }
    if (!sameName(name, deleted) && !sameName(last, deleted)) return undefined;
    const ends = [name, last].map((end) => order.findIndex((one) => sameName(one, end)));
    const left = order.slice(Math.min(...ends), Math.max(...ends) + 1).filter((one) => !sameName(one, deleted));
    if (ends.includes(-1) || left.length === 0) return `#REF!${rest}`;
    const [first, end] = [left[0]!, left.at(-1)!];
    return `${left.length === 1 ? `${quotedSheetName(first)}!` : spanPrefix(first, end)}${rest}`;
  });
