/** A value in one cell, or the code of an error there. */
export type CallValue = string | number | boolean | { error: string };

/** What a function in a cell returned: a value, values for several cells, or the code of an error with its message. */
export type CallResult = { value: string | number | boolean | CallValue[][] } | { error: string; message: string };

/** A function of an add-in: the arguments that Excel passes, and then the call. */
type Implementation = (...args: unknown[]) => unknown;

/** The codes of errors that may have a message; see `CustomFunctions.ErrorCode`. */
export const errorCodes = {
  invalidValue: '#VALUE!',
  notAvailable: '#N/A',
  divisionByZero: '#DIV/0!',
  invalidNumber: '#NUM!',
  nullReference: '#NULL!',
  invalidName: '#NAME?',
  invalidReference: '#REF!',
} as const;

/** The error that a function of an add-in throws to have its cell show it. */
export class CallError extends Error {
  readonly code: string;

  constructor(code: string, message = '') {
    super(message);
    this.code = code;
  }
}

type Call = { id: string; args: string; settle: (result: CallResult) => void };

const MAX_TEXT = 32_767;

/** What one cell can show; anything else is an error, as in Excel. */
const valueIn = (value: unknown): CallValue => {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (typeof value === 'string' && value.length <= MAX_TEXT) return value;
  return { error: isCallError(value) ? value.code : errorCodes.invalidValue };
};

/** An error is returned or thrown, and values for several cells are rows of the same length. */
const resultOf = (value: unknown): CallResult => {
  if (isCallError(value)) return errorOf(value);
  if (Array.isArray(value) && value.length > 0 && value.every(Array.isArray)) {
    const rows = value as unknown[][];
    const isEven = rows.every(({ length }) => length > 0 && length === rows[0]!.length);
    return isEven ? { value: rows.map((row) => row.map(valueIn)) } : { error: errorCodes.invalidValue, message: '' };
  }
  const one = valueIn(value);
  return typeof one === 'object' ? { ...one, message: '' } : { value: one };
};

/** The add-in's page has a `CallError` of its own, so an error is known by its code. */
const isCallError = (error: unknown): error is CallError =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  Object.values<unknown>(errorCodes).includes(error.code);

const errorOf = (error: unknown): CallResult => {
  const { message } = (error ?? {}) as Partial<CallError>;
  return { error: isCallError(error) ? error.code : errorCodes.invalidValue, message: message ?? String(error) };
};

/**
 * Functions that the add-in associates (those in cells, or the actions of buttons), and the calls that await results. An
 * add-in that is not loaded yet, or is loaded again, gets the calls when it associates its functions.
 */
export class FunctionCalls {
  readonly #functions = new Map<string, Implementation>();
  readonly #calls = new Set<Call>();

  /** As `CustomFunctions.associate`. */
  associate(id: string, implementation: Implementation): void {
    this.#functions.set(id.toUpperCase(), implementation);
    for (const call of this.#calls) if (call.id === id.toUpperCase()) this.#run(call);
  }

  /** The add-in was unloaded: its results no longer come. */
  forget(): void {
    this.#functions.clear();
  }

  /** Calls a function; arguments and results are text between the two sides, as in requests to the workbook. */
  call(id: string, args: readonly unknown[]): Promise<CallResult> {
    return new Promise((resolve) => {
      const call: Call = {
        id: id.toUpperCase(),
        args: JSON.stringify(args),
        settle: (result) => {
          if (this.#calls.delete(call)) resolve(JSON.parse(JSON.stringify(result)) as CallResult);
        },
      };
      this.#calls.add(call);
      this.#run(call);
    });
  }

  #run(call: Call): void {
    const implementation = this.#functions.get(call.id);
    if (implementation === undefined) return;
    const isCurrent = () => this.#functions.get(call.id) === implementation;
    new Promise((resolve) => resolve(implementation(...(JSON.parse(call.args) as unknown[])))).then(
      (value) => isCurrent() && call.settle(resultOf(value)),
      (error: unknown) => isCurrent() && call.settle(errorOf(error)),
    );
  }
}
