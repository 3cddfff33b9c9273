import { oneValue } from '../calculation/argumentKinds.ts';
import { isSeveral } from '../calculation/arrayFormulas.ts';
import { formulaTree, type Part, spliced, within } from '../workbook/cells/formulas/formulaTree.ts';
import { findName } from '../workbook/names.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { allTables, findTable } from '../workbook/table.ts';

/*
 * In a file a formula without the mark of several values is one of before Excel had these: where it takes one value of
 * several cells, it is that in the row or column of the formula. Excel shows `@` there (Microsoft's "Implicit
 * intersection operator").
 */

/** What a place takes: one value, cells as they are, or any values, also those of operators. */
type Takes = 'value' | 'cells' | 'array';

const every = () => true;
/** The arguments, counted from 0, in which operators compute with each value, also without the mark. */
const arrays: Readonly<Record<string, ((index: number) => boolean) | undefined>> = {
  ...Object.fromEntries(
    (
      'SUMPRODUCT MMULT MINVERSE MDETERM SUMX2MY2 SUMX2PY2 SUMXMY2 CORREL COVAR PEARSON SLOPE INTERCEPT RSQ STEYX ' +
      'LINEST LOGEST TREND GROWTH MODE PROB'
    )
      .split(' ')
      .map((name) => [name, every]),
  ),
  INDEX: (index) => index === 0,
  LOOKUP: (index) => index > 0,
  FORECAST: (index) => index > 0,
  AGGREGATE: (index) => index > 1,
};

/** These take one value in arrays too. */
const always = (name: string, index: number): boolean =>
  name === 'IFERROR' || name === 'IFNA' || (name === 'IF' && index === 0);

function takenBy(name: string, index: number, takes: Takes): Takes {
  if (always(name, index)) return 'value';
  if (takes === 'array' || arrays[name]?.(index)) return 'array';
  if (name === 'CHOOSE' || name === 'IF') return index === 0 ? 'value' : takes;
  return oneValue[name]?.(index) || (name === 'LARGE' || name === 'SMALL' ? index === 1 : false) ? 'value' : 'cells';
}

/** What has several cells or values; other formulas stay as they are. */
const severalSign = /[:[{#]|\b(?:INDEX|OFFSET|INDIRECT)\s*\(/i;

/** A formula of before Excel had several values, with its leading "=", as Excel shows it today. */
export function withIntersections(formula: string, home: Sheet): string {
  const { workbook } = home;
  const hasNames =
    workbook.names.length > 0 || workbook.sheets.some(({ names, tables }) => names.length + tables.length);
  if (!hasNames && !severalSign.test(formula)) return formula;
  const text = formula.slice(1);
  const tree = formulaTree(text);
  if (tree === undefined) return formula;

  const isSeveralName = (part: Part & { kind: 'name' }) =>
    (findName(home.names, part.name) ??
      findName(workbook.names, part.name) ??
      findTable(allTables(workbook), part.name)) !== undefined && isSeveral(part, text, home);
  const write = (part: Part, takes: Takes): string => {
    const own = text.slice(part.start, part.end);
    switch (part.kind) {
      case 'cells':
      case 'spill':
        // Cells of several sheets have no row of the formula.
        return takes === 'value' && !/^(?:'[^']*:|[^'!]*:[^!]*!)/.test(own) ? `@${own}` : own;
      case 'name':
        return takes === 'value' && isSeveralName(part) ? `@${own}` : own;
      case 'call': {
        const args = part.args.map((arg, index) => write(arg, takenBy(part.name, index, takes)));
        const isOfCells = part.name === 'INDEX' || part.name === 'OFFSET' || part.name === 'INDIRECT';
        const call = spliced(text, part, args);
        return isOfCells && takes === 'value' && isSeveral(part, text, home) ? `@${call}` : call;
      }
      case 'group': {
        if (part.isRange) return own;
        const between = spliced(
          text,
          part,
          part.parts.map(() => ' '),
        );
        const hasOperator = /[-+*/^&=<>%]/.test(between);
        const inner = hasOperator && takes === 'cells' ? 'value' : takes;
        const isOneArea = hasOperator || part.parts.length === 1;
        return isOneArea
          ? spliced(
              text,
              part,
              within(part).map((one) => write(one, inner)),
            )
          : own;
      }
      default:
        return own;
    }
  };
  const written = write(tree, 'value');
  const after = formulaTree(written);
  // Constants in braces: the result is the first one.
  if (after !== undefined && isSeveral(after, written, home))
    return after.kind === 'group' ? `=@(${written})` : `=@${written}`;
  return `=${written}`;
}
