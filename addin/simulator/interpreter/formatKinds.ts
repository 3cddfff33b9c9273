import {
  type Area,
  cellArea,
  eachCell,
  intersection,
  isUnbounded,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
  wholeSheet,
} from '../workbook/cells/address.ts';
import { color } from '../workbook/cells/color.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { plainStyle, type Style, withProperty } from '../workbook/cells/style.ts';
import { autofitColumns } from '../workbook/changes/autofit.ts';
import { commonStyle, restyle, setStyle } from '../workbook/changes/restyle.ts';
import { assertWritable, forEachCell, putCell, type Sheet, styleAt, usedArea } from '../workbook/sheet.ts';
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

const noBorder: Border = { style: 'None', color: '#000000', weight: 'Thin' };

/** A side of cells: which cells of an area have it, and on which side their neighbours have the same line. */
type Line = { side: string; of: (area: Area) => Area; opposite?: { side: string; down: number; across: number } };

const top: Line = {
  side: 'EdgeTop',
  of: (area) => ({ ...area, rows: 1 }),
  opposite: { side: 'EdgeBottom', down: -1, across: 0 },
};
const bottom: Line = {
  side: 'EdgeBottom',
  of: (area) => ({ ...area, row: area.row + area.rows - 1, rows: area.rows === MAX_ROWS ? 0 : 1 }),
  opposite: { side: 'EdgeTop', down: 1, across: 0 },
};
const left: Line = {
  side: 'EdgeLeft',
  of: (area) => ({ ...area, columns: 1 }),
  opposite: { side: 'EdgeRight', down: 0, across: -1 },
};
const right: Line = {
  side: 'EdgeRight',
  of: (area) => ({ ...area, column: area.column + area.columns - 1, columns: area.columns === MAX_COLUMNS ? 0 : 1 }),
  opposite: { side: 'EdgeLeft', down: 0, across: 1 },
};

/**
 * The borders of a range as sides of its cells: along its edge, between its cells, or across each. Entire rows and
 * columns have none at the end of the sheet.
 */
const lines: Readonly<Record<string, Line>> = {
  EdgeTop: top,
  EdgeBottom: bottom,
  EdgeLeft: left,
  EdgeRight: right,
  InsideVertical: {
    ...right,
    of: (area) => (area.columns === MAX_COLUMNS ? area : { ...area, columns: area.columns - 1 }),
  },
  InsideHorizontal: { ...bottom, of: (area) => (area.rows === MAX_ROWS ? area : { ...area, rows: area.rows - 1 }) },
  DiagonalDown: { side: 'DiagonalDown', of: (area) => area },
  DiagonalUp: { side: 'DiagonalUp', of: (area) => area },
};

const bordersOf = (style: Style): Record<string, Border> => (style.borders ? JSON.parse(style.borders) : {});

/** The cells on the other side of the lines of some cells. */
const acrossFrom = (area: Area, { down, across }: { down: number; across: number }): Area | undefined =>
  intersection(wholeSheet, { ...area, row: area.row + down, column: area.column + across });

/** The border of one cell, which may be that of its neighbour. */
const borderAt = (sheet: Sheet, { row, column }: Position, { side, opposite }: Line): Border => {
  const own = bordersOf(styleAt(sheet, row, column))[side];
  const beyond = opposite && acrossFrom(cellArea({ row, column }), opposite);
  const shared = beyond && bordersOf(styleAt(sheet, beyond.row, beyond.column))[opposite.side];
  return own ?? shared ?? noBorder;
};

const borderProperty = (name: keyof Border, check: (value: unknown) => string) => ({
  /** Null when the lines differ. Of entire rows and columns, as the first cells have it. */
  get: ({ range: { sheet, area }, side }: BorderTarget) => {
    const line = lines[side]!;
    const cells = line.of(isUnbounded(area) ? (usedArea(sheet, false, area) ?? cellArea(area)) : area);
    if (cells.rows < 1 || cells.columns < 1) return noBorder[name];
    const found = borderAt(sheet, cells, line)[name];
    let isCommon = true;
    eachCell(cells, (row, column) => {
      if (borderAt(sheet, { row, column }, line)[name] !== found) isCommon = false;
    });
    return isCommon ? found : null;
  },
  set: ({ range: { sheet, area }, side }: BorderTarget, value: unknown) => {
    const checked = check(value);
    assertWritable(sheet, area, 'allowFormatCells');
    const line = lines[side]!;
    const cells = line.of(area);
    if (cells.rows < 1 || cells.columns < 1) return;
    restyle(sheet, cells, (style, row, column) => {
      const known = borderAt(sheet, { row, column }, line);
      const before = known === noBorder && name !== 'style' ? { ...noBorder, style: 'Continuous' } : known;
      const borders = { ...bordersOf(style), [line.side]: { ...before, [name]: checked } };
      return withProperty(style, 'borders', JSON.stringify(borders));
    });
    const beyond = line.opposite && acrossFrom(cells, line.opposite);
    if (beyond) forget(sheet, beyond, line.opposite!.side);
  },
});

/** Cells no longer have a border of their own where the neighbour has the line now. */
const forget = (sheet: Sheet, area: Area, side: string): void =>
  forEachCell(sheet, area, (cell, row, column) => {
    const { [side]: gone, ...others } = bordersOf(cell.style ?? plainStyle);
    if (!gone) return;
    const kept = Object.keys(others).length === 0 ? undefined : JSON.stringify(others);
    putCell(sheet, row, column, { ...cell, style: withProperty(cell.style!, 'borders', kept) });
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
    (range) => Object.keys(lines).map((side) => ({ range, side })),
    (range, key) => (typeof key === 'string' && Object.hasOwn(lines, key) ? { range, side: key } : undefined),
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
      AutofitColumns: ({ sheet, area }) => {
        assertWritable(sheet, area, 'allowFormatColumns');
        autofitColumns(sheet, area);
      },
      AutofitRows: ({ sheet, area }) => {
        assertWritable(sheet, area, 'allowFormatRows');
        setHeight(sheet, area, undefined);
      },
    },
  },
} satisfies Partial<Kinds>;
