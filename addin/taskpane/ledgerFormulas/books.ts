import type { PeriodText } from './period.ts';

/** An account in a period, in cents; the balance is debit less credit. */
export type AccountFigures = { number: string; name: string; debit: bigint; credit: bigint; closing: bigint };

/** What is open of a relation: what it owes less what it is owed, in cents. */
export type OpenAmount = {
  /** As a customer and as a supplier. */
  numbers: readonly string[];
  /** Its RelationGUID. */
  guid: string;
  name: string;
  amount: bigint;
};

/**
 * What formulas ask: the names of all accounts; their figures from one period to another, or in the fiscal year until
 * the end of a period; what is open of all relations at the end of a period.
 */
export type Question =
  | { kind: 'accounts' }
  | { kind: 'balances'; from?: PeriodText; to: PeriodText }
  | { kind: 'open'; at: PeriodText };

/** The answer to a question. */
export type Table =
  | { kind: 'accounts'; accounts: readonly { number: string; name: string }[] }
  /** All accounts; undefined for a period that begins after its end. */
  | { kind: 'balances'; accounts: readonly AccountFigures[] | undefined }
  | { kind: 'open'; relations: readonly OpenAmount[] };

/** Answers to some questions, in their order, and the version of the books that they are of. */
export type Answers = { version: string; tables: readonly Table[] };

/** The books of an administration, as the app has them. */
export type Books = {
  /** The id of the administration. */
  id: string;
  /** Whose books they are, for the user. */
  name: string;
  /**
   * Asks some questions in one request.
   * @throws Problem, Unreachable
   */
  ask(questions: readonly Question[], signal: AbortSignal): Promise<Answers>;
};
