/** The namespace of the functions in cells: `=LEDGER.BALANCE(...)`. The manifest has the same. */
export const NAMESPACE = 'LEDGER';

/** A parameter, with its name and description in the language files under its key. */
type Parameter = {
  key: 'accounts' | 'account' | 'at' | 'from' | 'to' | 'relation' | 'administration';
  /** Cells or one value; other parameters are one value. */
  isMatrix?: true;
  /** It may be left out. */
  isOptional?: true;
};

type FunctionDeclaration = { parameters: readonly Parameter[]; result: 'number' | 'string' };

const administration: Parameter = { key: 'administration', isOptional: true };
const accounts: Parameter = { key: 'accounts', isMatrix: true };

/**
 * The functions in cells, by their ids. Workbooks contain the ids, so one that users have is never changed. Their
 * metadata, their registration and the functions of the workbook page follow from this table.
 */
export const ledgerFunctions = {
  BALANCE: { parameters: [accounts, { key: 'at' }, administration], result: 'number' },
  TURNOVER: { parameters: [accounts, { key: 'from' }, { key: 'to' }, administration], result: 'number' },
  NAME: { parameters: [{ key: 'account' }, administration], result: 'string' },
  OPEN: { parameters: [{ key: 'relation' }, { key: 'at' }, administration], result: 'number' },
} as const satisfies Record<string, FunctionDeclaration>;

export type FunctionId = keyof typeof ledgerFunctions;

export const functionIds = Object.keys(ledgerFunctions) as FunctionId[];

export const parametersOf = (id: FunctionId): readonly Parameter[] => ledgerFunctions[id].parameters;
