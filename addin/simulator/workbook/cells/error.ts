/** Excel's default messages of the codes. */
const defaultMessages = {
  AccessDenied: 'You cannot perform the requested operation.',
  ActivityLimitReached: 'Activity limit has been reached.',
  ApiNotFound: 'The API you are trying to use could not be found. It may be available in a newer version of Excel.',
  GeneralException: 'There was an internal error while processing the request.',
  InactiveWorkbook: 'The operation failed because another workbook has the focus.',
  InsertDeleteConflict: 'The insert or delete operation attempted resulted in a conflict.',
  InvalidArgument: 'The argument is invalid or missing or has an incorrect format.',
  InvalidOperation: 'The operation attempted is invalid on the object.',
  InvalidOperationInCellEditMode:
    'Excel is in cell-editing mode. Please exit the edit mode by pressing ENTER or TAB or selecting another cell, and then try again.',
  InvalidReference: 'This reference is not valid for the current operation.',
  InvalidSelection: 'The current selection is invalid for this operation.',
  ItemAlreadyExists: 'A resource with the same name or identifier already exists.',
  ItemNotFound: "The requested resource doesn't exist.",
  NonBlankCellOffSheet: "Microsoft Excel can't insert new cells because it would push non-empty cells off the sheet.",
  RequestAborted: 'The request was aborted during run time.',
  RequestPayloadSizeLimitExceeded:
    'The request payload size has exceeded the limit. Please refer to the documentation on resource limits.',
  ResponsePayloadSizeLimitExceeded:
    'The response payload size has exceeded the limit. Please refer to the documentation on resource limits.',
  ServiceNotAvailable: 'The service is unavailable.',
};

/** The codes of `Excel.ErrorCodes` that the simulated workbook returns. */
export type ExcelErrorCode = keyof typeof defaultMessages;

export class ExcelError extends Error {
  readonly code: ExcelErrorCode;

  constructor(code: ExcelErrorCode, message: string = defaultMessages[code]) {
    super(message);
    this.name = 'ExcelError';
    this.code = code;
  }
}
