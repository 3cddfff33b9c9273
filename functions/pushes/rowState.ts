import type { RowState } from '../../shared/resources/push.ts';
import { retries } from '../../shared/retry.ts';

/** Where a row of a push stands. */
export type Row = {
  state: RowState;
  /** How often it was sent, or is about to be. */
  attempts: number;
  /** Whether an attempt before the latest may have been carried out. */
  doubtful: boolean;
};

/** What happens to a row. */
export type RowEvent =
  /** It is about to leave. */
  | 'sending'
  /** It did not leave after all. */
  | 'not sent'
  /** What came of an attempt, as `WriteOutcome` has it. */
  | 'applied'
  | 'refused'
  | 'unknown'
  | 'deferred'
  /** Another worker left it while it was being sent. */
  | 'found sending'
  | 'cancelled';

/** What may be done with a row whose outcome is unknown. */
export type RowTraits = {
  /** The administration knows it when it is given again: giving it again tells what became of it. */
  remembered: boolean;
  /** The second time changes nothing more. */
  repeatable: boolean;
};

export const newRow: Row = { state: 'waiting', attempts: 0, doubtful: false };

/**
 * What becomes of a row. The same row comes back when the event changes nothing: late, repeated and reordered events are
 * all harmless.
 *
 * A row is never sent twice unless the second time changes nothing more. What is applied stays applied. A refusal of a
 * repetition says nothing of the attempt before it.
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
          // One that is remembered is given again until there is an answer.
          if (!mayRepeat || (!remembered && row.attempts >= retries.pushRow.maxAttempts)) return become('unknown');
          return become('sending', { doubtful: true });
        case 'not sent': {
          // What came before is as it was, and this was no attempt.
          const attempts = Math.max(0, row.attempts - 1);
          return row.doubtful ? become('sending', { attempts }) : become('waiting', { attempts });
        }
        case 'deferred':
          // Who remembers may have carried it out nonetheless, and tells so the next time.
          if (remembered) return row.doubtful ? row : become('sending', { doubtful: true });
          return nextRow(row, 'not sent', { remembered, repeatable });
        case 'found sending':
          return mayRepeat ? (row.doubtful ? row : become('sending', { doubtful: true })) : become('unknown');
        case 'cancelled':
          return row;
      }
      break;

    // An answer that came after all.
    case 'unknown':
      if (event === 'applied') return become('applied', { doubtful: false });
      return event === 'refused' && !row.doubtful ? become('refused') : row;
  }
  return row;
}

/** Whether nothing more happens to a row by itself. */
export const isSettled = ({ state }: Row): boolean => state !== 'waiting' && state !== 'sending';
