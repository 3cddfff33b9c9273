import { areaAddress, parseArea } from '../workbook/cells/address.ts';
import type { ConditionalFormat, ConditionalRule } from '../workbook/sheet.ts';
import { fileFormula, formulaOfFile } from './fileFormula.ts';
import { elements, escaped, type FoundElement, withContents } from './fileParts.ts';

/*
 * Conditional formats in a file. The library reads some kinds of them only, and not all of those. ECMA-376,
 * SpreadsheetML 18.3.1.18.
 */

/** What each kind of rule in a file is called in the API. */
const types: Readonly<Record<string, string>> = {
  expression: 'Custom',
  cellIs: 'CellValue',
  colorScale: 'ColorScale',
  dataBar: 'DataBar',
  iconSet: 'IconSet',
  top10: 'TopBottom',
  containsText: 'ContainsText',
  notContainsText: 'ContainsText',
  beginsWith: 'ContainsText',
  endsWith: 'ContainsText',
};

const ruleAttributes = ['aboveAverage', 'bottom', 'equalAverage', 'operator', 'percent', 'priority', 'rank', 'stdDev'];
ruleAttributes.push('stopIfTrue', 'text', 'timePeriod', 'type');
const scaleAttributes = ['iconSet', 'maxLength', 'minLength', 'percent', 'reverse', 'showValue'];
const valueAttributes = ['type', 'val', 'gte'];
const colorAttributes = ['auto', 'indexed', 'rgb', 'theme', 'tint'];

type Attributes = Readonly<Record<string, string>>;

const only = (names: readonly string[], attributes: Attributes): Attributes =>
  Object.fromEntries(names.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])));

/**
 * The conditional formats of a sheet.
 * @param xml of the sheet, from its cells on
 * @param styles the part of the file with its styles
 * @param newId of a format
 */
export function conditionalFormatsIn(xml: string, styles: string, newId: () => string): ConditionalFormat[] {
  const formats = formatsIn(styles);
  return withContents(xml, 'conditionalFormatting').flatMap(({ attributes, contents }) => {
    const areas = (attributes.sqref ?? '').split(/\s+/).flatMap((address) => parseArea(address) ?? []);
    if (areas.length === 0) return [];
    return withContents(contents, 'cfRule').map((found) => ({
      id: newId(),
      areas,
      type: types[found.attributes.type ?? ''] ?? 'PresetCriteria',
      settings: {},
      rule: ruleIn(found, formats),
    }));
  });
}

/** Whether a sheet has what our rules have no place for: data bars and icons of later versions. */
export const hasLaterFormats = (xml: string): boolean => /<x14:conditionalFormatting\b/.test(xml);

function ruleIn({ attributes, contents }: FoundElement, formats: readonly string[]): ConditionalRule {
  const [scale] = ['colorScale', 'dataBar', 'iconSet'].flatMap((element) =>
    withContents(contents, element).map((found) => ({
      element,
      attributes: only(scaleAttributes, found.attributes),
      values: elements(found.contents, 'cfvo').map((value) => only(valueAttributes, value)),
      colors: elements(found.contents, 'color').map((color) => only(colorAttributes, color)),
    })),
  );
  const format = formats[Number(attributes.dxfId ?? -1)];
  return {
    attributes: only(ruleAttributes, attributes),
    formulas: withContents(contents, 'formula').map((formula) => formulaOfFile(formula.text)),
    ...(scale === undefined ? {} : { scale }),
    ...(format === undefined ? {} : { format }),
  };
}

/** The formats of cells that meet a condition, by their numbers: XML, which is written again as it is. */
const formatsIn = (styles: string): string[] => {
  const list = withContents(styles, 'dxfs')[0]?.contents ?? '';
  return [...list.matchAll(/<dxf\b[^>]*\/>|<dxf\b.*?<\/dxf>/gs)].map(([whole]) => whole);
};

const attributesToFile = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

/**
 * The conditional formats of a sheet as elements of it.
 * @param addFormat of cells that meet a condition; it gives its number
 */
export const conditionalFormatsToFile = (
  formats: readonly ConditionalFormat[],
  addFormat: (xml: string) => number,
): string =>
  formats
    .flatMap(({ areas, rule }) => {
      if (rule === undefined) return [];
      const sqref = areas.map((area) => areaAddress(area)).join(' ');
      return `<conditionalFormatting sqref="${sqref}">${ruleToFile(rule, addFormat)}</conditionalFormatting>`;
    })
    .join('');

function ruleToFile(
  { attributes, formulas, scale, format }: ConditionalRule,
  addFormat: (xml: string) => number,
): string {
  const all = { ...attributes, ...(format === undefined ? {} : { dxfId: String(addFormat(format)) }) };
  const inner = formulas.map((formula) => `<formula>${escaped(fileFormula(formula))}</formula>`);
  if (scale !== undefined) {
    const parts = [
      ...scale.values.map((value) => `<cfvo${attributesToFile(value)}/>`),
      ...scale.colors.map((color) => `<color${attributesToFile(color)}/>`),
    ];
    inner.push(`<${scale.element}${attributesToFile(scale.attributes)}>${parts.join('')}</${scale.element}>`);
  }
  return `<cfRule${attributesToFile(all)}>${inner.join('')}</cfRule>`;
}
