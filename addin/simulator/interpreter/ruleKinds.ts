import { type Area, cellArea, contains, intersection } from '../workbook/cells/address.ts';
import { color } from '../workbook/cells/color.ts';
import { readEntry } from '../workbook/cells/entry.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { english } from '../workbook/cells/locale.ts';
import { rewriteFormat, rewriteValidation } from '../workbook/rewrite.ts';
import { cutOut, cutTo, withAreas } from '../workbook/rules/ruledAreas.ts';
import type { ConditionalFormat, Validation } from '../workbook/sheet.ts';
import { argument, collection, hostObject, isOfKind, type Kind, type Kinds, withNullObject } from './hostObject.ts';
import { rangeOf, referenceTo } from './ranges.ts';
import type { ConditionalFormatPart, FormatTarget, RangeTarget, Settings } from './targets.ts';

const validationOf = ({ sheet, area }: RangeTarget): Validation | undefined =>
  sheet.validations.findLast(({ areas }) => areas.some((one) => contains(one, cellArea(area))));

const ruleTypes = ['List', 'WholeNumber', 'Decimal', 'Date', 'Time', 'TextLength', 'Custom'];

/** The type of a rule, which is an object with one property: `{ list: ... }` is of the type List. */
const ruleType = (rule: object): string | undefined =>
  ruleTypes.find((type) =>
    Object.entries(rule).some(([name, value]) => value && name.toLowerCase() === type.toLowerCase()),
  );

const objectOf = (value: unknown): Settings => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ExcelError('InvalidArgument');
  return value as Settings;
};

/** The properties of an object, each checked; one without a value only if it may be left out. */
const shape =
  (checks: Record<string, (value: unknown) => unknown>, optional: readonly string[] = []) =>
  (value: unknown): Settings => {
    const given = objectOf(value);
    return Object.fromEntries(
      Object.entries(checks).flatMap(([name, check]) => {
        const one = given[name] ?? undefined;
        return one === undefined && optional.includes(name) ? [] : [[name, check(one)]];
      }),
    );
  };

/** Of a rule: a range becomes a formula. */
const operand = (value: unknown): unknown => {
  if (isOfKind(value, 'Range')) return referenceTo(value.target);
  if (typeof value === 'number') return value;
  if (argument.text(value) === '') throw new ExcelError('InvalidArgument');
  return value;
};

const compared = ['Between', 'NotBetween', 'EqualTo', 'NotEqualTo', 'GreaterThan', 'LessThan'] as const;

/** A comparison with one value, or with two. */
const comparison = (operators: readonly string[], check: (value: unknown) => unknown) => {
  const checked = shape({ operator: argument.oneOf(...operators), formula1: check, formula2: check }, ['formula2']);
  return (value: unknown): Settings => {
    const rule = checked(value);
    const needsTwo = rule.operator === 'Between' || rule.operator === 'NotBetween';
    if (needsTwo && rule.formula2 === undefined) throw new ExcelError('InvalidArgument');
    return rule;
  };
};

const bounds = comparison([...compared, 'GreaterThanOrEqualTo', 'LessThanOrEqualTo'], operand);

const ruleChecks: Readonly<Record<string, (value: unknown) => Settings>> = {
  List: shape({ source: operand, inCellDropDown: argument.boolean }, ['inCellDropDown']),
  Custom: shape({ formula: operand }),
};

/** A rule as it is stored; InvalidArgument for what is no rule, or several. */
const storedRule = (value: unknown): Settings => {
  const rule = objectOf(value);
  const type = ruleType(rule);
  const given = Object.entries(rule).filter(([, one]) => one !== undefined && one !== null);
  if (type === undefined || given.length !== 1) throw new ExcelError('InvalidArgument');
  const [name, details] = given[0]!;
  return { [name]: (ruleChecks[type] ?? bounds)(details) };
};

/** A rule as it is read: its bounds are formulas then ("it will always be returned as a string formula"). */
const shownRule = (rule: Settings): Settings =>
  Object.fromEntries(
    Object.entries(rule).map(([name, details]) => {
      const shown = Object.entries(details as Settings).map(([key, value]) => {
        if (!key.startsWith('formula') || value === '' || String(value).startsWith('=')) return [key, value];
        const entered = typeof value === 'string' ? readEntry(value, 'General', english).value : value;
        return [key, `=${entered}`];
      });
      return [name, Object.fromEntries(shown)];
    }),
  );

/** The type of the rule of all cells, or that they have different ones, or some of them none. */
const typeIn = ({ sheet, area }: RangeTarget): string => {
  const inside = cutTo(sheet.validations, area, rewriteValidation).filter(({ rule }) => ruleType(rule));
  const [first] = inside;
  if (first === undefined) return 'None';
  const seen = inside.map((one) => JSON.stringify(withAreas(one, [cellArea(area)], rewriteValidation).rule));
  if (new Set(seen).size > 1) return 'Inconsistent';
  const covered = inside.flatMap(({ areas }) => areas).reduce((sum, { rows, columns }) => sum + rows * columns, 0);
  return covered < area.rows * area.columns ? 'MixedCriteria' : ruleType(first.rule)!;
};

const texts = { message: argument.text, title: argument.text };

const setting = (name: string, fallback: unknown, check: (value: unknown) => unknown) => ({
  get: (target: RangeTarget) => validationOf(target)?.settings[name] ?? fallback,
  set: ({ sheet, area }: RangeTarget, value: unknown) => {
    const checked = check(value);
    const inside = cutTo(sheet.validations, area, rewriteValidation);
    const others = inside.length > 0 ? inside : [{ areas: [area], rule: {}, settings: {} }];
    sheet.validations = [
      ...cutOut(sheet.validations, area, rewriteValidation),
      ...others.map((validation) => ({ ...validation, settings: { ...validation.settings, [name]: checked } })),
    ];
  },
});

type Checks = Record<string, (value: unknown) => unknown>;

/** Part of a conditional format: its values are checked and stored, and not drawn. */
const storedPart = (members: Checks, children: Record<string, ConditionalFormatPart> = {}): Kind<Settings> => ({
  scalars: Object.fromEntries(
    Object.entries(members).map(([member, check]) => [
      member,
      {
        get: (settings: Settings) => settings[member] ?? null,
        set: (settings: Settings, value: unknown) => {
          settings[member] = check(value);
        },
      },
    ]),
  ),
  children: Object.fromEntries(
    Object.entries(children).map(([name, kind]) => [name, (settings: Settings) => childOf(settings, name, kind)]),
  ),
});

const childOf = (settings: Settings, name: string, kind: ConditionalFormatPart) => {
  settings[name] ??= {};
  return hostObject(kind, settings[name] as Settings);
};

const withFormat = { Format: 'ConditionalRangeFormat' } as const;

const numberTypes = ['Number', 'Percent', 'Formula', 'Percentile'] as const;

const formulaText = (value: unknown): string => argument.text(typeof value === 'number' ? String(value) : value);

const colorPoint = shape(
  { color, formula: formulaText, type: argument.oneOf('LowestValue', 'HighestValue', ...numberTypes) },
  ['color', 'formula'],
);

const iconSets: Readonly<Record<string, string>> = {
  Three: 'Arrows ArrowsGray Flags TrafficLights1 TrafficLights2 Signs Symbols Symbols2 Stars Triangles',
  Four: 'Arrows ArrowsGray RedToBlack Rating TrafficLights',
  Five: 'Arrows ArrowsGray Rating Quarters Boxes',
};

const icon = shape(
  {
    type: argument.oneOf(...numberTypes),
    operator: argument.oneOf('GreaterThan', 'GreaterThanOrEqual'),
    formula: formulaText,
  },
  ['type', 'operator', 'formula'],
);

const iconCriteria = (value: unknown): Settings[] => {
  if (!Array.isArray(value) || value.length < 3 || value.length > 5) throw new ExcelError('InvalidArgument');
  return value.map(icon);
};

const days = 'Yesterday Today Tomorrow LastSevenDays LastWeek ThisWeek NextWeek LastMonth ThisMonth NextMonth';
const averages = 'AboveAverage BelowAverage EqualOrAboveAverage EqualOrBelowAverage';
const deviations = ['One', 'Two', 'Three'].flatMap((count) => [
  `${count}StdDevAboveAverage`,
  `${count}StdDevBelowAverage`,
]);
const presets = `Blanks NonBlanks Errors NonErrors ${days} ${averages} UniqueValues DuplicateValues`.split(' ');

const partKinds: Record<ConditionalFormatPart, Kind<Settings>> = {
  CellValueConditionalFormat: storedPart(
    { Rule: comparison([...compared, 'GreaterThanOrEqual', 'LessThanOrEqual'], formulaText) },
    withFormat,
  ),
  ColorScaleConditionalFormat: storedPart({
    Criteria: shape({ minimum: colorPoint, midpoint: colorPoint, maximum: colorPoint }, ['midpoint']),
  }),
  ConditionalFormatRule: storedPart({ Formula: argument.text }),
  ConditionalRangeFill: storedPart({ Color: color }),
  ConditionalRangeFont: storedPart({
    Bold: argument.boolean,
    Color: color,
    Italic: argument.boolean,
    Strikethrough: argument.boolean,
    Underline: argument.oneOf('None', 'Single', 'Double'),
  }),
  ConditionalRangeFormat: storedPart(
    { NumberFormat: argument.text },
    { Font: 'ConditionalRangeFont', Fill: 'ConditionalRangeFill' },
  ),
  CustomConditionalFormat: storedPart({}, { ...withFormat, Rule: 'ConditionalFormatRule' }),
  DataBarConditionalFormat: storedPart({ BarDirection: argument.oneOf('Context', 'LeftToRight', 'RightToLeft') }),
  IconSetConditionalFormat: storedPart({
    Criteria: iconCriteria,
    Style: argument.oneOf(
      ...Object.entries(iconSets).flatMap(([count, names]) => names.split(' ').map((name) => `${count}${name}`)),
    ),
  }),
  PresetCriteriaConditionalFormat: storedPart(
    { Rule: shape({ criterion: argument.oneOf(...presets, ...deviations) }) },
    withFormat,
  ),
  TextConditionalFormat: storedPart(
    {
      Rule: shape({
        operator: argument.oneOf('Contains', 'NotContains', 'BeginsWith', 'EndsWith'),
        text: argument.text,
      }),
    },
    withFormat,
  ),
  TopBottomConditionalFormat: storedPart(
    {
      Rule: shape({
        rank: argument.integer,
        type: argument.oneOf('TopItems', 'TopPercent', 'BottomItems', 'BottomPercent'),
      }),
    },
    withFormat,
  ),
};

/** The child that each type of conditional format has for its values. */
const details: Record<string, { child: string; kind: ConditionalFormatPart }> = {
  Custom: { child: 'Custom', kind: 'CustomConditionalFormat' },
  CellValue: { child: 'CellValue', kind: 'CellValueConditionalFormat' },
  ContainsText: { child: 'TextComparison', kind: 'TextConditionalFormat' },
  PresetCriteria: { child: 'Preset', kind: 'PresetCriteriaConditionalFormat' },
  TopBottom: { child: 'TopBottom', kind: 'TopBottomConditionalFormat' },
  ColorScale: { child: 'ColorScale', kind: 'ColorScaleConditionalFormat' },
  DataBar: { child: 'DataBar', kind: 'DataBarConditionalFormat' },
  IconSet: { child: 'IconSet', kind: 'IconSetConditionalFormat' },
};

const touches = ({ areas }: ConditionalFormat, area: Area): boolean => areas.some((one) => intersection(one, area));

const formatsIn = ({ sheet, area }: RangeTarget): FormatTarget[] =>
  sheet.conditionalFormats.filter((format) => touches(format, area)).map((format) => ({ sheet, format }));

export const ruleKinds = {
  ...partKinds,

  ConditionalFormat: {
    id: ({ format }) => format.id,
    scalars: {
      Id: { get: ({ format }) => format.id },
      Type: { get: ({ format }) => format.type },
      Priority: {
        get: ({ sheet, format }) => sheet.conditionalFormats.indexOf(format),
        set: ({ sheet, format }, value) => {
          sheet.conditionalFormats = sheet.conditionalFormats.filter((other) => other !== format);
          sheet.conditionalFormats.splice(argument.integer(value), 0, format);
        },
      },
      StopIfTrue: {
        get: ({ format }) => format.settings.stopIfTrue ?? false,
        set: ({ format }, value) => {
          format.settings.stopIfTrue = argument.boolean(value);
        },
      },
    },
    children: Object.fromEntries(
      Object.entries(details).flatMap(([type, { child, kind }]) => {
        const find = ({ format }: FormatTarget) =>
          format.type === type ? childOf(format.settings, type, kind) : undefined;
        const must = (target: FormatTarget) => {
          const found = find(target);
          if (!found) throw new ExcelError('InvalidOperation');
          return found;
        };
        return [
          [child, must],
          [`${child}OrNullObject`, (target: FormatTarget) => find(target) ?? null],
        ];
      }),
    ),
    methods: {
      Delete: ({ sheet, format }) => {
        sheet.conditionalFormats = sheet.conditionalFormats.filter((other) => other !== format);
      },
      ...withNullObject<FormatTarget>('GetRange', ({ sheet, format }) =>
        format.areas.length === 1 ? rangeOf(sheet, format.areas[0]!) : undefined,
      ),
    },
  },

  ConditionalFormatCollection: collection(
    'ConditionalFormat',
    formatsIn,
    (target, key) => formatsIn(target).find(({ format }) => format.id === key),
    ['GetCount', 'GetItemAt'],
    {
      Add: ({ sheet, area }, [type]) => {
        if (!details[argument.text(type)]) throw new ExcelError('InvalidArgument');
        const format = { id: `{${sheet.workbook.nextId()}}`, areas: [area], type, settings: {} };
        sheet.conditionalFormats.push(format);
        return hostObject('ConditionalFormat', { sheet, format });
      },
      ClearAll: ({ sheet, area }) => {
        sheet.conditionalFormats = cutOut(sheet.conditionalFormats, area, rewriteFormat);
      },
    },
  ),

  DataValidation: {
    scalars: {
      Type: { get: typeIn },
      Rule: {
        // As it is for the first cell of the range.
        get: (target) => {
          const validation = validationOf(target);
          return validation ? shownRule(withAreas(validation, [cellArea(target.area)], rewriteValidation).rule) : {};
        },
        set: ({ sheet, area }, value) => {
          const rule = storedRule(value);
          const before = sheet.validations.findLast(({ areas }) => areas.some((one) => contains(one, area)));
          sheet.validations = [
            ...cutOut(sheet.validations, area, rewriteValidation),
            { areas: [area], rule, settings: { ...before?.settings } },
          ];
          sheet.workbook.emit({ kind: 'layout', sheet });
        },
      },
      Prompt: setting(
        'prompt',
        { message: '', showPrompt: true, title: '' },
        shape({ ...texts, showPrompt: argument.boolean }),
      ),
      ErrorAlert: setting(
        'errorAlert',
        { message: '', showAlert: true, style: 'Stop', title: '' },
        shape({ ...texts, showAlert: argument.boolean, style: argument.oneOf('Stop', 'Warning', 'Information') }),
      ),
      IgnoreBlanks: setting('ignoreBlanks', true, argument.boolean),
    },
    methods: {
      Clear: ({ sheet, area }) => {
        sheet.validations = cutOut(sheet.validations, area, rewriteValidation);
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
  },
} satisfies Partial<Kinds>;
