import { parseArgs } from 'node:util';

/** What a run of the bench measures; `against` names a commit to compare with. */
export type BenchArguments = { parts: string[]; against: string | undefined; rounds: number };

const ROUNDS = 3;

/**
 * Reads the arguments of `npm run bench`.
 * @param known the names of all parts
 * @throws Error when they make no sense
 */
export function readArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals: parts } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { against: { type: 'string' }, rounds: { type: 'string' } },
  });
  const { against } = values;
  const unknown = parts.filter((part) => !known.includes(part));
  if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}. The parts are ${known.join(', ')}.`);
  const rounds = Number(values.rounds ?? ROUNDS);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds needs a whole number above 0.');
  if (against === undefined && values.rounds !== undefined) throw new Error('--rounds needs --against.');
  if (against?.trim() === '') throw new Error('--against needs a commit.');
  if (against !== undefined && parts.length === 0) throw new Error('--against needs at least one part.');
  if (against !== undefined && parts.includes('start')) throw new Error('start has no figures to compare.');
  return { parts, against, rounds };
}
