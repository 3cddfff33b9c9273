import { ExcelError } from '../workbook/cells/error.ts';
import { assertInFront } from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { given, hostObject, type Kind, type Kinds } from './hostObject.ts';
import { rangeArgument, rangeOf } from './ranges.ts';

const nothing = () => null;

const cultureKind: Kind<Workbook> = {
  scalars: { Name: { get: ({ locale }) => locale.tag } },
  children: {
    NumberFormat: (workbook) => hostObject('NumberFormatInfo', workbook),
    DatetimeFormat: (workbook) => hostObject('DatetimeFormatInfo', workbook),
  },
};

const numberCultureKind: Kind<Workbook> = {
  scalars: {
    NumberDecimalSeparator: { get: ({ locale }) => locale.decimal },
    NumberGroupSeparator: { get: ({ locale }) => locale.group },
  },
};

const dateCultureKind: Kind<Workbook> = {
  scalars: {
    DateSeparator: { get: ({ locale }) => (locale.dayFirst ? '-' : '/') },
    ShortDatePattern: { get: ({ locale }) => locale.shortDate.replaceAll('m', 'M') },
    LongDatePattern: { get: ({ locale }) => (locale.dayFirst ? 'dddd d MMMM yyyy' : 'dddd, MMMM d, yyyy') },
    LongTimePattern: { get: ({ locale }) => (locale.dayFirst ? 'HH:mm:ss' : 'h:mm:ss tt') },
    TimeSeparator: { get: () => ':' },
  },
};

const applicationKind: Kind<Workbook> = {
  scalars: {
    CalculationMode: {
      get: ({ calculationMode }) => calculationMode,
      set: (workbook, value) => {
        if (!['Automatic', 'AutomaticExceptTables', 'Manual'].includes(given.text(value))) {
          throw new ExcelError('InvalidArgument');
        }
        workbook.calculationMode = value as string;
      },
    },
    CalculationEngineVersion: { get: () => 191_029 },
    CalculationState: { get: () => 'Done' },
    DecimalSeparator: { get: ({ locale }) => locale.decimal },
    ThousandsSeparator: { get: ({ locale }) => locale.group },
    UseSystemSeparators: { get: () => true },
  },
  children: { CultureInfo: (workbook) => hostObject('CultureInfo', workbook) },
  methods: {
    Calculate: nothing,
    SuspendApiCalculationUntilNextSync: nothing,
    SuspendScreenUpdatingUntilNextSync: nothing,
  },
};

/** The bytes of an .xlsx file, which is a zip archive; InvalidArgument for anything else. */
const fileOf = (base64: unknown): Uint8Array => {
  try {
    const file = Uint8Array.from(atob(given.text(base64)), (character) => character.charCodeAt(0));
    if (file[0] === 0x50 && file[1] === 0x4b) return file;
  } catch {
    // It is no base64 either.
  }
  throw new ExcelError('InvalidArgument');
};

const workbookProtectionKind: Kind<Workbook> = {
  scalars: { Protected: { get: (workbook) => workbook.protected !== undefined } },
  methods: {
    Protect: (workbook, [password]) => {
      if (workbook.protected) throw new ExcelError('InvalidOperation');
      workbook.protected = password ? { password: given.text(password) } : {};
    },
    Unprotect: (workbook, [password]) => {
      if (workbook.protected?.password !== undefined && workbook.protected.password !== password) {
        throw new ExcelError('InvalidArgument');
      }
      workbook.protected = undefined;
    },
  },
};

const runtimeKind: Kind<Workbook> = {
  scalars: { EnableEvents: { get: () => true, set: (_, value) => void given.truth(value) } },
};

const selected = (workbook: Workbook) => {
  assertInFront(workbook);
  return rangeOf(workbook.active, workbook.active.selection);
};

/** The object a request starts from: `context.workbook`. */
const workbookKind: Kind<Workbook> = {
  scalars: {
    Name: { get: ({ name }) => name },
    ReadOnly: { get: () => false },
    IsDirty: { get: ({ version }) => version > 0, set: (_, value) => void given.truth(value) },
    AutoSave: { get: () => false },
    PreviouslySaved: { get: () => false },
    CalculationEngineVersion: { get: () => 191_029 },
    ChartDataPointTrack: { get: () => true },
    UsePrecisionAsDisplayed: { get: () => false },
  },
  children: {
    Application: (workbook) => hostObject('Application', workbook),
    Names: (workbook) => hostObject('NamedItemCollection', { workbook, scope: undefined }),
    Properties: (workbook) => hostObject('DocumentProperties', workbook),
    Protection: (workbook) => hostObject('WorkbookProtection', workbook),
    Settings: (workbook) => hostObject('SettingCollection', workbook),
    Tables: (workbook) => hostObject('TableCollection', { workbook, sheet: undefined }),
    Worksheets: (workbook) => hostObject('WorksheetCollection', workbook),
    _Runtime: (workbook) => hostObject('Runtime', workbook),
  },
  methods: {
    GetActiveCell: (workbook) => {
      assertInFront(workbook);
      return rangeOf(workbook.active, { ...workbook.active.activeCell, rows: 1, columns: 1 });
    },
    // `Excel.createWorkbook`, as the client for the web sends it.
    CreateAndOpenWorkbook: (workbook, [base64]) => {
      const file = fileOf(base64);
      workbook.opened.push(file);
      workbook.emit({ kind: 'opened', file });
    },
    GetIsActiveCollabSession: () => false,
    GetSelectedRange: selected,
    Save: nothing,
    _GetRangeForEventByReferenceId: (workbook, [address]) => {
      const { sheet, area } = rangeArgument(address, workbook.active);
      return rangeOf(sheet, area);
    },
    _GetRangeOrNullObjectForEventByReferenceId: (workbook, [address]) => {
      const { sheet, area } = rangeArgument(address, workbook.active);
      return rangeOf(sheet, area);
    },
    _GetReferenceCount: (_, _args, { references }) => [...references.all()].length,
    _RemoveAllReferences: (_, _args, { references }) => references.removeAll(),
    _RemoveReference: (_, [id], { references }) => references.remove(id),
  },
};

export const workbookKinds = {
  Application: applicationKind,
  CultureInfo: cultureKind,
  DatetimeFormatInfo: dateCultureKind,
  NumberFormatInfo: numberCultureKind,
  Runtime: runtimeKind,
  Workbook: workbookKind,
  WorkbookProtection: workbookProtectionKind,
} satisfies Partial<Kinds>;
