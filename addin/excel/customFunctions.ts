import { inWorkbook, type Retry } from './batch.ts';

/** An error of a function in a cell, with the message that Excel shows beside the cell. */
export type CellError = { kind: 'invalidValue' | 'notAvailable'; message: string };

/** Excel's part for functions in cells; the published types of Office.js lack it. */
type CustomFunctionsApi = {
  associate(id: string, implementation: (...args: unknown[]) => unknown): void;
  Error: new (code: string, message: string) => Error;
  ErrorCode: Record<CellError['kind'], string>;
};

/**
 * Has Excel call functions in cells; does nothing in an Excel without them.
 * @param errorOf what a cell shows for an error of its function
 */
export function associateFunctions(
  functions: Readonly<Record<string, (...args: unknown[]) => Promise<number | string>>>,
  errorOf: (error: unknown) => CellError,
): void {
  const { CustomFunctions: api } = globalThis as { CustomFunctions?: CustomFunctionsApi };
  if (typeof api?.associate !== 'function') return;
  for (const [id, compute] of Object.entries(functions)) {
    api.associate(id, async (...args) => {
      try {
        return await compute(...args);
      } catch (error) {
        const { kind, message } = errorOf(error);
        throw new api.Error(api.ErrorCode[kind], message);
      }
    });
  }
}

/** Calculates every formula of the workbook anew, also those whose cells did not change. @throws WorkbookProblem */
export const recalculate = (retry?: Retry): Promise<void> =>
  inWorkbook(async (context) => {
    context.workbook.application.calculate('Full');
    await context.sync();
  }, retry);
