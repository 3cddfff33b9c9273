import { strFromU8, strToU8, type Unzipped } from 'fflate';
import type { CalculationMode } from '../workbook/workbook.ts';
import { elements } from './fileParts.ts';

/* When the formulas of a workbook are calculated: ECMA-376, SpreadsheetML 18.2.2 and 18.18.4. */

const WORKBOOK = 'xl/workbook.xml';

const modes: Readonly<Record<string, CalculationMode>> = { manual: 'Manual', autoNoTable: 'AutomaticExceptTables' };

export function calculationModeIn(parts: Unzipped): CalculationMode {
  const [properties] = elements(strFromU8(parts[WORKBOOK] ?? new Uint8Array()), 'calcPr');
  return modes[properties?.calcMode ?? ''] ?? 'Automatic';
}

/** Gives a file the mode of its workbook. The library writes none, which is the automatic one. */
export function addCalculationMode(parts: Unzipped, mode: CalculationMode): void {
  const [name] = Object.entries(modes).find(([, one]) => one === mode) ?? [];
  if (name === undefined) return;
  const xml = strFromU8(parts[WORKBOOK]!);
  parts[WORKBOOK] = strToU8(xml.replace('<calcPr ', `<calcPr calcMode="${name}" `));
}
