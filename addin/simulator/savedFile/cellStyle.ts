import type { Border, Borders, Color, Style as FileStyle, StyleInput } from '@cj-tech-master/excelts';
import type { Style } from '../workbook/cells/style.ts';

/* Styles of cells in a workbook and in a file. Both have the names of Excel's menus, written differently. */

/** The colours of Office's own theme, by the numbers that files use. */
const theme = ['FFFFFF', '000000', 'E8E8E8', '0E2841', '156082', 'E97132', '196B24', '0F9ED5', 'A02B93', '4EA72E'];

/** A colour as `#RRGGBB`; undefined for an automatic one. */
function colorOf(color: Partial<Color> & { tint?: number } = {}): string | undefined {
  const hex = color.argb?.slice(-6) ?? theme[color.theme ?? -1];
  if (hex === undefined || !/^[0-9A-Fa-f]{6}$/.test(hex)) return undefined;
  const tint = color.tint ?? 0;
  const channels = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16);
    return Math.round(tint < 0 ? value * (1 + tint) : value + (255 - value) * tint);
  });
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

const argb = (color: string): Partial<Color> => ({ argb: `FF${color.slice(1).toUpperCase()}` });

/** Pairs of words that mean the same: in the API, and in a file. */
const pairs = <Word extends string>(words: Record<string, Word>) => ({
  toFile: (word: string | undefined): Word | undefined => (word === undefined ? undefined : words[word]),
  fromFile: (word: string | undefined) => Object.keys(words).find((key) => words[key] === word),
});

const horizontal = pairs<NonNullable<StyleInput['alignment']['horizontal']>>({
  Left: 'left',
  Center: 'center',
  Right: 'right',
  Fill: 'fill',
  Justify: 'justify',
  CenterAcrossSelection: 'centerContinuous',
  Distributed: 'distributed',
});
const vertical = pairs<NonNullable<StyleInput['alignment']['vertical']>>({
  Top: 'top',
  Center: 'middle',
  Bottom: 'bottom',
  Justify: 'justify',
  Distributed: 'distributed',
});
const underlines = pairs<'single' | 'double' | 'singleAccounting' | 'doubleAccounting'>({
  Single: 'single',
  Double: 'double',
  SingleAccountant: 'singleAccounting',
  DoubleAccountant: 'doubleAccounting',
});
const sides = pairs<'top' | 'bottom' | 'left' | 'right'>({
  EdgeTop: 'top',
  EdgeBottom: 'bottom',
  EdgeLeft: 'left',
  EdgeRight: 'right',
});
/** Lines by their style and weight. */
const lines = pairs<Border['style']>({
  'Continuous Hairline': 'hair',
  'Continuous Thin': 'thin',
  'Continuous Medium': 'medium',
  'Continuous Thick': 'thick',
  'Dash Thin': 'dashed',
  'Dash Medium': 'mediumDashed',
  'DashDot Thin': 'dashDot',
  'DashDot Medium': 'mediumDashDot',
  'DashDotDot Thin': 'dashDotDot',
  'DashDotDot Medium': 'mediumDashDotDot',
  'Dot Thin': 'dotted',
  'Double Thick': 'double',
  'SlantDashDot Medium': 'slantDashDot',
});

/** Dates as the settings of the user's system show them: in the API, and as the library names those of a file. */
const systemDates = pairs<string>({ 'm/d/yyyy': 'mm-dd-yy', 'm/d/yyyy h:mm': 'm/d/yy h:mm' });

type ApiBorder = { style: string; color: string; weight: string };

function bordersToFile(borders: string): Partial<Borders> {
  const found: Record<string, Partial<Border>> = {};
  for (const [side, { style, color, weight }] of Object.entries(JSON.parse(borders) as Record<string, ApiBorder>)) {
    const name = sides.toFile(side);
    const line = lines.toFile(`${style} ${weight}`) ?? lines.toFile(`${style} Thin`) ?? lines.toFile(`${style} Medium`);
    if (name !== undefined && style !== 'None') found[name] = { style: line ?? 'double', color: argb(color) };
  }
  return found;
}

function bordersFromFile(borders: Partial<Borders>): string | undefined {
  const found: Record<string, ApiBorder> = {};
  for (const [name, border] of Object.entries(borders) as [string, Partial<Border>][]) {
    const side = sides.fromFile(name);
    const [style, weight] = lines.fromFile(border?.style)?.split(' ') ?? [];
    if (side !== undefined && style !== undefined) {
      found[side] = { style, color: colorOf(border.color) ?? '#000000', weight: weight! };
    }
  }
  return Object.keys(found).length === 0 ? undefined : JSON.stringify(found);
}

/** A style as a file has it. */
export function styleToFile(style: Style): Partial<StyleInput> {
  const font = {
    ...(style.bold ? { bold: true } : {}),
    ...(style.italic ? { italic: true } : {}),
    ...(style.strikethrough ? { strike: true } : {}),
    ...(style.underline ? { underline: underlines.toFile(style.underline) ?? true } : {}),
    ...(style.fontColor ? { color: argb(style.fontColor) } : {}),
  };
  const hasFont = Object.keys(font).length > 0 || style.fontName !== undefined || style.fontSize !== undefined;
  const alignment = {
    ...(style.horizontalAlignment ? { horizontal: horizontal.toFile(style.horizontalAlignment) } : {}),
    ...(style.verticalAlignment ? { vertical: vertical.toFile(style.verticalAlignment) } : {}),
    ...(style.wrapText ? { wrapText: true } : {}),
    ...(style.indentLevel ? { indent: style.indentLevel } : {}),
  };
  const protection = {
    ...(style.unlocked ? { locked: false } : {}),
    ...(style.formulaHidden ? { hidden: true } : {}),
  };
  return {
    ...(style.numberFormat ? { numFmt: systemDates.toFile(style.numberFormat) ?? style.numberFormat } : {}),
    ...(hasFont ? { font: { name: style.fontName ?? FONT.name, size: style.fontSize ?? FONT.size, ...font } } : {}),
    ...(style.fillColor
      ? { fill: { type: 'pattern', pattern: 'solid', fgColor: argb(style.fillColor) } as const }
      : {}),
    ...(Object.keys(alignment).length > 0 ? { alignment } : {}),
    ...(Object.keys(protection).length > 0 ? { protection } : {}),
    ...(style.borders ? { border: bordersToFile(style.borders) } : {}),
  };
}

/** The font of cells without one of their own. */
export const FONT = { name: 'Aptos Narrow', size: 11 } as const;

/** A style of a file, without what is the same in every cell. @param font of cells without one of their own */
export function styleFromFile(style: Partial<FileStyle>, font: { name?: string; size?: number }): Style {
  const { numFmt, fill, alignment = {}, protection = {}, border } = style;
  const own = style.font ?? {};
  const written = typeof numFmt === 'string' ? numFmt : numFmt?.formatCode;
  const format = systemDates.fromFile(written) ?? written;
  const fillColor = fill?.type === 'pattern' && fill.pattern === 'solid' ? colorOf(fill.fgColor) : undefined;
  const fontColor = colorOf(own.color);
  const underline = own.underline === true ? 'Single' : underlines.fromFile(String(own.underline));
  const borders = border && bordersFromFile(border);
  const across = horizontal.fromFile(alignment.horizontal);
  const down = vertical.fromFile(alignment.vertical);
  return {
    ...(format && format !== 'General' ? { numberFormat: format } : {}),
    ...(own.bold ? { bold: true } : {}),
    ...(own.italic ? { italic: true } : {}),
    ...(own.strike ? { strikethrough: true } : {}),
    ...(underline ? { underline } : {}),
    ...(own.name && own.name !== font.name ? { fontName: own.name } : {}),
    ...(own.size && own.size !== font.size ? { fontSize: own.size } : {}),
    ...(fontColor && fontColor !== '#000000' ? { fontColor } : {}),
    ...(fillColor ? { fillColor } : {}),
    ...(across ? { horizontalAlignment: across } : {}),
    ...(down && down !== 'Bottom' ? { verticalAlignment: down } : {}),
    ...(alignment.wrapText ? { wrapText: true } : {}),
    ...(alignment.indent ? { indentLevel: alignment.indent } : {}),
    ...(protection.locked === false ? { unlocked: true } : {}),
    ...(protection.hidden ? { formulaHidden: true } : {}),
    ...(borders ? { borders } : {}),
  };
}
