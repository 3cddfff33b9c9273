import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Refusal } from '../cli/refusal.ts';
import type { ImportProblem } from './importRows.ts';

/** Problems that are shown; the report has them all. */
const MOST_SHOWN = 50;

/** @throws Refusal when there are any problems, after they were shown and written to the report */
export async function refuseProblems(
  problems: readonly ImportProblem[],
  file: string,
  report: string | undefined,
  complain: (line: string) => void,
): Promise<void> {
  if (report !== undefined) await writeReport(report, problems);
  if (problems.length === 0) return;
  for (const problem of problems.slice(0, MOST_SHOWN)) complain(problemText(problem));
  const more = problems.length - MOST_SHOWN;
  if (more > 0) {
    const where = report === undefined ? 'write them all to a file with --report' : `all are in ${report}`;
    complain(`... and ${more} more: ${where}.`);
  }
  const number = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  throw new Refusal(`${number} in ${file}: nothing was imported.`);
}

/** `relations.csv:12: Name: is required, got an empty cell` */
const problemText = ({ place, column, message }: ImportProblem): string =>
  `${place}: ${column === '' ? '' : `${column}: `}${message}`;

async function writeReport(file: string, problems: readonly ImportProblem[]): Promise<void> {
  const stream = createWriteStream(file);
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new Refusal(`The report cannot be written: ${(error as Error).message}`);
  }
  for (const problem of problems) {
    if (!stream.write(`${problemText(problem)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}
