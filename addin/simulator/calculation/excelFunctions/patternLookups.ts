import { likeness } from '../../workbook/cells/wildcards.ts';
import { calls } from '../argumentKinds.ts';
import { error, kinds, type Value } from '../engineValues.ts';

/*
 * Lookups by a pattern. The engine tries each way to divide a text among the `*` of a pattern, and knows no text of several
 * lines. Here the first text that is like the pattern is found, and the engine looks for that text.
 */

/** Where the mode of a lookup stands, which one asks for patterns, and where in which order it looks. */
type Lookup = { mode: number; wanted: number; order?: number };

export const lookups: Readonly<Record<string, Lookup | undefined>> = {
  MATCH: { mode: 2, wanted: 0 },
  VLOOKUP: { mode: 3, wanted: 0 },
  HLOOKUP: { mode: 3, wanted: 0 },
  XLOOKUP: { mode: 4, wanted: 2, order: 5 },
  XMATCH: { mode: 2, wanted: 2, order: 3 },
};

/** The arguments of a lookup, in which the text that is found stands for a pattern. */
export function withFoundText(name: string, args: readonly string[]): readonly string[] {
  const lookup = lookups[name];
  const [sought, cells] = args;
  // Most lookups have another mode, or look for a number or for a text without such signs.
  if (lookup === undefined || cells === undefined || /^(?:-?[\d.]+|"[^*?~"]*")$/.test(sought!)) return args;
  const given = args[lookup.mode]?.trim();
  const mode = given === '' ? '0' : given;
  if (mode === undefined || (/^(?:-?\d|TRUE|FALSE)$/i.test(mode) && modeOf(mode) !== lookup.wanted)) return args;
  const isPattern = `${calls.isPattern}(${[sought, mode, lookup.wanted].join(',')})`;
  const order = (lookup.order && args[lookup.order]) || '1';
  const found = `${calls.like}(${[sought, cells, `"${name}"`, order].join(',')})`;
  const written = args.with(0, `IF(${isPattern},${found},${sought})`);
  return lookup.wanted === 0 ? written : written.with(lookup.mode, `IF(${isPattern},0,${mode})`);
}

const modeOf = (mode: string): number => (/^TRUE$/i.test(mode) ? 1 : Number(mode) || 0);

/** Longer ones are no patterns: Microsoft's "How to correct a #VALUE! error". */
const MAX_PATTERN = 255;

const isPattern = (sought: Value, mode: Value, wanted: number): boolean =>
  sought.kind === kinds.text &&
  Number(mode.value ?? 0) === wanted &&
  // In the other mode the engine takes numbers for texts.
  (wanted === 2 || /[*?~]/.test(String(sought.value)));

/** The cells of a lookup: of tables the first column, or the first row. */
function soughtIn(cells: Value, name: string): Value[] {
  if (cells.kind !== kinds.array) return [cells];
  const rows = cells.rows!;
  if (name === 'HLOOKUP') return rows[0] ?? [];
  return name === 'VLOOKUP' || rows.length > 1 ? rows.map(([first]) => first!) : (rows[0] ?? []);
}

/** @param maySpend whether so many steps may be taken, else the error */
export function patternFunctions(maySpend: (steps: number) => Value) {
  const like = ([sought, cells, name, order]: readonly Value[]): Value => {
    const pattern = String(sought!.value);
    if (pattern.length > MAX_PATTERN) return error('#VALUE!');
    const texts = soughtIn(cells!, String(name!.value)).flatMap((one) =>
      one.kind === kinds.text ? [String(one.value)] : [],
    );
    const allowed = maySpend(texts.reduce((sum, { length }) => sum + length, 0) / 100);
    if (allowed.kind === kinds.error) return allowed;
    const isLike = likeness(pattern);
    const found = Number(order!.value) < 0 ? texts.findLast(isLike) : texts.find(isLike);
    // No cell has a text with this sign.
    const text = found ?? `${pattern}\uffff`;
    return { kind: kinds.text, value: String(name!.value).startsWith('X') ? text : text.replaceAll(/[~*?]/g, '~$&') };
  };
  return new Map([
    [
      calls.isPattern,
      {
        minArity: 3,
        maxArity: 3,
        invoke: ([sought, mode, wanted]: readonly unknown[]): Value => ({
          kind: kinds.boolean,
          value: isPattern(sought as Value, mode as Value, (wanted as Value).value as number),
        }),
      },
    ],
    [calls.like, { minArity: 4, maxArity: 4, invoke: (args: readonly unknown[]) => like(args as Value[]) }],
  ]);
}
