import type { DataValidation, DataValidationOperator } from '@cj-tech-master/excelts';
import { groupBy } from '../../../../shared/groupBy.ts';
import { parseArea } from '../../workbook/cells/address.ts';
import type { Validation } from '../../workbook/sheet.ts';

/* What may be entered into cells: rules as the API has them, and as a file has them. */

/** The rules with bounds. */
const ruleTypes = { wholeNumber: 'whole', decimal: 'decimal', date: 'date', textLength: 'textLength' } as const;

const operators: Readonly<Record<string, DataValidationOperator>> = {
  Between: 'between',
  NotBetween: 'notBetween',
  EqualTo: 'equal',
  NotEqualTo: 'notEqual',
  GreaterThan: 'greaterThan',
  LessThan: 'lessThan',
  GreaterThanOrEqualTo: 'greaterThanOrEqual',
  LessThanOrEqualTo: 'lessThanOrEqual',
};

type Bounds = { formula1?: unknown; formula2?: unknown; operator?: string };

const operand = (value: unknown): string | number =>
  typeof value === 'number' ? value : String(value ?? '').replace(/^=/, '');

/** A rule with its messages as a file has it; undefined for a rule that allows everything. */
export function validationToFile(
  rule: Validation['rule'],
  settings: Validation['settings'],
): DataValidation | undefined {
  const alert = settings.errorAlert as Record<string, unknown> | undefined;
  const prompt = settings.prompt as Record<string, unknown> | undefined;
  const written = ruleToFile(rule);
  if (written === undefined) return undefined;
  return {
    ...written,
    allowBlank: settings.ignoreBlanks !== false,
    showErrorMessage: alert?.showAlert !== false,
    ...(alert?.message ? { error: String(alert.message), errorTitle: String(alert.title ?? '') } : {}),
    ...(alert?.style ? { errorStyle: String(alert.style).toLowerCase() } : {}),
    ...(prompt?.message
      ? { showInputMessage: true, prompt: String(prompt.message), promptTitle: String(prompt.title ?? '') }
      : {}),
  };
}

function ruleToFile(rule: Validation['rule']): DataValidation | undefined {
  const { list, custom } = rule as { list?: { source?: unknown }; custom?: { formula?: unknown } };
  if (list) {
    const source = String(list.source ?? '');
    return { type: 'list', formulae: [source.startsWith('=') ? source.slice(1) : `"${source.replaceAll('"', '""')}"`] };
  }
  if (custom) return { type: 'custom', formulae: [operand(custom.formula)] };
  for (const [name, type] of Object.entries(ruleTypes)) {
    const bounds = rule[name] as Bounds | undefined;
    if (!bounds) continue;
    const formulae = [bounds.formula1, bounds.formula2].filter((one) => one !== undefined && one !== '').map(operand);
    return { type, operator: operators[bounds.operator ?? 'Between'] ?? 'between', formulae };
  }
  return undefined;
}

/** The rules of a sheet in a file. @param model by area; the library keeps one object for all areas of a rule */
export const validationsFromFile = (model: Readonly<Record<string, DataValidation | undefined>>): Validation[] =>
  [...groupBy(Object.entries(model), ([, validation]) => validation)].flatMap(([validation, entries]) => {
    const rule = validation && ruleFromFile(validation);
    const areas = entries.flatMap(([address]) => parseArea(address.replace(/^range:/, '')) ?? []);
    return rule === undefined || areas.length === 0 ? [] : [{ areas, rule, settings: settingsFromFile(validation!) }];
  });

function settingsFromFile(validation: DataValidation): Validation['settings'] {
  const { allowBlank, showErrorMessage, error, errorTitle, errorStyle, prompt, promptTitle } = validation;
  const style = `${errorStyle ?? 'stop'}`;
  return {
    ignoreBlanks: allowBlank === true,
    errorAlert: {
      message: error ?? '',
      title: errorTitle ?? '',
      showAlert: showErrorMessage === true,
      style: `${style[0]!.toUpperCase()}${style.slice(1)}`,
    },
    ...(prompt === undefined ? {} : { prompt: { message: prompt, title: promptTitle ?? '', showPrompt: true } }),
  };
}

function ruleFromFile(validation: DataValidation): Validation['rule'] | undefined {
  if (validation.type === 'any') return undefined;
  const { type, operator, formulae } = validation;
  const [first, second] = formulae.map((one) => (one instanceof Date ? one.toISOString().slice(0, 10) : one));
  const formulaOf = (value: string | number | undefined) =>
    typeof value === 'string' && !Number.isFinite(Number(value)) ? `=${value}` : value;
  if (type === 'list') {
    const text = String(first ?? '');
    const listed = /^"(.*)"$/s.exec(text)?.[1]?.replaceAll('""', '"');
    return { list: { inCellDropDown: true, source: listed ?? `=${text}` } };
  }
  if (type === 'custom') return { custom: { formula: `=${first ?? ''}` } };
  const name = Object.entries(ruleTypes).find(([, one]) => one === type)?.[0];
  if (name === undefined) return undefined;
  const word = Object.entries(operators).find(([, one]) => one === (operator ?? 'between'))![0];
  const bounds = { formula1: formulaOf(first), operator: word };
  return { [name]: second === undefined ? bounds : { ...bounds, formula2: formulaOf(second) } };
}
