import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Database } from '../sql/database.ts';
import { CommandError, reasonOf } from './commandError.ts';

/** Something wrong in a file. */
export type ImportProblem = {
  file: string;
  line: number;
  /** "" when it is the whole row. */
  column: string;
  message: string;
  /** File and line, and whatever else says where it is. */
  place: string;
};

/** Problems of one import that are found: all of them are held in memory. */
const MAX_PROBLEMS = 10_000;
/** Problems that are shown; the report has them all. */
const MAX_SHOWN = 50;

/** Undoes the transaction; what was found stands in the result. */
class NothingStored extends Error {}

/**
 * Adds a problem to those of an import. After very many, it says so as the last one, and the import ends.
 * @throws NothingStored then, for `allOrNothing`
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

/** Does the work in a transaction, which is undone when there is any problem in the end. */
export async function allOrNothing(
  problems: ImportProblem[],
  transaction: (work: (trx: Database) => Promise<void>) => Promise<void>,
  work: (trx: Database) => Promise<void>,
): Promise<void> {
  try {
    await transaction(async (trx) => {
      await work(trx);
      if (problems.length > 0) throw new NothingStored();
    });
  } catch (error) {
    if (!(error instanceof NothingStored)) throw error;
    const files = [...new Set(problems.map(({ file }) => file))];
    problems.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
  }
}

/**
 * @param adviceOn what may help against some of the problems; undefined when nothing is known to
 * @throws CommandError when there are any problems, after they were shown and written to the report
 */
export async function refuseProblems(
  problems: readonly ImportProblem[],
  file: string,
  report: string | undefined,
  complain: (line: string) => void,
  adviceOn: (problems: readonly ImportProblem[]) => string | undefined = () => undefined,
): Promise<void> {
  if (report !== undefined) await writeReport(report, problems);
  if (problems.length === 0) return;
  for (const problem of problems.slice(0, MAX_SHOWN)) complain(problemText(problem));
  const more = problems.length - MAX_SHOWN;
  if (more > 0) {
    const where = report === undefined ? 'write them all to a file with --report' : `all are in ${report}`;
    complain(`... and ${more} more: ${where}.`);
  }
  const number = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  const advice = adviceOn(problems);
  throw new CommandError(`${number} in ${file}: nothing was imported.${advice === undefined ? '' : ` ${advice}`}`);
}

/** `relations.csv:12: Name: is required, got an empty cell` */
const problemText = ({ place, column, message }: ImportProblem): string =>
  `${place}: ${column === '' ? '' : `${column}: `}${message}`;

async function writeReport(file: string, problems: readonly ImportProblem[]): Promise<void> {
  const stream = createWriteStream(file);
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new CommandError(`The report ${file} cannot be written: ${reasonOf(error)}.`);
  }
  for (const problem of problems) {
    if (!stream.write(`${problemText(problem)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}
