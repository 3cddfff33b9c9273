import { isDateFormat } from 'numfmt';
import { resolveReference } from '../reference.ts';
import { numberFormatAt, type Sheet } from '../sheet.ts';

/** Functions whose results have the format of the cells that they take. */
const takingFormats = new Set(['SUM', 'MIN', 'MAX', 'AVERAGE', 'SUBTOTAL']);

/**
 * The number format that Excel gives a cell in which a formula is entered, if it is General: that of a date for TODAY,
 * DATE and NOW, and that of the cells which are added, subtracted or repeated. Undefined: it stays General.
 * @param formula in English, with its leading "="
 */
export function formatOfFormula(formula: string, sheet: Sheet): string | undefined {
  const source = formula.slice(1).trim();
  const { shortDate } = sheet.workbook.locale;
  const call = wholeCall(source);
  if (call?.name === 'TODAY' || call?.name === 'DATE') return shortDate;
  if (call?.name === 'NOW') return `${shortDate} h:mm`;
  if (call !== undefined) {
    if (!takingFormats.has(call.name)) return undefined;
    const taken = call.name === 'SUBTOTAL' ? call.taken.replace(/^[^,]*,/, '') : call.taken;
    return formatAt(taken.split(',')[0]!, sheet);
  }
  const operands = /^[^()"&<>=*/^{}]+$/.test(source) ? source.split(/(?<=[\p{L}\p{N}\]'])\s*[+-]/u) : [];
  const [first, ...others] = operands.map((operand) => formatAt(operand, sheet));
  // The days between two dates are a number.
  return first !== undefined &&
    isDateFormat(first) &&
    others.some((other) => other !== undefined && isDateFormat(other))
    ? undefined
    : first;
}

/** A formula that is one call of a function. */
function wholeCall(source: string): { name: string; taken: string } | undefined {
  const [, name, taken] = /^([A-Z][A-Z0-9.]*)\((.*)\)$/is.exec(source) ?? [];
  if (name === undefined || taken === undefined) return undefined;
  let depth = 0;
  for (const sign of taken.replace(/"(?:[^"]|"")*"/g, '')) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (depth < 0) return undefined;
  }
  return { name: name.toUpperCase(), taken };
}

/** The format of the first cell of a reference; undefined for something else, and for General. */
function formatAt(text: string, sheet: Sheet): string | undefined {
  const found = resolveReference(sheet.workbook, text.trim(), sheet);
  const format = found && numberFormatAt(found.sheet, found.area.row, found.area.column);
  return format === 'General' || format === '@' ? undefined : format;
}
