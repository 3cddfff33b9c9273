import { color } from '../workbook/cells/color.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { type Style, withProperty } from '../workbook/cells/style.ts';
import { autofitColumns } from '../workbook/changes/autofit.ts';
import { commonStyle, restyle, setStyle } from '../workbook/changes/restyle.ts';
import { assertWritable, styleAt } from '../workbook/sheet.ts';
import { argument, collection, hostObject, type Kinds } from './hostObject.ts';
import { setHeight, setWidth, size } from './rangeSizes.ts';
import type { BorderTarget, RangeTarget } from './targets.ts';

/** The largest height of a row, in points. */
const MAX_ROW_HEIGHT = 409.5;

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

const fontSize = (value: unknown): number => {
  if (argument.size(value) === 0) throw new ExcelError('InvalidArgument');
  return value as number;
};

type Border = { style: string; color: string; weight: string };

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

const noBorder: Border = { style: 'None', color: '#000000', weight: 'Thin' };

const bordersOf = (style: Style): Record<string, Border> => (style.borders ? JSON.parse(style.borders) : {});

const borderProperty = (name: keyof Border, check: (value: unknown) => string) => ({
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

export const formatKinds = {
  FormatProtection: {
    scalars: {
      Locked: {
        get: ({ sheet, area }) => {
          const unlocked = commonStyle(sheet, area, 'unlocked', false);
          return unlocked === null ? null : !unlocked;
        },
        set: ({ sheet, area }, value) => setStyle(sheet, area, 'unlocked', argument.boolean(value) ? undefined : true),
      },
      FormulaHidden: property('formulaHidden', false, argument.boolean),
    },
  },

  RangeBorder: {
    id: ({ side }) => side,
    scalars: {
      Style: borderProperty(
        'style',
        argument.oneOf('None', 'Continuous', 'Dash', 'DashDot', 'DashDotDot', 'Dot', 'Double', 'SlantDashDot'),
      ),
      Weight: borderProperty('weight', argument.oneOf('Hairline', 'Thin', 'Medium', 'Thick')),
      Color: borderProperty('color', color),
    },
  },

  RangeBorderCollection: collection(
    'RangeBorder',
    (range) => sides.map((side) => ({ range, side })),
    (range, key) => (sides.some((side) => side === key) ? { range, side: String(key) } : undefined),
    ['Count', 'GetItemAt'],
  ),

  RangeFill: {
    scalars: { Color: property('fillColor', '#FFFFFF', color) },
    methods: { Clear: ({ sheet, area }) => setStyle(sheet, area, 'fillColor', undefined) },
  },

  RangeFont: {
    scalars: {
      Bold: property('bold', false, argument.boolean),
      Color: property('fontColor', '#000000', color),
      Italic: property('italic', false, argument.boolean),
      Name: property('fontName', 'Aptos Narrow', argument.text),
      Size: property('fontSize', 11, fontSize),
      Strikethrough: property('strikethrough', false, argument.boolean),
      Underline: property(
        'underline',
        'None',
        argument.oneOf('None', 'Single', 'Double', 'SingleAccountant', 'DoubleAccountant'),
      ),
    },
  },

  RangeFormat: {
    scalars: {
      ColumnWidth: {
        get: (target) => size(target, 'column'),
        set: ({ sheet, area }, value) => {
          const width = argument.size(value);
          assertWritable(sheet, area, 'allowFormatColumns');
          setWidth(sheet, area, width);
        },
      },
      HorizontalAlignment: property(
        'horizontalAlignment',
        'General',
        argument.oneOf(
          ...['General', 'Left', 'Center', 'Right', 'Fill', 'Justify', 'CenterAcrossSelection', 'Distributed'],
        ),
      ),
      IndentLevel: property('indentLevel', 0, argument.integer),
      RowHeight: {
        get: (target) => size(target, 'row'),
        set: ({ sheet, area }, value) => {
          const height = argument.size(value);
          if (height > MAX_ROW_HEIGHT) throw new ExcelError('InvalidArgument');
          assertWritable(sheet, area, 'allowFormatRows');
          setHeight(sheet, area, height);
        },
      },
      VerticalAlignment: property(
        'verticalAlignment',
        'Bottom',
        argument.oneOf('Top', 'Center', 'Bottom', 'Justify', 'Distributed'),
      ),
      WrapText: property('wrapText', false, argument.boolean),
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
  },
} satisfies Partial<Kinds>;
