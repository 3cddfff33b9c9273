import { writeFile } from 'node:fs/promises';
import type { Database } from '../sql/database.ts';
import type { Logging } from '../sql/logWriting/appendChanges.ts';
import { CommandError, reasonOf } from './commandError.ts';

/** Something wrong in a file. */
export type ImportProblem = {
  file: string;
  line: number;
  /** "" for the whole row. */
  column: string;
  message: string;
  /** File and line, or sheet and row, in words. */
  place: string;
};

/** Problems of one import: they are held in memory. */
const MAX_PROBLEMS = 10_000;
/** Problems that are shown; a report has all of them. */
const MAX_SHOWN = 50;

/** Rolls back the transaction of an import with problems. */
class NothingStored extends Error {}

/**
 * Adds a problem to those of an import.
 * @throws NothingStored after too many, for `allOrNothing`; the last problem says so
 */
export function addProblem(problems: ImportProblem[], problem: ImportProblem): void {
  problems.push(problem);
  if (problems.length < MAX_PROBLEMS) return;
  const ofFile = problems.filter(({ file }) => file === problem.file);
  const last = ofFile.reduce((a, b) => (b.line > a.line ? b : a));
  const message = `the rest of the file was not read: it has ${ofFile.length} problems up to here`;
  problems.push({ ...last, column: '', message });
  throw new NothingStored();
}

/** Runs work in a transaction, which is rolled back if there is any problem at the end. */
export async function allOrNothing(
  problems: ImportProblem[],
  transaction: (work: (trx: Database, logging: Logging) => Promise<void>) => Promise<void>,
  work: (trx: Database, logging: Logging) => Promise<void>,
): Promise<void> {
  try {
    await transaction(async (trx, logging) => {
      await work(trx, logging);
      if (problems.length > 0) throw new NothingStored();
    });
  } catch (error) {
    if (!(error instanceof NothingStored)) throw error;
    const files = [...new Set(problems.map(({ file }) => file))];
    problems.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
  }
}

/**
 * Shows problems and writes them to the report.
 * @param done what was to be done with the file
 * @param adviceOn advice that helps against some of the problems; undefined when there is none
 * @throws CommandError when there are any
 */
export async function refuseProblems(
  problems: readonly ImportProblem[],
  file: string,
  report: string | undefined,
  complain: (line: string) => void,
  done: 'imported' | 'pushed' = 'imported',
  adviceOn: (problems: readonly ImportProblem[]) => string | undefined = () => undefined,
): Promise<void> {
  if (report !== undefined) {
    const lines = problems.map((problem) => `${problemText(problem)}\n`);
    await writeFile(report, lines).catch((error: Error) => {
      throw new CommandError(`The report ${report} cannot be written: ${reasonOf(error)}.`);
    });
  }
  if (problems.length === 0) return;
  for (const problem of problems.slice(0, MAX_SHOWN)) complain(problemText(problem));
  const more = problems.length - MAX_SHOWN;
  if (more > 0) {
    const where = report === undefined ? 'write them all to a file with --report' : `all are in ${report}`;
    complain(`... and ${more} more: ${where}.`);
  }
  const number = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  const advice = adviceOn(problems);
  throw new CommandError(`${number} in ${file}: nothing was ${done}.${advice === undefined ? '' : ` ${advice}`}`);
}

/** `relations.csv:12: Name: is required, got an empty cell` */
const problemText = ({ place, column, message }: ImportProblem): string =>
  `${place}: ${column === '' ? '' : `${column}: `}${message}`;
