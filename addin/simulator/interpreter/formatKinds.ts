import { MAX_COLUMNS } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { type Style, withProperty } from '../workbook/cells/style.ts';
import { autofitColumns } from '../workbook/changes/autofit.ts';
import { commonStyle, restyle, setStyle } from '../workbook/changes/restyle.ts';
import { assertWritable, STANDARD_COLUMN_WIDTH, STANDARD_ROW_HEIGHT, styleAt } from '../workbook/sheet.ts';
import { given, hostObject, type Kind, type Kinds } from './hostObject.ts';
import { setHeight, setWidth, size } from './rangeSizes.ts';
import type { BorderTarget, RangeTarget } from './targets.ts';

const property = <Name extends keyof Style>(
  name: Name,
  fallback: NonNullable<Style[Name]>,
  check: (value: unknown) => NonNullable<Style[Name]>,
) => ({
  get: ({ sheet, area }: RangeTarget) => commonStyle(sheet, area, name, fallback),
  set: ({ sheet, area }: RangeTarget, value: unknown) => {
    const checked = check(value);
    setStyle(sheet, area, name, (checked === fallback ? undefined : checked) as Style[Name]);
  },
});

const oneOf =
  (...allowed: string[]) =>
  (value: unknown): string => {
    const found = allowed.find((name) => name === value);
    if (!found) throw new ExcelError('InvalidArgument');
    return found;
  };

const positive = (value: unknown): number => {
  if (typeof value !== 'number' || !(value > 0)) throw new ExcelError('InvalidArgument');
  return value;
};

/** HTML colour names an add-in is likely to use; the rest must be written #RRGGBB. */
const colorNames: Record<string, string> = {
  black: '#000000',
  blue: '#0000FF',
  brown: '#A52A2A',
  coral: '#FF7F50',
  crimson: '#DC143C',
  cyan: '#00FFFF',
  darkblue: '#00008B',
  darkgreen: '#006400',
  darkmagenta: '#8B008B',
  darkred: '#8B0000',
  gold: '#FFD700',
  gray: '#808080',
  green: '#008000',
  grey: '#808080',
  lightblue: '#ADD8E6',
  lightgray: '#D3D3D3',
  lightgreen: '#90EE90',
  lightyellow: '#FFFFE0',
  magenta: '#FF00FF',
  navy: '#000080',
  orange: '#FFA500',
  pink: '#FFC0CB',
  purple: '#800080',
  red: '#FF0000',
  silver: '#C0C0C0',
  teal: '#008080',
  white: '#FFFFFF',
  yellow: '#FFFF00',
};

/** A colour as #RRGGBB; InvalidArgument for what is none. */
export const color = (value: unknown): string => {
  const written = given.text(value).trim();
  const named = colorNames[written.toLowerCase()];
  if (named) return named;
  const hex = /^#?([0-9a-f]{6})$/i.exec(written);
  if (!hex) throw new ExcelError('InvalidArgument');
  return `#${hex[1]!.toUpperCase()}`;
};

const fontKind: Kind<RangeTarget> = {
  scalars: {
    Bold: property('bold', false, given.truth),
    Color: property('fontColor', '#000000', color),
    Italic: property('italic', false, given.truth),
    Name: property('fontName', 'Aptos Narrow', given.text),
    Size: property('fontSize', 11, positive),
    Strikethrough: property('strikethrough', false, given.truth),
    Underline: property('underline', 'None', oneOf('None', 'Single', 'Double', 'SingleAccountant', 'DoubleAccountant')),
  },
};

const fillKind: Kind<RangeTarget> = {
  scalars: { Color: property('fillColor', '#FFFFFF', color) },
  methods: { Clear: ({ sheet, area }) => setStyle(sheet, area, 'fillColor', undefined) },
};

const protectionKind: Kind<RangeTarget> = {
  scalars: {
    Locked: {
      get: ({ sheet, area }) => {
        const unlocked = commonStyle(sheet, area, 'unlocked', false);
        return unlocked === null ? null : !unlocked;
      },
      set: ({ sheet, area }, value) => setStyle(sheet, area, 'unlocked', given.truth(value) ? undefined : true),
    },
    FormulaHidden: property('formulaHidden', false, given.truth),
  },
};

type Side = { style: string; color: string; weight: string };
const sides = [
  'EdgeTop',
  'EdgeBottom',
  'EdgeLeft',
  'EdgeRight',
  'InsideVertical',
  'InsideHorizontal',
  'DiagonalDown',
  'DiagonalUp',
];

const noBorder: Side = { style: 'None', color: '#000000', weight: 'Thin' };

const bordersOf = (style: Style): Record<string, Side> => (style.borders ? JSON.parse(style.borders) : {});

const borderProperty = (name: keyof Side, check: (value: unknown) => string) => ({
  get: ({ range, side }: BorderTarget) =>
    (bordersOf(styleAt(range.sheet, range.area.row, range.area.column))[side] ?? noBorder)[name],
  set: ({ range: { sheet, area }, side }: BorderTarget, value: unknown) => {
    const checked = check(value);
    assertWritable(sheet, area, 'allowFormatCells');
    restyle(sheet, area, (style) => {
      const borders = bordersOf(style);
      const before = borders[side] ?? { ...noBorder, style: name === 'style' ? 'None' : 'Continuous' };
      return withProperty(style, 'borders', JSON.stringify({ ...borders, [side]: { ...before, [name]: checked } }));
    });
  },
});

const borderKind: Kind<BorderTarget> = {
  id: ({ side }) => side,
  scalars: {
    SideIndex: { get: ({ side }) => side },
    Style: borderProperty(
      'style',
      oneOf('None', 'Continuous', 'Dash', 'DashDot', 'DashDotDot', 'Dot', 'Double', 'SlantDashDot'),
    ),
    Weight: borderProperty('weight', oneOf('Hairline', 'Thin', 'Medium', 'Thick')),
    Color: borderProperty('color', color),
  },
};

const bordersKind: Kind<RangeTarget> = {
  scalars: { Count: { get: () => sides.length } },
  items: (range) => sides.map((side) => hostObject('RangeBorder', { range, side })),
  item: (range, key) => {
    const side = sides.find((name) => name === key);
    return side === undefined ? undefined : hostObject('RangeBorder', { range, side });
  },
  methods: {
    GetItemAt: (range, [index]) => hostObject('RangeBorder', { range, side: sides[given.whole(index)] ?? '' }),
  },
};

const formatKind: Kind<RangeTarget> = {
  scalars: {
    ColumnWidth: {
      get: (target) => size(target, 'column'),
      set: ({ sheet, area }, value) => {
        if (typeof value !== 'number' || value < 0) throw new ExcelError('InvalidArgument');
        assertWritable(sheet, area, 'allowFormatColumns');
        setWidth(sheet, area, value);
      },
    },
    HorizontalAlignment: property(
      'horizontalAlignment',
      'General',
      oneOf('General', 'Left', 'Center', 'Right', 'Fill', 'Justify', 'CenterAcrossSelection', 'Distributed'),
    ),
    IndentLevel: property('indentLevel', 0, given.whole),
    RowHeight: {
      get: (target) => size(target, 'row'),
      set: ({ sheet, area }, value) => {
        if (typeof value !== 'number' || value < 0 || value > 409.5) throw new ExcelError('InvalidArgument');
        assertWritable(sheet, area, 'allowFormatRows');
        setHeight(sheet, area, value);
      },
    },
    UseStandardHeight: {
      get: (target) => size(target, 'row') === STANDARD_ROW_HEIGHT,
      set: ({ sheet, area }, value) => {
        if (given.truth(value)) setHeight(sheet, area, undefined);
      },
    },
    UseStandardWidth: {
      get: (target) => size(target, 'column') === STANDARD_COLUMN_WIDTH,
      set: ({ sheet, area }, value) => {
        if (given.truth(value)) setWidth(sheet, { ...area, columns: Math.min(area.columns, MAX_COLUMNS) }, undefined);
      },
    },
    VerticalAlignment: property(
      'verticalAlignment',
      'Bottom',
      oneOf('Top', 'Center', 'Bottom', 'Justify', 'Distributed'),
    ),
    WrapText: property('wrapText', false, given.truth),
  },
  children: {
    Borders: (target) => hostObject('RangeBorderCollection', target),
    Fill: (target) => hostObject('RangeFill', target),
    Font: (target) => hostObject('RangeFont', target),
    Protection: (target) => hostObject('FormatProtection', target),
  },
  methods: {
    AutofitColumns: ({ sheet, area }) => autofitColumns(sheet, area),
    AutofitRows: ({ sheet, area }) => setHeight(sheet, area, undefined),
  },
};

export const formatKinds = {
  FormatProtection: protectionKind,
  RangeBorder: borderKind,
  RangeBorderCollection: bordersKind,
  RangeFill: fillKind,
  RangeFont: fontKind,
  RangeFormat: formatKind,
} satisfies Partial<Kinds>;
