/** A line of the output of the bench. */
export type Result = { name: string; ours: number; bare: number; unit: string };

export const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** A line with our figure against the bare minimum's, and the aim. */
export function resultLine({ name, ours, bare, unit, aim }: Result & { aim: number }): string {
  const ratio = ours / bare;
  const verdict = ratio <= aim ? 'within' : 'over';
  const figures = `${figure(ours)} ${unit} against ${figure(bare)} ${unit}`;
  return `${ratio.toFixed(2)}x  ${name}: ${figures} (${verdict} the aim of ${aim}x)`;
}

/** Reads such a line, also of an older bench. @returns undefined for any other line */
export function readResult(line: string): Result | undefined {
  const match = /^[\d.]+x {2}(.+): ([\d.e+]+) (\S+) against ([\d.e+]+) \S+/.exec(line);
  if (match === null) return undefined;
  const [, name, ours, unit, bare] = match as unknown as [string, string, string, string, string];
  return { name, ours: Number(ours), bare: Number(bare), unit };
}
