/** What can stand in the way in a workbook, and the person at it can mend. */
export type WorkbookProblemCode =
  | 'CELL_BEING_EDITED'
  | 'PROTECTED'
  | 'FILTERED'
  | 'IN_THE_WAY'
  | 'TOO_LARGE'
  | 'TABLE_GONE'
  | 'COLUMN_GONE'
  | 'ROWS_MOVED'
  | 'EXCEL_TOO_OLD'
  | 'UNEXPECTED';

/** Something in the workbook stops us. `detail` is a name (a column), or Excel's own words for UNEXPECTED. */
export class WorkbookProblem extends Error {
  override readonly name = 'WorkbookProblem';
  readonly code: WorkbookProblemCode;
  readonly detail: string;

  constructor(code: WorkbookProblemCode, detail = '', cause?: unknown) {
    super(detail === '' ? code : `${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
  }
}

const byExcelCode: Readonly<Record<string, WorkbookProblemCode>> = {
  InvalidOperationInCellEditMode: 'CELL_BEING_EDITED',
  AccessDenied: 'PROTECTED',
  FilteredRangeConflict: 'FILTERED',
  InsertDeleteConflict: 'IN_THE_WAY',
  MergedRangeConflict: 'IN_THE_WAY',
  PivotTableRangeConflict: 'IN_THE_WAY',
  NonBlankCellOffSheet: 'IN_THE_WAY',
  RangeExceedsLimit: 'TOO_LARGE',
  OperationCellsExceedLimit: 'TOO_LARGE',
  RequestPayloadSizeLimitExceeded: 'TOO_LARGE',
  ResponsePayloadSizeLimitExceeded: 'TOO_LARGE',
  ItemNotFound: 'TABLE_GONE',
  ApiNotFound: 'EXCEL_TOO_OLD',
};

/** Excel's own error in our words; anything that is not Excel's comes back as it is. */
export function workbookProblem(error: unknown): unknown {
  if (!(error instanceof OfficeExtension.Error)) return error;
  return new WorkbookProblem(byExcelCode[error.code] ?? 'UNEXPECTED', error.message, error);
}
