import { describe, expect, it } from 'vitest';
import { retries } from '../../../shared/retry.ts';
import { nextRow, type Row, type RowEvent, type RowTraits } from './rowState.ts';

const adds: RowTraits = { remembered: false, repeatable: false };
const sets: RowTraits = { remembered: false, repeatable: true };
const ours: RowTraits = { remembered: true, repeatable: true };

const waiting: Row = { state: 'waiting', attempts: 0, doubtful: false };
const sending: Row = { state: 'sending', attempts: 1, doubtful: false };
const doubtful: Row = { state: 'sending', attempts: 1, doubtful: true };
const unknown: Row = { state: 'unknown', attempts: 1, doubtful: false };

/** `same`: nothing changes. */
type Case = [name: string, traits: RowTraits, row: Row, event: RowEvent, expected: Partial<Row> | 'same'];

const cases: Case[] = [
  // A row that was not sent.
  ['any row', adds, waiting, 'sending', { state: 'sending', attempts: 1, doubtful: false }],
  ['any row', adds, waiting, 'cancelled', { state: 'cancelled' }],
  ['any row', adds, waiting, 'applied', 'same'],
  ['any row', adds, waiting, 'refused', 'same'],
  ['any row', adds, waiting, 'unknown', 'same'],
  ['any row', adds, waiting, 'deferred', 'same'],
  ['any row', adds, waiting, 'found sending', 'same'],
  ['any row', adds, waiting, 'not sent', 'same'],

  // A row that is sent for the first time.
  ['a row that adds', adds, sending, 'applied', { state: 'applied' }],
  ['a row that adds', adds, sending, 'refused', { state: 'refused' }],
  ['a row that adds', adds, sending, 'unknown', { state: 'unknown' }],
  ['a row that adds', adds, sending, 'deferred', { state: 'waiting', attempts: 0 }],
  ['a row that adds', adds, sending, 'found sending', { state: 'unknown' }],
  ['a row that adds', adds, sending, 'sending', 'same'],
  ['a row that adds', adds, sending, 'cancelled', 'same'],
  ['a row that sets', sets, sending, 'applied', { state: 'applied' }],
  ['a row that sets', sets, sending, 'refused', { state: 'refused' }],
  ['a row that sets', sets, sending, 'unknown', { state: 'sending', doubtful: true }],
  ['a row that sets', sets, sending, 'deferred', { state: 'waiting', attempts: 0 }],
  ['a row that sets', sets, sending, 'found sending', { state: 'sending', doubtful: true }],
  ['a row that sets', sets, sending, 'sending', 'same'],
  ['a row that sets', sets, sending, 'cancelled', 'same'],
  ['a row that sets', sets, sending, 'not sent', { state: 'waiting', attempts: 0 }],
  ['a remembered row', ours, sending, 'not sent', { state: 'waiting', attempts: 0 }],
  ['a remembered row', ours, sending, 'found sending', { state: 'sending', doubtful: true }],
  // The row may have been applied without a response.
  ['a remembered row', ours, sending, 'deferred', { state: 'sending', doubtful: true }],

  // A row with an earlier attempt that may have been applied.
  ['a row that sets', sets, doubtful, 'sending', { state: 'sending', attempts: 2, doubtful: true }],
  ['a row that sets', sets, doubtful, 'applied', { state: 'applied', doubtful: false }],
  ['a row that sets', sets, doubtful, 'refused', { state: 'unknown' }],
  ['a row that sets', sets, doubtful, 'unknown', { state: 'sending', doubtful: true }],
  ['a row that sets', sets, { ...doubtful, attempts: retries.pushRow.maxAttempts }, 'unknown', { state: 'unknown' }],
  // A row that was not sent has no attempt.
  [
    'a row that sets',
    sets,
    { ...doubtful, attempts: 3 },
    'deferred',
    { state: 'sending', attempts: 2, doubtful: true },
  ],
  ['a row that sets', sets, doubtful, 'found sending', 'same'],
  ['a row that sets', sets, doubtful, 'cancelled', 'same'],
  [
    'a row that sets',
    sets,
    { ...doubtful, attempts: 3 },
    'not sent',
    { state: 'sending', attempts: 2, doubtful: true },
  ],
  // If an earlier attempt had been applied, this one would have returned its outcome.
  ['a remembered row', ours, doubtful, 'refused', { state: 'refused', doubtful: false }],
  ['a remembered row', ours, { ...doubtful, attempts: 99 }, 'unknown', { state: 'sending' }],
  ['a remembered row', ours, doubtful, 'deferred', 'same'],

  // A late response.
  ['a row that adds', adds, unknown, 'applied', { state: 'applied' }],
  ['a row that adds', adds, unknown, 'refused', { state: 'refused' }],
  ['a row that sets', sets, { ...unknown, doubtful: true }, 'refused', 'same'],
  ['a row that adds', adds, unknown, 'sending', 'same'],
  ['a row that adds', adds, unknown, 'found sending', 'same'],
  ['a row that adds', adds, unknown, 'cancelled', 'same'],
  ['a row that adds', adds, unknown, 'unknown', 'same'],
  ['a row that adds', adds, unknown, 'deferred', 'same'],
  ['a row that sets', sets, unknown, 'not sent', 'same'],
];

describe('a row of a push', () => {
  it.each(cases)('%s (%j), being %j, once %s: %j', (_, traits, row, event, expected) => {
    const after = nextRow(row, event, traits);
    if (expected === 'same') expect(after).toBe(row);
    else expect(after).toMatchObject(expected);
  });

  it.each(['applied', 'refused', 'cancelled'] as const)('that is %s does not change by any event', (state) => {
    const row: Row = { state, attempts: 1, doubtful: false };
    const events: RowEvent[] = [
      'sending',
      'not sent',
      'applied',
      'refused',
      'unknown',
      'deferred',
      'found sending',
      'cancelled',
    ];
    for (const traits of [adds, sets, ours]) for (const event of events) expect(nextRow(row, event, traits)).toBe(row);
  });
});
