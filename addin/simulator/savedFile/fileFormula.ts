import { withNamesOf } from '../calculation/engineNames.ts';
import type { Position } from '../workbook/cells/address.ts';
import { rewriteTokens, type Token, tokensOf } from '../workbook/cells/formulas/formulaTokens.ts';
import { formulaTree, type Part, spliced, within } from '../workbook/cells/formulas/formulaTree.ts';
import {
  isOfThisRow,
  mapTable,
  readStructured,
  type Structured,
  showStructured,
  withTable,
} from '../workbook/cells/formulas/structured.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { type Table, tableAt } from '../workbook/table.ts';

/**
 * Functions that are younger than the file format. In files they have a prefix ([MS-XLSX] 2.2.3), without which Excel
 * shows #NAME?.
 */
const futureFunctions = new Set(
  `ACOT ACOTH AGGREGATE ARABIC ARRAYTOTEXT BASE BETA.DIST BETA.INV BINOM.DIST BINOM.DIST.RANGE BINOM.INV BITAND
  BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW CEILING.MATH CEILING.PRECISE CHISQ.DIST CHISQ.DIST.RT CHISQ.INV
  CHISQ.INV.RT CHISQ.TEST CHOOSECOLS CHOOSEROWS COMBINA CONCAT CONFIDENCE.NORM CONFIDENCE.T COT COTH COVARIANCE.P
  COVARIANCE.S CSC CSCH DAYS DECIMAL DROP ENCODEURL ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST F.DIST F.DIST.RT F.INV
  F.INV.RT F.TEST FILTERXML FLOOR.MATH FLOOR.PRECISE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY
  FORECAST.ETS.STAT FORECAST.LINEAR FORMULATEXT GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS HSTACK HYPGEOM.DIST
  IFNA IFS IMCOSH IMCOT IMCSC IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISOMITTED ISOWEEKNUM LAMBDA LET LOGNORM.DIST
  LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT MODE.SNGL MUNIT NEGBINOM.DIST NORM.DIST NORM.INV NORM.S.DIST
  NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI
  POISSON.DIST QUARTILE.EXC QUARTILE.INC RANDARRAY RANK.AVG RANK.EQ REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST RRI
  SCAN SEC SECH SEQUENCE SHEET SHEETS SKEW.P SORTBY STDEV.P STDEV.S SWITCH T.DIST T.DIST.2T T.DIST.RT T.INV T.INV.2T
  T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL TOROW UNICHAR UNICODE UNIQUE VALUETOTEXT VAR.P VAR.S
  VSTACK WEBSERVICE WEIBULL.DIST WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR Z.TEST`.split(/\s+/),
);

/** These two have a longer prefix. */
const worksheetFunctions = new Set(['FILTER', 'SORT']);

const prefixOf = (name: string): string => {
  if (worksheetFunctions.has(name)) return '_xlfn._xlws.';
  return futureFunctions.has(name) ? '_xlfn.' : '';
};

/** A file has functions for the operators of several values: for `A1#` and for `@A1:A9`. */
function withoutOperators(formula: string): string {
  const tree = /[#@]/.test(formula) ? formulaTree(formula) : undefined;
  if (tree === undefined) return formula;
  const write = (part: Part): string => {
    if (part.kind === 'spill') return `_xlfn.ANCHORARRAY(${part.anchor})`;
    const inner = within(part).map(write);
    return part.kind === 'single' ? `_xlfn.SINGLE(${inner[0]})` : spliced(formula, part, inner);
  };
  return write(tree);
}

/** The other way round. */
function withOperators(formula: string): string {
  const tree = /\b(?:ANCHORARRAY|SINGLE)\s*\(/.test(formula) ? formulaTree(formula) : undefined;
  if (tree === undefined) return formula;
  const write = (part: Part): string => {
    const inner = within(part).map(write);
    const [only] = part.kind === 'call' && part.args.length === 1 ? part.args : [];
    if (part.kind === 'call' && part.name === 'ANCHORARRAY' && only?.kind === 'cell') return `${inner[0]}#`;
    if (part.kind === 'call' && part.name === 'SINGLE' && only !== undefined) {
      return only.kind === 'group' ? `@(${inner[0]})` : `@${inner[0]}`;
    }
    return spliced(formula, part, inner);
  };
  return write(tree);
}

const THIS_ROW = '#This Row';

/** The row of the formula as files name it: they have no `[@Amount]` ([MS-XLSX] 2.2.2.1, keyword). */
const withRowNamed = (part: string): string | undefined => {
  const structured = readStructured(part);
  if (!structured?.isThisRow) return undefined;
  return showStructured({ ...structured, isThisRow: false, items: [THIS_ROW, ...structured.items] });
};

/** The row of the formula as Excel shows it. */
const withRowSign = (structured: Structured): string =>
  isOfThisRow(structured) && structured.items.length <= 1
    ? showStructured({ ...structured, isThisRow: true, items: [] })
    : showStructured(structured);

/** A formula of the workbook as Excel writes it into a file, without its leading "=". What LET names has a prefix. */
export const fileFormula = (formula: string): string =>
  rewriteTokens(
    withNamesOf(withoutOperators(formula.slice(1)), (name) => `_xlpm.${name}`),
    ({ kind, text, name, table = '', part }) => {
      if (kind === 'call') return `${prefixOf(name!.toUpperCase())}${text}`;
      const named = kind === 'structured' ? withRowNamed(part!) : undefined;
      return named && `${table}${named}`;
    },
  );

/** The formula of a cell in a file, where its own table is named too. */
export const fileFormulaOfCell = (formula: string, sheet: Sheet, { row, column }: Position): string => {
  const table = formula.includes('[') ? tableAt(sheet, row, column) : undefined;
  return fileFormula(table === undefined ? formula : withTable(formula, table.name));
};

/** A formula of a file in a cell of a table, as Excel shows it: without the name of the table. */
export const inOwnTable = (formula: string, { name }: Table): string =>
  formula.includes('[')
    ? mapTable(formula, { name, isHome: true }, (structured, written) =>
        written === '' || (structured.first === undefined && !structured.isThisRow)
          ? undefined
          : showStructured(structured),
      )
    : formula;

/** Whether Excel accepts a formula. A file with any other formula is damaged for Excel. */
export const isSoundFormula = (formula: string): boolean => {
  const bare = formula.slice(1).replace(/"(?:[^"]|"")*"/g, '0');
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  const isComplete = depth === 0 && !/["|]|[+\-*/^&=<>,;]$|^[*/^&=<>,;]/.test(bare.trim()) && bare.trim() !== '';
  return isComplete && !hasLostSign(formula.slice(1));
};

const constants: readonly Token['kind'][] = ['number', 'text', 'array'];

/** Whether operators follow each other, one lacks beside a constant as in `+31 6 12345678`, or a sign is none. */
function hasLostSign(formula: string): boolean {
  let before: Token['kind'] | undefined;
  let end = 0;
  for (const { kind, index, text } of tokensOf(formula)) {
    const between = formula.slice(end, index).replace(/<=|>=|<>/g, '=');
    end = index + text.length;
    if (/[-+*/^&=<>(]\s*[*/^&=<>]/.test(between) || unknownSign.test(between)) return true;
    const isBehindOperand = before !== undefined && before !== 'call' && before !== 'list';
    if (constants.includes(kind) && (/\)\s*$/.test(between) || (isBehindOperand && between.trim() === ''))) return true;
    if (kind !== 'list' && /%\s*$/.test(between)) return true;
    const isBehindConstant = before !== undefined && constants.includes(before);
    if (isBehindConstant && kind !== 'list' && /^\s*(?:\(|$)/.test(between)) return true;
    before = kind;
  }
  return unknownSign.test(formula.slice(end));
}

const unknownSign = /[^-+*/^&=<>%:()@#!\s]/;

/** A formula of a file as the workbook has it, with its leading "=". */
export const formulaOfFile = (formula: string): string => {
  const named = /#This Row/i.test(formula) ? withRowSigns(formula) : formula;
  return `=${withOperators(named.includes('_xl') ? withoutPrefixes(named) : named)}`;
};

const withoutPrefixes = (formula: string): string =>
  rewriteTokens(formula, ({ kind, text }) =>
    kind === 'call' || kind === 'name' ? text.replace(/^_xlfn\.(?:_xlws\.)?|^_xlpm\./, '') : undefined,
  );

const withRowSigns = (formula: string): string =>
  rewriteTokens(formula, ({ kind, table = '', part }) => {
    const structured = kind === 'structured' ? readStructured(part!) : undefined;
    return structured && isOfThisRow(structured) ? `${table}${withRowSign(structured)}` : undefined;
  });
