import type { Position } from './cells/address.ts';
import { type ConditionalFormat, putCell, type Sheet, type Validation, withFormula, withoutTelling } from './sheet.ts';
import type { Workbook } from './workbook.ts';

/* Changes of formulas wherever a workbook has them: in cells, names, rules of validation and conditional formats. */

/**
 * The new text of a formula; the same one when it stays.
 * @param home the sheet that it stands on
 * @param cell in which it stands, or the first one of a rule; undefined for names
 */
export type Rewriting = (formula: string, home: Sheet, cell: Position | undefined) => string;

/** Rewrites the formulas in the cells of a sheet. @returns whether there was one to change */
export const rewriteCellsOf = (sheet: Sheet, rewrite: Rewriting): boolean => {
  let hasChanged = false;
  if (sheet.formulas === 0) return false;
  sheet.rows.forEach((line, row) => {
    line?.cells.forEach((cell, column) => {
      if (!cell?.formula) return;
      const formula = rewrite(cell.formula, sheet, { row, column });
      if (formula === cell.formula) return;
      putCell(sheet, row, column, withFormula(cell, formula));
      hasChanged = true;
    });
  });
  return hasChanged;
};

/** Rewrites the formulas in cells. @returns whether there was one to change */
export const rewriteCells = (workbook: Workbook, rewrite: Rewriting): boolean =>
  withoutTelling(workbook, () => workbook.sheets.map((sheet) => rewriteCellsOf(sheet, rewrite)).includes(true));

/** Rewrites the formulas of names. @returns whether there was one to change */
export const rewriteNames = (workbook: Workbook, rewrite: Rewriting): boolean => {
  let hasChanged = false;
  for (const name of [...workbook.names, ...workbook.sheets.flatMap(({ names }) => names)]) {
    const formula = rewrite(name.formula, name.scope ?? workbook.active, undefined);
    hasChanged ||= formula !== name.formula;
    name.formula = formula;
  }
  return hasChanged;
};

/** The parts of rules that may be formulas. */
const formulaParts = /^(?:formula[12]?|source)$/i;

/** A rule of the API, with other formulas in it; the same one when none changes. */
const rewriteRule = <Part>(part: Part, rewrite: (formula: string) => string): Part => {
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => {
    const isFormula = typeof value === 'string' && value.startsWith('=') && formulaParts.test(name);
    return [name, isFormula ? rewrite(value) : rewriteRule(value, rewrite)] as const;
  });
  if (entries.every(([name, value]) => value === (part as Record<string, unknown>)[name])) return part;
  return (Array.isArray(part) ? entries.map(([, value]) => value) : Object.fromEntries(entries)) as Part;
};

/** A conditional format with other formulas: those of the API, and those of a file. */
export const rewriteFormat = (format: ConditionalFormat, rewrite: (formula: string) => string): ConditionalFormat => {
  const { rule, settings } = format;
  const scale = rule?.scale && {
    ...rule.scale,
    values: rule.scale.values.map((value) => (value.val === undefined ? value : { ...value, val: rewrite(value.val) })),
  };
  return {
    ...format,
    settings: rewriteRule(settings, rewrite),
    ...(rule && { rule: { ...rule, formulas: rule.formulas.map(rewrite), ...(scale && { scale }) } }),
  };
};

export const rewriteValidation = (validation: Validation, rewrite: (formula: string) => string): Validation => {
  const rule = rewriteRule(validation.rule, rewrite);
  return rule === validation.rule ? validation : { ...validation, rule };
};

/** Rewrites the formulas of the rules of a sheet, which are as they are for the first cell of each. */
export const rewriteRules = (sheet: Sheet, rewrite: Rewriting): void => {
  sheet.validations = sheet.validations.map((validation) =>
    rewriteValidation(validation, (formula) => rewrite(formula, sheet, validation.areas[0])),
  );
  sheet.conditionalFormats = sheet.conditionalFormats.map((format) =>
    rewriteFormat(format, (formula) => rewrite(formula, sheet, format.areas[0])),
  );
};

/** Rewrites all formulas of a workbook. */
export const rewriteFormulas = (workbook: Workbook, rewrite: Rewriting): void => {
  const inCells = rewriteCells(workbook, rewrite);
  const inNames = rewriteNames(workbook, rewrite);
  for (const sheet of workbook.sheets) rewriteRules(sheet, rewrite);
  if (inCells || inNames) workbook.emit({ kind: 'references' });
};
