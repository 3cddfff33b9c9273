import type { RowState } from '../../../shared/resources/push.ts';
import { retries } from '../../../shared/retry.ts';

/** The state of one row of a push. */
export type Row = {
  state: RowState;
  /** How often it was sent, including an attempt that is about to start. */
  attempts: number;
  /** Whether an attempt before the latest may have been carried out. */
  doubtful: boolean;
};

/** What happens to a row. */
export type RowEvent =
  /** It is about to be sent. */
  | 'sending'
  /** It was not sent after all. */
  | 'not sent'
  /** The outcome of an attempt, as in `WriteOutcome`. */
  | 'applied'
  | 'refused'
  | 'unknown'
  | 'deferred'
  /** Another worker left it while it was being sent. */
  | 'found sending'
  /** It was looked for in a list, in vain. */
  | 'looked for'
  | 'cancelled';

/** How a row with an unknown outcome can be settled. */
export type RowTraits = {
  /** The administration stored its key: sending it again returns the outcome of the first attempt. */
  remembered: boolean;
  /** It can be applied twice with the same result. */
  repeatable: boolean;
};

export const newRow: Row = { state: 'waiting', attempts: 0, doubtful: false };

/**
 * The next state of a row. Returns the same row when the event changes nothing: late, repeated and reordered events are
 * all harmless.
 *
 * A row is never sent twice unless it can be applied twice with the same result. An applied row stays applied. A
 * refusal of a repetition says nothing about the attempt before it.
 */
export function nextRow(row: Row, event: RowEvent, { remembered, repeatable }: RowTraits): Row {
  const become = (state: RowState, more: Partial<Row> = {}): Row => ({ ...row, state, ...more });
  const mayRepeat = remembered || repeatable;
  switch (row.state) {
    case 'waiting':
      if (event === 'sending') return become('sending', { attempts: row.attempts + 1 });
      return event === 'cancelled' ? become('cancelled') : row;

    case 'sending':
      switch (event) {
        case 'sending':
          return mayRepeat && row.doubtful ? become('sending', { attempts: row.attempts + 1 }) : row;
        case 'applied':
          return become('applied', { doubtful: false });
        case 'refused':
          return row.doubtful && !remembered ? become('unknown') : become('refused', { doubtful: false });
        case 'unknown':
          // A remembered row is sent again until there is a response.
          if (!mayRepeat || (!remembered && row.attempts >= retries.pushRow.maxAttempts)) return become('unknown');
          return become('sending', { doubtful: true });
        case 'not sent': {
          // The attempt is not counted, and earlier attempts stay as they were.
          const attempts = Math.max(0, row.attempts - 1);
          return row.doubtful ? become('sending', { attempts }) : become('waiting', { attempts });
        }
        case 'deferred':
          // A remembered row may have been applied; the next attempt returns that.
          if (remembered) return row.doubtful ? row : become('sending', { doubtful: true });
          return nextRow(row, 'not sent', { remembered, repeatable });
        case 'found sending':
          return mayRepeat ? (row.doubtful ? row : become('sending', { doubtful: true })) : become('unknown');
        case 'cancelled':
        case 'looked for':
          return row;
      }
      break;

    // The response of an earlier attempt came late.
    case 'unknown':
      if (event === 'applied') return become('applied', { doubtful: false });
      // What is told of it changes.
      if (event === 'looked for') return become('unknown');
      return event === 'refused' && !row.doubtful ? become('refused') : row;
  }
  return row;
}

/** Whether a row has its final state. */
export const isSettled = ({ state }: Row): boolean => state !== 'waiting' && state !== 'sending';
