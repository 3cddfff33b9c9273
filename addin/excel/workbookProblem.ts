/** What can stand in the way in a workbook, and the person at it can mend. */
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
  | 'ROWS_MOVED'
  | 'MEMORY_CUT'
  | 'CHANGED_ELSEWHERE'
  | 'EXCEL_TOO_OLD'
  | 'UNEXPECTED';

/** What is waited for: it passes by itself, or when the person comes back. */
export type WaitReason = Extract<WorkbookProblemCode, 'CELL_BEING_EDITED' | 'OTHER_WORKBOOK' | 'EXCEL_BUSY'>;

export const waitReasonOf = (code: WorkbookProblemCode): WaitReason | undefined =>
  code === 'CELL_BEING_EDITED' || code === 'OTHER_WORKBOOK' || code === 'EXCEL_BUSY' ? code : undefined;

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
  InactiveWorkbook: 'OTHER_WORKBOOK',
  // What Excel for Mac says of a workbook that is not in front: OfficeDev/office-js#6365.
  InvalidSelection: 'OTHER_WORKBOOK',
  ActivityLimitReached: 'EXCEL_BUSY',
  ServiceNotAvailable: 'EXCEL_BUSY',
  // Part of the request may have been carried out.
  RequestAborted: 'INTERRUPTED',
  // Among much else, what Excel says while several sheets are grouped: OfficeDev/office-js#2266.
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

/** Excel's own error in our words; anything that is not Excel's comes back as it is. */
export function workbookProblem(error: unknown): unknown {
  if (!(error instanceof OfficeExtension.Error)) return error;
  return new WorkbookProblem(byExcelCode[error.code] ?? 'UNEXPECTED', error.message, error);
}
