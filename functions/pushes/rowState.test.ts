import { describe, expect, it } from 'vitest';
import { retries } from '../../shared/retry.ts';
import { type Nature, nextRow, type Row, type RowEvent } from './rowState.ts';

const adds: Nature = { remembered: false, repeatable: false };
const sets: Nature = { remembered: false, repeatable: true };
const ours: Nature = { remembered: true, repeatable: true };

const waiting: Row = { state: 'waiting', attempts: 0, doubtful: false };
const sending: Row = { state: 'sending', attempts: 1, doubtful: false };
const doubtful: Row = { state: 'sending', attempts: 1, doubtful: true };
const unknown: Row = { state: 'unknown', attempts: 1, doubtful: false };

/** `same`: nothing changes. */
type Case = [name: string, nature: Nature, row: Row, event: RowEvent, becomes: Partial<Row> | 'same'];

const cases: Case[] = [
  // A row that was not sent.
  ['any row', adds, waiting, 'sending', { state: 'sending', attempts: 1, doubtful: false }],
  ['any row', adds, waiting, 'cancelled', { state: 'cancelled' }],
  ['any row', adds, waiting, 'applied', 'same'],
  ['any row', adds, waiting, 'refused', 'same'],
  ['any row', adds, waiting, 'unknown', 'same'],
  ['any row', adds, waiting, 'put off', 'same'],
  ['any row', adds, waiting, 'found', 'same'],
  ['any row', adds, waiting, 'stayed', 'same'],

  // A row on its way for the first time.
  ['a row that adds', adds, sending, 'applied', { state: 'applied' }],
  ['a row that adds', adds, sending, 'refused', { state: 'refused' }],
  ['a row that adds', adds, sending, 'unknown', { state: 'unknown' }],
  ['a row that adds', adds, sending, 'put off', { state: 'waiting', attempts: 0 }],
  ['a row that adds', adds, sending, 'found', { state: 'unknown' }],
  ['a row that adds', adds, sending, 'sending', 'same'],
  ['a row that adds', adds, sending, 'cancelled', 'same'],
  ['a row that sets', sets, sending, 'applied', { state: 'applied' }],
  ['a row that sets', sets, sending, 'refused', { state: 'refused' }],
  ['a row that sets', sets, sending, 'unknown', { state: 'sending', doubtful: true }],
  ['a row that sets', sets, sending, 'put off', { state: 'waiting', attempts: 0 }],
  ['a row that sets', sets, sending, 'found', { state: 'sending', doubtful: true }],
  ['a row that sets', sets, sending, 'sending', 'same'],
  ['a row that sets', sets, sending, 'cancelled', 'same'],
  ['a row that sets', sets, sending, 'stayed', { state: 'waiting', attempts: 0 }],
  ['a remembered row', ours, sending, 'stayed', { state: 'waiting', attempts: 0 }],
  ['a remembered row', ours, sending, 'found', { state: 'sending', doubtful: true }],
  // The commit may have arrived, and its answer not.
  ['a remembered row', ours, sending, 'put off', { state: 'sending', doubtful: true }],

  // A row of which an attempt may have been carried out.
  ['a row that sets', sets, doubtful, 'sending', { state: 'sending', attempts: 2, doubtful: true }],
  ['a row that sets', sets, doubtful, 'applied', { state: 'applied', doubtful: false }],
  ['a row that sets', sets, doubtful, 'refused', { state: 'unknown' }],
  ['a row that sets', sets, doubtful, 'unknown', { state: 'sending', doubtful: true }],
  ['a row that sets', sets, { ...doubtful, attempts: retries.pushRow.maxAttempts }, 'unknown', { state: 'unknown' }],
  // What never left was no attempt.
  ['a row that sets', sets, { ...doubtful, attempts: 3 }, 'put off', { state: 'sending', attempts: 2, doubtful: true }],
  ['a row that sets', sets, doubtful, 'found', 'same'],
  ['a row that sets', sets, doubtful, 'cancelled', 'same'],
  ['a row that sets', sets, { ...doubtful, attempts: 3 }, 'stayed', { state: 'sending', attempts: 2, doubtful: true }],
  // Had an attempt before been carried out, this one would have been answered with it.
  ['a remembered row', ours, doubtful, 'refused', { state: 'refused', doubtful: false }],
  ['a remembered row', ours, { ...doubtful, attempts: 99 }, 'unknown', { state: 'sending' }],
  ['a remembered row', ours, doubtful, 'put off', 'same'],

  // An answer that came after all.
  ['a row that adds', adds, unknown, 'applied', { state: 'applied' }],
  ['a row that adds', adds, unknown, 'refused', { state: 'refused' }],
  ['a row that sets', sets, { ...unknown, doubtful: true }, 'refused', 'same'],
  ['a row that adds', adds, unknown, 'sending', 'same'],
  ['a row that adds', adds, unknown, 'found', 'same'],
  ['a row that adds', adds, unknown, 'cancelled', 'same'],
  ['a row that adds', adds, unknown, 'unknown', 'same'],
  ['a row that adds', adds, unknown, 'put off', 'same'],
  ['a row that sets', sets, unknown, 'stayed', 'same'],
];

describe('a row of a push', () => {
  it.each(cases)('%s (%j), being %j, once %s: %j', (_, nature, row, event, becomes) => {
    const after = nextRow(row, event, nature);
    if (becomes === 'same') expect(after).toBe(row);
    else expect(after).toMatchObject(becomes);
  });

  it.each(['applied', 'refused', 'cancelled'] as const)('that is %s stays so, whatever comes', (state) => {
    const row: Row = { state, attempts: 1, doubtful: false };
    const events: RowEvent[] = ['sending', 'stayed', 'applied', 'refused', 'unknown', 'put off', 'found', 'cancelled'];
    for (const nature of [adds, sets, ours]) for (const event of events) expect(nextRow(row, event, nature)).toBe(row);
  });
});
