import { type EventEntry, eventsOf } from './events.ts';
import { FunctionCalls } from './functionCalls.ts';
import { type BatchRequest, type BatchResponse, executeBatch } from './interpreter/batch.ts';
import { type Host, isOfKind, References } from './interpreter/hostObject.ts';
import { ExcelError, type ExcelErrorCode } from './workbook/cells/error.ts';
import { shiftArea } from './workbook/cells/movedArea.ts';
import { recordStep } from './workbook/changes/undo.ts';
import type { Workbook } from './workbook/workbook.ts';

/** The setting of a workbook that has the startup behaviour of its add-in. */
const STARTUP = 'Office.StartupBehavior';

/** The largest request and response of Excel on the web. */
const PAYLOAD_LIMIT = 5 * 1024 * 1024;

/** Set by `Excel.run({ delayForCellEdit: true }, ...)`: wait while the user edits a cell instead of failing. */
const DELAY_FOR_CELL_EDIT = 64;

/** The response for Microsoft's client: a body as JSON, or an error. */
type HostResponse = { body: string } | { errorCode: ExcelErrorCode; errorMessage: string };

/**
 * The host of an add-in. Requests and responses are text, so the two sides cannot share objects
 * by accident.
 */
export type ExcelHost = {
  execute(body: string, flags: number): Promise<HostResponse>;
  onEvents(listener: (entries: EventEntry[]) => void): () => void;
  /** The functions in cells that the add-in associates. */
  functions: FunctionCalls;
  /** The actions of buttons that the add-in associates. */
  actions: FunctionCalls;
  /** What the add-in does when the workbook is opened again: stored in the workbook. */
  startup: { read(): string; store(behavior: string): void };
  /** The add-in shows its pane. */
  showPane(): void;
  onShowPane(listener: () => void): () => void;
};

const bytes = (text: string): number =>
  text.length * 3 <= PAYLOAD_LIMIT ? text.length : new TextEncoder().encode(text).length;

const refusal = (code: ExcelErrorCode): HostResponse => ({
  errorCode: code,
  errorMessage: new ExcelError(code).message,
});

/** Resolves when no cell is being edited, no change of many cells is being made, and formulas can be calculated. */
const isFree = (workbook: Workbook): Promise<void> =>
  new Promise((resolve) => {
    const isTaken = () => workbook.editing || workbook.busy || workbook.awaitsCalculator;
    if (!isTaken()) return resolve();
    const stop = workbook.subscribe(() => {
      if (isTaken()) return;
      stop();
      resolve();
    });
  });

/** Creates the host of a workbook. @param pause runs before and after each batch, so that the browser can draw the page */
export const createHost = (workbook: Workbook, pause: () => Promise<void> = async () => {}): ExcelHost => {
  const host: Host = { workbook, references: new References() };

  workbook.subscribe((change) => {
    if (change.kind !== 'structure') return;
    for (const object of host.references.all()) {
      if (!isOfKind(object, 'Range') || object.target.sheet !== change.sheet) continue;
      object.target.area = shiftArea(object.target.area, change.shift) ?? object.target.area;
    }
  });

  const run = (body: string): HostResponse => {
    let response: BatchResponse;
    const actor = workbook.actor;
    workbook.actor = 'add-in';
    try {
      response = recordStep(workbook, () => executeBatch(JSON.parse(body) as BatchRequest, host));
    } finally {
      workbook.actor = actor;
    }
    const text = JSON.stringify(response);
    return bytes(text) > PAYLOAD_LIMIT ? refusal('ResponsePayloadSizeLimitExceeded') : { body: text };
  };

  let previous: Promise<unknown> = Promise.resolve();
  const showing = new Set<() => void>();
  return {
    functions: new FunctionCalls(),
    actions: new FunctionCalls(),
    startup: {
      read: () =>
        String((workbook.settings.get(STARTUP.toLowerCase()) as { value?: unknown } | undefined)?.value ?? 'None'),
      store: (value) => void workbook.settings.set(STARTUP.toLowerCase(), { key: STARTUP, value }),
    },
    showPane: () => {
      for (const listener of showing) listener();
    },
    onShowPane: (listener) => {
      showing.add(listener);
      return () => showing.delete(listener);
    },
    execute: (body, flags) => {
      const turn = previous.then(async () => {
        await pause();
        if (bytes(body) > PAYLOAD_LIMIT) return refusal('RequestPayloadSizeLimitExceeded');
        if (workbook.editing && (flags & DELAY_FOR_CELL_EDIT) === 0) return refusal('InvalidOperationInCellEditMode');
        await isFree(workbook);
        const response = run(body);
        await pause();
        return response;
      });
      previous = turn.catch(() => undefined);
      return turn;
    },
    onEvents: (listener) =>
      workbook.subscribe((change) => {
        const entries = workbook.sendsEvents ? eventsOf(change, workbook) : [];
        if (entries.length > 0) listener(entries);
      }),
  };
};
