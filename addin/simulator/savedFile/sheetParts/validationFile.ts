import { areaAddress, fixedAddress, isUnbounded, parseArea } from '../../workbook/cells/address.ts';
import { readEntry } from '../../workbook/cells/entry.ts';
import { english } from '../../workbook/cells/locale.ts';
import { rewriteValidation } from '../../workbook/rewrite.ts';
import { withAreas } from '../../workbook/rules/ruledAreas.ts';
import type { Validation } from '../../workbook/sheet.ts';
import { fileFormula, formulaOfFile } from '../fileFormula.ts';
import { escaped, type FoundElement, withContents } from '../fileParts.ts';

/*
 * What may be entered into cells: rules as the API has them, and as a file has them. The library takes the bounds of
 * rules for numbers and dates, also where they are formulas. ECMA-376, SpreadsheetML 18.3.1.32.
 */

/** The rules with bounds. */
const ruleTypes = {
  wholeNumber: 'whole',
  decimal: 'decimal',
  date: 'date',
  time: 'time',
  textLength: 'textLength',
} as const;

const operators: Readonly<Record<string, string>> = {
  Between: 'between',
  NotBetween: 'notBetween',
  EqualTo: 'equal',
  NotEqualTo: 'notEqual',
  GreaterThan: 'greaterThan',
  LessThan: 'lessThan',
  GreaterThanOrEqualTo: 'greaterThanOrEqual',
  LessThanOrEqualTo: 'lessThanOrEqual',
};

type Attributes = Readonly<Record<string, string | undefined>>;
type RuleInFile = { attributes: Attributes; formulas: readonly string[] };

/** A bound: a formula, or the number of what is typed, such as a date. */
const boundToFile = (bound: unknown): string => {
  const text = String(bound ?? '');
  return text.startsWith('=') ? fileFormula(text) : String(readEntry(text, 'General', english).value);
};

function ruleToFile(rule: Validation['rule']): RuleInFile {
  const { list, custom } = rule as {
    list?: { source?: unknown; inCellDropDown?: boolean };
    custom?: { formula?: unknown };
  };
  if (list) {
    const source = String(list.source ?? '');
    const formula = source.startsWith('=') ? fileFormula(source) : `"${source.replaceAll('"', '""')}"`;
    // In a file it says that the arrow is not there.
    return {
      attributes: { type: 'list', showDropDown: list.inCellDropDown === false ? '1' : undefined },
      formulas: [formula],
    };
  }
  if (custom) return { attributes: { type: 'custom' }, formulas: [boundToFile(custom.formula)] };
  for (const [name, type] of Object.entries(ruleTypes)) {
    const bounds = rule[name] as { formula1?: unknown; formula2?: unknown; operator?: string } | undefined;
    if (!bounds) continue;
    const given = [bounds.formula1, bounds.formula2].filter((one) => one !== undefined && one !== '');
    const operator = operators[bounds.operator ?? 'Between'];
    return { attributes: { type, operator }, formulas: given.map(boundToFile) };
  }
  return { attributes: {}, formulas: [] };
}

function settingsToFile(settings: Validation['settings']): Attributes {
  const alert = settings.errorAlert as Record<string, unknown> | undefined;
  const prompt = settings.prompt as Record<string, unknown> | undefined;
  const text = (value: unknown) => (value ? String(value) : undefined);
  return {
    errorStyle: text(alert?.style)?.toLowerCase(),
    allowBlank: settings.ignoreBlanks === false ? undefined : '1',
    showInputMessage: prompt && prompt.showPrompt !== false ? '1' : undefined,
    showErrorMessage: alert?.showAlert === false ? undefined : '1',
    errorTitle: text(alert?.title),
    error: text(alert?.message),
    promptTitle: text(prompt?.title),
    prompt: text(prompt?.message),
  };
}

/** The rules of a sheet as an element of it; nothing without any. Each area has formulas of its own. */
export function validationsToFile(validations: readonly Validation[]): string {
  const written = validations.flatMap((validation) =>
    validation.areas.map((area) => {
      const { rule, settings } = withAreas(validation, [area], rewriteValidation);
      const { attributes, formulas } = ruleToFile(rule);
      // A file has no `A:A`: entire columns go to the last row.
      const sqref = isUnbounded(area) ? fixedAddress('S', area).replace(/^S!|\$/g, '') : areaAddress(area);
      const all = Object.entries({ ...attributes, ...settingsToFile(settings), sqref }).flatMap(([name, value]) =>
        value === undefined ? [] : ` ${name}="${escaped(value)}"`,
      );
      const bounds = formulas.map((formula, at) => `<formula${at + 1}>${escaped(formula)}</formula${at + 1}>`);
      return `<dataValidation${all.join('')}>${bounds.join('')}</dataValidation>`;
    }),
  );
  return written.length === 0 ? '' : `<dataValidations count="${written.length}">${written.join('')}</dataValidations>`;
}

/**
 * The rules of a sheet. Those that name other sheets may be of a later version, in elements with other names within.
 * @param xml of the sheet, from its cells on
 */
export const validationsIn = (xml: string): Validation[] =>
  withContents(xml, 'dataValidation').flatMap((found) => {
    const sqref = found.attributes.sqref ?? withContents(found.contents, 'sqref')[0]?.text ?? '';
    const areas = sqref.split(/\s+/).flatMap((address) => parseArea(address) ?? []);
    return areas.length === 0 ? [] : [{ areas, rule: ruleIn(found), settings: settingsIn(found.attributes) }];
  });

const isSet = (value: string | undefined): boolean => value === '1' || value === 'true';

function settingsIn(attributes: Attributes): Validation['settings'] {
  const { allowBlank, showErrorMessage, error, errorTitle, errorStyle = 'stop' } = attributes;
  const { prompt, promptTitle, showInputMessage } = attributes;
  const hasPrompt = prompt !== undefined || promptTitle !== undefined;
  return {
    ignoreBlanks: isSet(allowBlank),
    errorAlert: {
      message: error ?? '',
      title: errorTitle ?? '',
      showAlert: isSet(showErrorMessage),
      style: `${errorStyle.slice(0, 1).toUpperCase()}${errorStyle.slice(1)}`,
    },
    ...(hasPrompt
      ? { prompt: { message: prompt ?? '', title: promptTitle ?? '', showPrompt: isSet(showInputMessage) } }
      : {}),
  };
}

function ruleIn({ attributes: { type, operator = 'between', showDropDown }, contents }: FoundElement) {
  const [first, second] = ['formula1', 'formula2'].map((name) => {
    const [found] = withContents(contents, name);
    return (found && withContents(found.contents, 'f')[0])?.text ?? found?.text;
  });
  const boundOf = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : formulaOfFile(text));
  if (type === 'list') {
    const listed = /^"(.*)"$/s.exec(first ?? '')?.[1]?.replaceAll('""', '"');
    return { list: { inCellDropDown: !isSet(showDropDown), source: listed ?? formulaOfFile(first ?? '') } };
  }
  if (type === 'custom') return { custom: { formula: formulaOfFile(first ?? '') } };
  const name = Object.entries(ruleTypes).find(([, one]) => one === type)?.[0];
  if (name === undefined || !first) return {};
  const word = Object.entries(operators).find(([, one]) => one === operator)?.[0] ?? 'Between';
  return { [name]: { formula1: boundOf(first), operator: word, ...(second ? { formula2: boundOf(second) } : {}) } };
}
