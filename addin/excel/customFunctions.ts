import { sleep } from '../../shared/client/sleep.ts';
import { inWorkbook, noRetry, type Retry } from './batch.ts';

/** An error of a function in a cell, with the message that Excel shows beside the cell. */
type CellError = { kind: 'invalidValue' | 'notAvailable'; message: string };

/** Excel's part for functions in cells; the published types of Office.js lack it. */
type CustomFunctionsApi = {
  associate(id: string, implementation: (...args: unknown[]) => unknown): void;
  Error: new (code: string, message: string) => Error;
  ErrorCode: Record<CellError['kind'], string>;
};

/** A call of a function in a cell: its arguments as Excel passes them. */
export type CellCall = { id: string; args: readonly unknown[]; address: string };

/** How long after its start, and after the latest call, a cell calls its functions. */
const CALLS_MS = 5000;
const QUIET_MS = 500;

const listeners = new Set<(call: CellCall) => void>();

/**
 * Has Excel call functions in cells; does nothing in an Excel without them.
 * @param errorOf what a cell shows for an error of its function
 */
export function associateFunctions(
  functions: Readonly<Record<string, (...args: unknown[]) => Promise<number | string>>>,
  errorOf: (error: unknown) => Promise<CellError>,
): void {
  const { CustomFunctions: api } = globalThis as { CustomFunctions?: CustomFunctionsApi };
  if (typeof api?.associate !== 'function') return;
  for (const [id, compute] of Object.entries(functions)) {
    api.associate(id, async (...args) => {
      const { address = '' } = (args.at(-1) ?? {}) as { address?: string };
      for (const listen of listeners) listen({ id, args: args.slice(0, -1), address });
      try {
        return await compute(...args);
      } catch (error) {
        const { kind, message } = await errorOf(error);
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

/** The active cell, if it has a formula. */
export type FormulaCell = { address: string; formula: string };

/** The formula of the active cell; undefined when it has none, or Excel cannot return it. */
export const readActiveFormula = (retry = noRetry): Promise<FormulaCell | undefined> =>
  inWorkbook(async (context) => {
    const cell = context.workbook.getActiveCell();
    cell.load({ address: true, formulas: true });
    await context.sync();
    const formula = String(cell.formulas[0]?.[0] ?? '');
    return formula.startsWith('=') ? { address: cell.address, formula } : undefined;
  }, retry).catch(() => undefined);

/**
 * Has Excel calculate the active cell anew, and listens to the functions that its formula calls: what the arguments are,
 * only Excel knows.
 * @throws WorkbookProblem
 */
export async function callsOfActiveCell(retry?: Retry): Promise<CellCall[]> {
  const calls: CellCall[] = [];
  let lastAt = Date.now();
  const listen = (call: CellCall) => {
    calls.push(call);
    lastAt = Date.now();
  };
  listeners.add(listen);
  try {
    const address = await inWorkbook(async (context) => {
      const cell = context.workbook.getActiveCell();
      cell.load({ address: true });
      cell.calculate();
      await context.sync();
      return plainAddress(cell.address);
    }, retry);
    const isOfCell = (call: CellCall) => plainAddress(call.address) === address;
    const end = Date.now() + CALLS_MS;
    // A function may be called when another one has its result.
    while (Date.now() < end && !(calls.some(isOfCell) && Date.now() > lastAt + QUIET_MS))
      await sleep(50, retry?.signal);
    return calls.filter(isOfCell);
  } finally {
    listeners.delete(listen);
  }
}

/** An address as Excel writes it in different places: a sheet's name may have quotation marks. */
function plainAddress(address: string): string {
  const end = address.lastIndexOf('!');
  const sheet = address.slice(0, end).replace(/^'|'$/g, '').replaceAll("''", "'");
  return `${sheet}!${address.slice(end + 1).replaceAll('$', '')}`;
}
