import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FiguresQuery, MAX_FIGURES } from '../../../../shared/resources/generalLedger/ledgerFigures.ts';
import { addDays } from '../../../../shared/wire/calendarDate.ts';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { threadTime } from '../../../../testing/threadTime.ts';
import { storeEntries } from '../ledger/storeEntries.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import type { Database } from '../sql/database.ts';
import { insertRows } from '../sql/insertRows.ts';
import { type LedgerOrder, ledgerResponse } from './ledgerResponse.ts';
import { type LedgerThreads, ledgerThreads } from './ledgerThreads.ts';

const DAYS = 7 * 365;
const ACCOUNTS = 20;

/** Other tests may need the processor. */
const patient = { maxMs: 300_000 };

// No other connection opens an embedded database.
describe.skipIf(databaseKind() === 'embedded')('questions about a ledger of seven years', () => {
  const folder = temporaryFolder();
  let db: Database;
  let databaseUrl: string;
  let threads: LedgerThreads;
  let order: (query: FiguresQuery) => LedgerOrder;
  beforeAll(async () => {
    ({ db, url: databaseUrl } = await emptyDatabase(path.join(folder, 'ledger.sqlite')));
    const id = await createAdministration(db, { name: 'Books', country: 'NL', fiscalYears: [2025], now: 1n });
    const administration = await db
      .selectFrom('administration')
      .where('id', '=', id)
      .selectAll()
      .executeTakeFirstOrThrow();
    const totals = Array.from({ length: DAYS * ACCOUNTS }, (_, index) => ({
      administration_id: id,
      ledger_account_number: String(4000 + (index % ACCOUNTS)),
      date: addDays('2019-01-01', Math.floor(index / ACCOUNTS)),
      debit: 100n,
      credit: 1n,
    }));
    await insertRows(db, 'ledger_total', totals);
    order = (query) => ({ administration, today: '2026-01-01', name: 'figures', query });
    threads = ledgerThreads(databaseUrl, patient);
  });
  afterAll(async () => {
    await threads.close();
    await db.destroy();
  });

  const all = { period: Array.from({ length: MAX_FIGURES }, (_, index) => `2019..${2020 + (index % 6)}`), open: [] };

  /** Answers questions in both threads. @returns the responses, once the one of requests was found to do little for them */
  async function answeredBeside(asked: readonly LedgerOrder[]): Promise<string[]> {
    const expected: string[] = [];
    let responses: string[] = [];
    const here = await threadTime(async () => {
      for (const one of asked) expected.push(Buffer.from(await ledgerResponse(db, one)).toString());
    });
    const beside = await threadTime(async () => {
      responses = [];
      for (const one of asked) responses.push((await threads.response(one)).toString());
    }, here / 2);
    expect(responses).toEqual(expected);
    expect(beside).toBeLessThan(here / 2);
    return responses;
  }

  it('are answered beside the thread of requests, as they would be in it', async () => {
    const [response] = await answeredBeside([order(all)]);
    expect(JSON.parse(response!).periods[0].figures[0]).toMatchObject({
      number: '4000',
      debit: 731,
      credit: 7.31,
      closing: 723.69,
    });
  });

  it('are answered beside it too when they are about its VAT', async () => {
    const administration = await db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
    const tax = { tax_code: '21% - Hoog', tax_base: -100n, tax_amount: -21n };
    const entries = Array.from({ length: 4000 }, (_, index) => ({
      journal: 'memorial' as const,
      date: addDays('2025-01-01', index % 365),
      description: 'Sale',
      created_on: 1n,
      lines: [
        { ledger_account_number: '1300', document: String(index), amount: 121n },
        { ledger_account_number: '8000', document: String(index), amount: -100n },
        { ledger_account_number: '1500', document: String(index), amount: -21n, ...tax },
      ],
    }));
    await storeEntries({ db, administration }, entries);
    const asked: LedgerOrder[] = [
      { administration, name: 'vatReturn', query: { period: '2025' } },
      { administration, name: 'vatLines', query: { period: '2025' } },
    ];
    const [vatReturn] = await answeredBeside(asked);
    const { boxes } = JSON.parse(vatReturn!);
    expect(boxes).toContainEqual(expect.objectContaining({ box: '1a', part: 'tax', exact: 840 }));
  });

  it('are answered one at a time, and refused when more wait than may', async () => {
    const asked = Array.from({ length: 110 }, () => threads.response(order({ period: ['..2020'], open: [] })));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ reason: { code: 'UNAVAILABLE', headers: { 'Retry-After': '5' } } });
  });

  it('are refused with the fields that are wrong', async () => {
    await expect(threads.response(order({ period: ['2019'], open: [] }))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ path: 'period[0]' }],
    });
  });

  it('may wait until the connection to a server that has fallen silent is ended', async () => {
    // A statement may take a minute, and ten seconds later its connection is ended.
    const ended = 70_000;
    const usual = ledgerThreads(databaseUrl);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const response = usual.response(order({ period: ['..2020'], open: [] }));
      vi.advanceTimersByTime(ended + 1000);
      expect(JSON.parse((await response).toString()).periods).toHaveLength(1);
      await usual.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['time', { maxMs: 1 }],
    ['memory', { ...patient, maxMegabytes: 8 }],
  ])('are refused when they take too much %s', async (_, limits) => {
    const hurried = ledgerThreads(databaseUrl, limits);
    await expect(hurried.response(order(all))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('ask for less at once'),
    });
    await hurried.close();
  });
});
