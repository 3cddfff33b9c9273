/** Problems in a workbook that the user can solve. */
export type WorkbookProblemCode =
  | 'CELL_BEING_EDITED'
  | 'OTHER_WORKBOOK'
  | 'EXCEL_BUSY'
  | 'INTERRUPTED'
  | 'EXCEL_FAILED'
  | 'PROTECTED'
  | 'FILTERED'
  | 'IN_THE_WAY'
  | 'TOO_LARGE'
  | 'TABLE_GONE'
  | 'COLUMN_GONE'
  | 'NO_HEADERS'
  | 'ROWS_MOVED'
  | 'MEMORY_CUT'
  | 'COUNTS_FROM_1904'
  | 'CHANGED_ELSEWHERE'
  | 'EXCEL_TOO_OLD'
  | 'UNEXPECTED';

/** The reasons for waiting: they end by themselves, or when the user returns. */
export type WaitReason = Extract<WorkbookProblemCode, 'CELL_BEING_EDITED' | 'OTHER_WORKBOOK' | 'EXCEL_BUSY'>;

export const waitReasonOf = (code: WorkbookProblemCode): WaitReason | undefined =>
  code === 'CELL_BEING_EDITED' || code === 'OTHER_WORKBOOK' || code === 'EXCEL_BUSY' ? code : undefined;

/** A problem in the workbook. `detail` is a name (a column), or Excel's message for UNEXPECTED. */
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
  InactiveWorkbook: 'OTHER_WORKBOOK',
  // The error of Excel for Mac for a workbook that is not in front: OfficeDev/office-js#6365.
  InvalidSelection: 'OTHER_WORKBOOK',
  ActivityLimitReached: 'EXCEL_BUSY',
  ServiceNotAvailable: 'EXCEL_BUSY',
  // A part of the request may have been executed.
  RequestAborted: 'INTERRUPTED',
  // Among others the error of Excel while several sheets are grouped: OfficeDev/office-js#2266.
  GeneralException: 'EXCEL_FAILED',
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

/** Converts an error of Excel to a WorkbookProblem; returns any other error unchanged. */
export function workbookProblem(error: unknown): unknown {
  if (!(error instanceof OfficeExtension.Error)) return error;
  return new WorkbookProblem(byExcelCode[error.code] ?? 'UNEXPECTED', error.message, error);
}
