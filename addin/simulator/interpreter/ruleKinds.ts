import { contains, intersection } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import type { Validation } from '../workbook/sheet.ts';
import { collection, given, hostObject, isOfKind, type Kind, type Kinds } from './hostObject.ts';
import { rangeOf, referenceTo } from './ranges.ts';
import type { ConditionalFormatPart, FormatTarget, RangeTarget, SettingsTarget } from './targets.ts';

const validationOf = ({ sheet, area }: RangeTarget): Validation | undefined =>
  sheet.validations.findLast((validation) => contains(validation.area, { ...area, rows: 1, columns: 1 }));

const ruleTypes: Record<string, string> = {
  list: 'List',
  wholeNumber: 'WholeNumber',
  decimal: 'Decimal',
  date: 'Date',
  time: 'Time',
  textLength: 'TextLength',
  custom: 'Custom',
};

const ruleType = (rule: Record<string, unknown>): string | undefined =>
  Object.entries(ruleTypes).find(([name]) => rule[name])?.[1];

/** A rule as it is stored: the source of a list may come as a range, and is a formula from then on. */
const storedRule = (rule: Record<string, unknown>): Record<string, unknown> => {
  const { source } = (rule.list ?? {}) as { source?: unknown };
  if (!isOfKind(source, 'Range')) return rule;
  return { ...rule, list: { ...(rule.list as object), source: referenceTo(source.target) } };
};

const setting = (name: string, fallback: unknown) => ({
  get: (target: RangeTarget) => validationOf(target)?.settings[name] ?? fallback,
  set: (target: RangeTarget, value: unknown) => {
    const validation = validationOf(target);
    if (validation) validation.settings[name] = value;
    else target.sheet.validations.push({ area: target.area, rule: {}, settings: { [name]: value } });
  },
});

const dataValidationKind: Kind<RangeTarget> = {
  scalars: {
    Type: { get: (target) => ruleType(validationOf(target)?.rule ?? {}) ?? 'None' },
    Rule: {
      get: (target) => validationOf(target)?.rule ?? {},
      set: ({ sheet, area }, value) => {
        if (typeof value !== 'object' || value === null || !ruleType(value as Record<string, unknown>)) {
          throw new ExcelError('InvalidArgument');
        }
        const before = sheet.validations.findLast((validation) => contains(validation.area, area));
        sheet.validations = sheet.validations.filter((validation) => !contains(area, validation.area));
        sheet.validations.push({
          area,
          rule: storedRule(value as Record<string, unknown>),
          settings: { ...before?.settings },
        });
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
    Prompt: setting('prompt', { message: '', showPrompt: true, title: '' }),
    ErrorAlert: setting('errorAlert', { message: '', showAlert: true, style: 'Stop', title: '' }),
    IgnoreBlanks: setting('ignoreBlanks', true),
  },
  methods: {
    Clear: ({ sheet, area }) => {
      sheet.validations = sheet.validations.filter((validation) => !intersection(validation.area, area));
      sheet.workbook.emit({ kind: 'layout', sheet });
    },
  },
};

const settingAt = ({ format, path }: SettingsTarget): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], format.settings);

const storeSetting = ({ format, path }: SettingsTarget, name: string, value: unknown): void => {
  let place = format.settings;
  for (const step of path) {
    place[step] ??= {};
    place = place[step] as Record<string, unknown>;
  }
  place[name] = value;
};

/** Part of a conditional format: its values are stored unchanged, since they are not drawn. */
const kept = (members: string[], children: Record<string, ConditionalFormatPart> = {}): Kind<SettingsTarget> => ({
  scalars: Object.fromEntries(
    members.map((member) => [
      member,
      {
        get: (target: SettingsTarget) => settingAt({ ...target, path: [...target.path, member] }) ?? null,
        set: (target: SettingsTarget, value: unknown) => storeSetting(target, member, value),
      },
    ]),
  ),
  children: Object.fromEntries(
    Object.entries(children).map(([child, kind]) => [
      child,
      ({ format, path }: SettingsTarget) => hostObject(kind, { format, path: [...path, child] }),
    ]),
  ),
});

const look = { Format: 'ConditionalRangeFormat' } as const;

const partKinds: Record<ConditionalFormatPart, Kind<SettingsTarget>> = {
  CellValueConditionalFormat: kept(['Rule'], look),
  ColorScaleConditionalFormat: kept(['Criteria', 'ThreeColorScale']),
  ConditionalFormatRule: kept(['Formula', 'FormulaLocal', 'FormulaR1C1']),
  ConditionalRangeFill: kept(['Color']),
  ConditionalRangeFont: kept(['Bold', 'Color', 'Italic', 'Strikethrough', 'Underline']),
  ConditionalRangeFormat: kept(['NumberFormat'], { Font: 'ConditionalRangeFont', Fill: 'ConditionalRangeFill' }),
  CustomConditionalFormat: kept([], { ...look, Rule: 'ConditionalFormatRule' }),
  DataBarConditionalFormat: kept([
    'AxisColor',
    'AxisFormat',
    'BarDirection',
    'LowerBoundRule',
    'ShowDataBarOnly',
    'UpperBoundRule',
  ]),
  IconSetConditionalFormat: kept(['Criteria', 'ReverseIconOrder', 'ShowIconOnly', 'Style']),
  PresetCriteriaConditionalFormat: kept(['Rule'], look),
  TextConditionalFormat: kept(['Rule'], look),
  TopBottomConditionalFormat: kept(['Rule'], look),
};

/** The child each type of conditional format has for its values. */
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

const conditionalFormatKind: Kind<FormatTarget> = {
  id: ({ format }) => format.id,
  scalars: {
    Id: { get: ({ format }) => format.id },
    Type: { get: ({ format }) => format.type },
    Priority: {
      get: ({ sheet, format }) => sheet.conditionalFormats.indexOf(format),
      set: ({ sheet, format }, value) => {
        sheet.conditionalFormats = sheet.conditionalFormats.filter((other) => other !== format);
        sheet.conditionalFormats.splice(given.whole(value), 0, format);
      },
    },
    StopIfTrue: {
      get: ({ format }) => format.settings.stopIfTrue ?? false,
      set: ({ format }, value) => {
        format.settings.stopIfTrue = given.truth(value);
      },
    },
  },
  children: Object.fromEntries(
    Object.entries(details).flatMap(([type, { child, kind }]) => {
      const find = ({ format }: FormatTarget) =>
        format.type === type ? hostObject(kind, { format, path: [type] }) : null;
      const must = (target: FormatTarget) => {
        const found = find(target);
        if (!found) throw new ExcelError('InvalidOperation');
        return found;
      };
      return [
        [child, must],
        [`${child}OrNullObject`, find],
      ];
    }),
  ),
  methods: {
    Delete: ({ sheet, format }) => {
      sheet.conditionalFormats = sheet.conditionalFormats.filter((other) => other !== format);
    },
    GetRange: ({ sheet, format }) => rangeOf(sheet, format.area),
    GetRangeOrNullObject: ({ sheet, format }) => rangeOf(sheet, format.area),
  },
};

const formatsIn = ({ sheet, area }: RangeTarget): FormatTarget[] =>
  sheet.conditionalFormats.filter((format) => intersection(format.area, area)).map((format) => ({ sheet, format }));

const formats = collection<RangeTarget, 'ConditionalFormat'>('ConditionalFormat', formatsIn, (target, key) =>
  formatsIn(target).find(({ format }) => format.id === key),
);

const conditionalFormatsKind: Kind<RangeTarget> = {
  items: formats.items!,
  item: formats.item!,
  methods: {
    GetCount: formats.methods.GetCount,
    GetItemAt: formats.methods.GetItemAt,
    Add: ({ sheet, area }, [type]) => {
      if (!details[given.text(type)]) throw new ExcelError('InvalidArgument');
      const format = { id: `{${sheet.workbook.nextId()}}`, area, type, settings: {} };
      sheet.conditionalFormats.push(format);
      return hostObject('ConditionalFormat', { sheet, format });
    },
    ClearAll: ({ sheet, area }) => {
      sheet.conditionalFormats = sheet.conditionalFormats.filter((format) => !intersection(format.area, area));
    },
  },
};

export const ruleKinds = {
  ...partKinds,
  ConditionalFormat: conditionalFormatKind,
  ConditionalFormatCollection: conditionalFormatsKind,
  DataValidation: dataValidationKind,
} satisfies Partial<Kinds>;
