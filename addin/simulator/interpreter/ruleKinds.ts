import { type Area, cellArea, contains, intersection } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
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

/** A rule as it is stored: a range as the source of a list becomes a formula. */
const storedRule = (rule: Settings): Settings => {
  const list = rule.list as Settings | undefined;
  if (!isOfKind(list?.source, 'Range')) return rule;
  return { ...rule, list: { ...list, source: referenceTo(list.source.target) } };
};

const setting = (name: string, fallback: unknown) => ({
  get: (target: RangeTarget) => validationOf(target)?.settings[name] ?? fallback,
  set: ({ sheet, area }: RangeTarget, value: unknown) => {
    const inside = cutTo(sheet.validations, area, rewriteValidation);
    const others = inside.length > 0 ? inside : [{ areas: [area], rule: {}, settings: {} }];
    sheet.validations = [
      ...cutOut(sheet.validations, area, rewriteValidation),
      ...others.map((validation) => ({ ...validation, settings: { ...validation.settings, [name]: value } })),
    ];
  },
});

/** Part of a conditional format: its values are stored unchanged, since they are not drawn. */
const storedPart = (members: string[], children: Record<string, ConditionalFormatPart> = {}): Kind<Settings> => ({
  scalars: Object.fromEntries(
    members.map((member) => [
      member,
      {
        get: (settings: Settings) => settings[member] ?? null,
        set: (settings: Settings, value: unknown) => {
          settings[member] = value;
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

const partKinds: Record<ConditionalFormatPart, Kind<Settings>> = {
  CellValueConditionalFormat: storedPart(['Rule'], withFormat),
  ColorScaleConditionalFormat: storedPart(['Criteria']),
  ConditionalFormatRule: storedPart(['Formula']),
  ConditionalRangeFill: storedPart(['Color']),
  ConditionalRangeFont: storedPart(['Bold', 'Color', 'Italic', 'Strikethrough', 'Underline']),
  ConditionalRangeFormat: storedPart(['NumberFormat'], { Font: 'ConditionalRangeFont', Fill: 'ConditionalRangeFill' }),
  CustomConditionalFormat: storedPart([], { ...withFormat, Rule: 'ConditionalFormatRule' }),
  DataBarConditionalFormat: storedPart(['BarDirection']),
  IconSetConditionalFormat: storedPart(['Criteria', 'Style']),
  PresetCriteriaConditionalFormat: storedPart(['Rule'], withFormat),
  TextConditionalFormat: storedPart(['Rule'], withFormat),
  TopBottomConditionalFormat: storedPart(['Rule'], withFormat),
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
      Type: { get: (target) => ruleType(validationOf(target)?.rule ?? {}) ?? 'None' },
      Rule: {
        // As it is for the first cell of the range.
        get: (target) => {
          const validation = validationOf(target);
          return validation ? withAreas(validation, [cellArea(target.area)], rewriteValidation).rule : {};
        },
        set: ({ sheet, area }, value) => {
          if (typeof value !== 'object' || value === null || !ruleType(value)) throw new ExcelError('InvalidArgument');
          const before = sheet.validations.findLast(({ areas }) => areas.some((one) => contains(one, area)));
          sheet.validations = [
            ...cutOut(sheet.validations, area, rewriteValidation),
            { areas: [area], rule: storedRule(value as Settings), settings: { ...before?.settings } },
          ];
          sheet.workbook.emit({ kind: 'layout', sheet });
        },
      },
      Prompt: setting('prompt', { message: '', showPrompt: true, title: '' }),
      ErrorAlert: setting('errorAlert', { message: '', showAlert: true, style: 'Stop', title: '' }),
      IgnoreBlanks: setting('ignoreBlanks', true),
    },
    methods: {
      Clear: ({ sheet, area }) => {
        sheet.validations = cutOut(sheet.validations, area, rewriteValidation);
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
  },
} satisfies Partial<Kinds>;
