import { serialOf } from '../../../shared/spreadsheet.ts';
import { cellArea } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { assertInFront } from '../workbook/sheets.ts';
import { calculationModes, setCalculationMode, type Workbook } from '../workbook/workbook.ts';
import { argument, hostObject, type Kinds, stored } from './hostObject.ts';
import { rangeArgument, rangeOf } from './ranges.ts';

const nothing = () => null;

/** The bytes of an .xlsx file, which is a zip archive; InvalidArgument for anything else. */
const fileOf = (base64: unknown): Uint8Array => {
  try {
    const file = Uint8Array.from(atob(argument.text(base64)), (character) => character.charCodeAt(0));
    if (file[0] === 0x50 && file[1] === 0x4b) return file;
  } catch {
    // It is not base64.
  }
  throw new ExcelError('InvalidArgument');
};

const rangeOfEvent = (workbook: Workbook, [address]: unknown[]) => {
  const { sheet, area } = rangeArgument(address, workbook.active);
  return rangeOf(sheet, area);
};

export const workbookKinds = {
  Application: {
    scalars: {
      CalculationMode: {
        get: ({ calculationMode }: Workbook) => calculationMode,
        set: (workbook, mode) => setCalculationMode(workbook, argument.oneOf(...calculationModes)(mode)),
      },
      DecimalSeparator: { get: ({ locale }) => locale.decimal },
      ThousandsSeparator: { get: ({ locale }) => locale.group },
      UseSystemSeparators: { get: () => true },
    },
    children: { CultureInfo: (workbook) => hostObject('CultureInfo', workbook) },
    methods: {
      Calculate: (workbook, [type]) => {
        argument.oneOf('Recalculate', 'Full', 'FullRebuild')(type);
        if (type === 'Recalculate') workbook.calculateDue();
        else workbook.recalculate();
        return null;
      },
      SuspendApiCalculationUntilNextSync: nothing,
      SuspendScreenUpdatingUntilNextSync: nothing,
    },
  },

  CultureInfo: {
    scalars: { Name: { get: ({ locale }) => locale.tag } },
    children: {
      NumberFormat: (workbook) => hostObject('NumberFormatInfo', workbook),
      DatetimeFormat: (workbook) => hostObject('DatetimeFormatInfo', workbook),
    },
  },

  DatetimeFormatInfo: {
    scalars: {
      DateSeparator: { get: ({ locale }) => (locale.dayFirst ? '-' : '/') },
      ShortDatePattern: { get: ({ locale }) => locale.shortDate.replaceAll('m', 'M') },
      LongDatePattern: { get: ({ locale }) => (locale.dayFirst ? 'dddd d MMMM yyyy' : 'dddd, MMMM d, yyyy') },
      LongTimePattern: { get: ({ locale }) => (locale.dayFirst ? 'HH:mm:ss' : 'h:mm:ss tt') },
      TimeSeparator: { get: () => ':' },
    },
  },

  Functions: {
    methods: {
      Date: ({ countsFrom1904 }, [year, month, day]) => {
        const [of1900, first] = [
          [year, month, day],
          [1904, 1, 1],
        ].map(([y, m, d]) => serialOf(Date.UTC(y, m - 1, d))!);
        return hostObject('FunctionResult', { value: countsFrom1904 ? of1900! - first! : of1900! });
      },
    },
  },

  FunctionResult: { scalars: { Value: { get: ({ value }) => value } } },

  NumberFormatInfo: {
    scalars: {
      NumberDecimalSeparator: { get: ({ locale }) => locale.decimal },
      NumberGroupSeparator: { get: ({ locale }) => locale.group },
    },
  },

  Runtime: {
    scalars: { EnableEvents: stored((workbook: Workbook) => workbook, 'sendsEvents', argument.boolean) },
  },

  /** `context.workbook`, the first object of every request. */
  Workbook: {
    scalars: {
      Name: { get: ({ name }) => name },
      ReadOnly: { get: () => false },
    },
    children: {
      Application: (workbook) => hostObject('Application', workbook),
      Functions: (workbook) => hostObject('Functions', workbook),
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
        return rangeOf(workbook.active, cellArea(workbook.active.activeCell));
      },
      // `Excel.createWorkbook`, as the client for the web sends it.
      CreateAndOpenWorkbook: (workbook, [base64]) => {
        if (base64 === undefined || base64 === null || base64 === '') {
          throw new ExcelError('ApiNotFound', 'The simulated workbook opens files only, no empty workbooks.');
        }
        const file = fileOf(base64);
        workbook.opened.push(file);
        workbook.emit({ kind: 'opened', file });
      },
      GetSelectedRange: (workbook) => {
        assertInFront(workbook);
        return rangeOf(workbook.active, workbook.active.selection);
      },
      Save: (_, [behavior]) => {
        argument.oneOf('Save', 'Prompt')(behavior ?? 'Save');
      },
      _GetRangeForEventByReferenceId: rangeOfEvent,
      _GetRangeOrNullObjectForEventByReferenceId: rangeOfEvent,
      _GetReferenceCount: (_, _args, { references }) => references.all().length,
      _RemoveAllReferences: (_, _args, { references }) => references.removeAll(),
      _RemoveReference: (_, [id], { references }) => references.remove(id),
    },
  },

  WorkbookProtection: {
    scalars: { Protected: { get: (workbook) => workbook.protected !== undefined } },
    methods: {
      Protect: (workbook, [password]) => {
        if (workbook.protected) throw new ExcelError('InvalidOperation');
        workbook.protected = password ? { password: argument.text(password) } : {};
      },
      Unprotect: (workbook, [password]) => {
        if (workbook.protected?.password !== undefined && workbook.protected.password !== password) {
          throw new ExcelError('InvalidArgument');
        }
        workbook.protected = undefined;
      },
    },
  },
} satisfies Partial<Kinds>;
