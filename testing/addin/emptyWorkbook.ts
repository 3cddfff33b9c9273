import { openExcel } from '../../addin/simulator/node.ts';
import { Workbook } from '../../addin/simulator/workbook/workbook.ts';

/** An empty workbook, and Microsoft's client on it. */
export const openEmpty = () => {
  const workbook = new Workbook();
  return { workbook, ...openExcel(workbook) };
};

/** Runs a function of an add-in on the first sheet of an empty workbook. */
export const onEmptySheet = <Result>(
  work: (sheet: Excel.Worksheet, context: Excel.RequestContext) => Promise<Result>,
): Promise<Result> =>
  openEmpty().Excel.run((context) => work(context.workbook.worksheets.getActiveWorksheet(), context));

/** The code of the error of an attempt, and its location. */
export const failure = async (attempt: Promise<unknown>): Promise<{ code: string; location: string | undefined }> => {
  try {
    await attempt;
  } catch (error) {
    const { code, debugInfo } = error as OfficeExtension.Error;
    return { code, location: debugInfo?.errorLocation };
  }
  throw new Error('It did not fail.');
};
