import { equal } from 'node:assert/strict';
import { MAX_FIGURES } from '../../../shared/resources/generalLedger/ledgerFigures.ts';
import { addDays } from '../../../shared/wire/calendarDate.ts';
import type { Attack } from './attack.ts';
import { BUSIEST, fillBooks } from './books.ts';

/* Questions about the ledger of an administration of seven busy years, by a key that may only read, and about its VAT. */

const asking = (name: string, path: string): Attack => ({
  name,
  async prepare(target) {
    await fillBooks(target);
    return async () => {
      const { status, body } = await target.read({ method: 'GET', path });
      // Half a million open items of one relation are too many for a response.
      if (!/too much time or memory/.test(body)) equal(status, 200, body.slice(0, 1000));
      return `${status}, ${(body.length / 1e6).toFixed(1)} MB`;
    };
  },
});

const each = (parameter: string, text: (index: number) => string): string =>
  Array.from({ length: MAX_FIGURES }, (_, index) => `${parameter}=${text(index)}`).join('&');

export const ledgerAttacks: readonly Attack[] = [
  asking('figures of the most periods', `/ledger/figures?${each('period', (index) => `2019..${2020 + (index % 6)}`)}`),
  asking(
    'open amounts on the most days',
    `/ledger/figures?${each('open', (index) => addDays('2024-01-01', index * 30))}`,
  ),
  asking('the open items of one relation with most lines', `/ledger/openitems?relation=${BUSIEST}`),
  asking('balances of all years', '/ledger/balances?from=2019&to=2025'),
  asking('the longest page of entries', '/ledger/entries?limit=1000000&account=1*&account=8*'),
  asking('the VAT return of a busy year', '/vat/return?period=2026'),
  asking('a page of its lines', '/vat/lines?period=2026'),
];
