import { type EventEntry, eventsOf } from './events.ts';
import { type BatchRequest, type BatchResponse, executeBatch } from './interpreter/batch.ts';
import { createReferences, type Host, isOfKind } from './interpreter/hostObject.ts';
import { ExcelError, type ExcelErrorCode } from './workbook/cells/error.ts';
import { shiftArea } from './workbook/changes/shift.ts';
import { recordStep } from './workbook/changes/undo.ts';
import type { Workbook } from './workbook/workbook.ts';

/** Excel on the web takes no request and gives no answer larger than this. */
const PAYLOAD_LIMIT = 5 * 1024 * 1024;

/** Set by `Excel.run({ delayForCellEdit: true }, ...)`: wait while the user edits a cell instead of failing. */
const DELAY_FOR_CELL_EDIT = 64;

/** What goes back to Microsoft's client: either a body, as JSON, or the reason why there is none. */
type HostAnswer = { body: string } | { errorCode: ExcelErrorCode; errorMessage: string };

/**
 * The part of Excel an add-in talks to. Requests and answers are text, so nothing can be shared between the two sides
 * by accident.
 */
export type ExcelHost = {
  execute(body: string, flags: number): Promise<HostAnswer>;
  onEvents(listener: (entries: EventEntry[]) => void): () => void;
};

const bytes = (text: string): number =>
  text.length * 3 <= PAYLOAD_LIMIT ? text.length : new TextEncoder().encode(text).length;

const refusal = (code: ExcelErrorCode): HostAnswer => ({ errorCode: code, errorMessage: new ExcelError(code).message });

/** Resolves when no cell is being edited, and nothing large is being pasted. */
const isFree = (workbook: Workbook): Promise<void> =>
  new Promise((resolve) => {
    if (!workbook.editing && !workbook.busy) return resolve();
    const stop = workbook.subscribe(() => {
      if (workbook.editing || workbook.busy) return;
      stop();
      resolve();
    });
  });

/**
 * Lets an add-in work on a workbook. `pause` runs before each batch; a page gives the screen a chance with it.
 */
export const createHost = (workbook: Workbook, pause: () => Promise<void> = async () => {}): ExcelHost => {
  const host: Host = { workbook, references: createReferences() };

  workbook.onShift((sheet, shift) => {
    for (const object of host.references.all()) {
      if (!isOfKind(object, 'Range') || object.target.sheet !== sheet) continue;
      const moved = shiftArea(object.target.area, shift);
      if (moved) object.target.area = moved;
    }
  });

  const run = (body: string): HostAnswer => {
    let response: BatchResponse;
    const actor = workbook.actor;
    workbook.actor = 'add-in';
    try {
      response = recordStep(workbook, () => executeBatch(JSON.parse(body) as BatchRequest, host));
    } finally {
      workbook.actor = actor;
    }
    const answer = JSON.stringify(response);
    return bytes(answer) > PAYLOAD_LIMIT ? refusal('ResponsePayloadSizeLimitExceeded') : { body: answer };
  };

  let previous: Promise<unknown> = Promise.resolve();
  return {
    execute: (body, flags) => {
      const turn = previous.then(async () => {
        await pause();
        if (bytes(body) > PAYLOAD_LIMIT) return refusal('RequestPayloadSizeLimitExceeded');
        if (workbook.editing && (flags & DELAY_FOR_CELL_EDIT) === 0) return refusal('InvalidOperationInCellEditMode');
        await isFree(workbook);
        return run(body);
      });
      previous = turn.catch(() => undefined);
      return turn;
    },
    onEvents: (listener) =>
      workbook.subscribe((change) => {
        const entries = eventsOf(change, workbook);
        if (entries.length > 0) listener(entries);
      }),
  };
};
