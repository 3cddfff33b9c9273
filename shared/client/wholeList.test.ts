import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerAccount } from '../resources/ledgerAccount.ts';
import type { SalesInvoice } from '../resources/salesInvoice.ts';
import { beginning, type Place, wholeList, wholeListInOrder } from './wholeList.ts';

const invoice = (number: number): SalesInvoice => ({ InvoiceNumber: String(number) }) as SalesInvoice;
const numberOf = (row: SalesInvoice): string => String(row.InvoiceNumber);

/** A service with a list, which may return fewer rows than requested. */
const serviceOf = (rows: () => SalesInvoice[], cap: number) => {
  const requested: Record<string, unknown>[] = [];
  return {
    requested,
    listsalesinvoices: async (request: Record<string, unknown>) => {
      requested.push(request);
      const { Offset = 0, Limit = 100 } = request as { Offset?: number; Limit?: number };
      return rows().slice(Offset, Offset + Math.min(Limit, cap));
    },
  };
};

async function collect<Row>(pages: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

describe('a whole list', () => {
  it('has every row once and in order, for any length of the list and of its pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(250), fc.integer({ min: 1, max: 120 }), async (length, cap) => {
        const rows = Array.from({ length }, (_, index) => invoice(length - index));
        const found = await collect(
          wholeList(
            serviceOf(() => rows, cap),
            'listsalesinvoices',
            {},
            numberOf,
          ),
        );
        expect(found).toEqual(rows);
      }),
    );
  });

  it('requests as many rows as the interface allows, fewer with lines', async () => {
    const service = serviceOf(() => [invoice(1)], 100);
    await collect(wholeList(service, 'listsalesinvoices', { InlcudeInvoiceLinesInResponse: true }, numberOf));
    expect(service.requested).toEqual([
      { InlcudeInvoiceLinesInResponse: true, Limit: 50, Offset: 0 },
      { InlcudeInvoiceLinesInResponse: true, Limit: 50, Offset: 1 },
    ]);
  });

  it('has a row once when rows are added at the top while it is read', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => invoice(30 - index));
    let last = 30;
    const pages = wholeList(
      serviceOf(() => rows, 10),
      'listsalesinvoices',
      {},
      numberOf,
    );
    const found: string[] = [];
    for await (const page of pages) {
      found.push(...page.map(numberOf));
      if (last < 33) rows.unshift(invoice(++last));
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(Array.from({ length: 30 }, (_, index) => String(index + 1))));
  });

  it('requests the next page while the caller works on this one', async () => {
    const service = serviceOf(() => [1, 2, 3, 4].map(invoice), 2);
    const pages = wholeList(service, 'listsalesinvoices', {}, numberOf);
    await pages.next();
    expect(service.requested.map(({ Offset }) => Offset)).toEqual([0, 1]);
    await pages.return();
  });

  it('has every permanent row once while others are added and removed between its pages', async () => {
    await fc.assert(
      fc.asyncProperty(changing, async ({ keys, cap, changes }) => {
        const list = changingList(keys, cap, changes, false);
        const service = {
          listsalesinvoices: async (request: object) =>
            (await list.pageFrom(Number(Reflect.get(request, 'Offset')))).map(invoice),
        };
        const rows = await unlessEmptied(list, collect(wholeList(service, 'listsalesinvoices', {}, numberOf)));
        if (rows === undefined) return;
        const found = rows.map((row) => Number(numberOf(row)));
        expect(new Set(found).size).toBe(found.length);
        expect(found.filter((one) => list.lasting().includes(one))).toEqual(list.lasting());
        expect(found.filter((one) => !list.ever().has(one))).toEqual([]);
      }),
      {
        numRuns: 1000,
        examples: [
          [emptied],
          // A failing run: rows were added after an offset behind the end had none.
          [
            {
              keys: [54, 63, 81, 108, 162, 387],
              cap: 5,
              changes: [
                { after: 1, add: [72], remove: [] },
                { after: 2, add: [0, 90, 18, 126, 117, 27, 144, 180, 324, 135, 252, 36, 99], remove: [] },
                { after: 1, add: [243, 234, 270, 333, 9], remove: [] },
                {
                  after: 2,
                  add: [288, 189, 198, 207, 171, 216, 153, 225, 279, 45, 306, 342, 297, 360, 378, 315, 351, 261, 369],
                  remove: [],
                },
                { after: 14, add: [1, 181], remove: [] },
                { after: 12, add: [], remove: [180, 0, 18, 9] },
              ],
            },
          ],
        ],
      },
    );
  });

  it('begins each page with the last row of the one before, at the cost of one request in a hundred', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => invoice(1000 - index));
    const service = serviceOf(() => rows, 100);
    expect(await collect(wholeList(service, 'listsalesinvoices', {}, numberOf))).toEqual(rows);
    expect(service.requested.map(({ Offset }) => Offset)).toEqual([
      0, 99, 198, 297, 396, 495, 594, 693, 792, 891, 990, 999,
    ]);
  });

  it('has a row that moved to an earlier page since another one was deleted', async () => {
    const rows = [9, 8, 7, 6, 5, 4, 3, 2, 1].map(invoice);
    const pages = wholeList(
      serviceOf(() => rows, 4),
      'listsalesinvoices',
      {},
      numberOf,
    );
    const found: string[] = [];
    for await (const page of pages) {
      found.push(...page.map(numberOf));
      // The next page was requested before.
      if (found.length === 4) rows.splice(0, 1);
    }
    expect(found).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1']);
  });

  it('throws when a service has other rows each time, or the same ones in another order', async () => {
    let number = 0;
    const others = { listsalesinvoices: async () => Array.from({ length: 100 }, () => invoice(++number)) };
    await expect(collect(wholeList(others, 'listsalesinvoices', {}, numberOf))).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
    });
    const rows = [1, 2, 3, 4].map(invoice);
    const shuffled = {
      listsalesinvoices: async () => {
        rows.push(rows.shift()!);
        return [...rows];
      },
    };
    await expect(collect(wholeList(shuffled, 'listsalesinvoices', {}, numberOf))).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
    });
    const onlyFirst = {
      listsalesinvoices: async ({ Offset }: { Offset?: unknown }) =>
        Array.from({ length: 10 }, (_, index) => invoice(Offset === 0 ? index : 10 + ++number)),
    };
    await expect(collect(wholeList(onlyFirst, 'listsalesinvoices', {}, numberOf))).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
    });
  });

  it('is complete when a service has rows from the first offset only', async () => {
    for (const length of [1, 2, 3, 500]) {
      const rows = Array.from({ length }, (_, index) => invoice(index));
      const requested: unknown[] = [];
      const service = {
        listsalesinvoices: async ({ Offset }: { Offset?: unknown }) => {
          requested.push(Offset);
          return Offset === 0 ? rows : [];
        },
      };
      expect(await collect(wholeList(service, 'listsalesinvoices', {}, numberOf))).toEqual(rows);
      expect(requested.length).toBeLessThanOrEqual(4);
    }
  });

  it('continues when as many rows are added as the last page has', async () => {
    const rows = [3, 2, 1].map(invoice);
    const service = serviceOf(() => rows, 2);
    const listed = service.listsalesinvoices;
    service.listsalesinvoices = async (request) => {
      const page = await listed(request);
      if (service.requested.length === 2) rows.unshift(invoice(4));
      return page;
    };
    expect((await collect(wholeList(service, 'listsalesinvoices', {}, numberOf))).map(numberOf)).toEqual([
      '3',
      '2',
      '1',
    ]);
    expect(service.requested.map(({ Offset }) => Offset)).toEqual([0, 1, 2, 3]);
  });

  it('throws when a service returns the same page for every offset', async () => {
    const service = { listsalesinvoices: async () => [invoice(1), invoice(2)] };
    await expect(collect(wholeList(service, 'listsalesinvoices', {}, numberOf))).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
    });
  });

  it('throws when a service that had rows has none any more, however long it had them', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => invoice(1000 - index));
    let pages = 0;
    const service = serviceOf(() => (++pages > 5 ? [] : rows), 100);
    await expect(collect(wholeList(service, 'listsalesinvoices', {}, numberOf))).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
    });
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const pages = wholeList(
      serviceOf(() => [1, 2, 3].map(invoice), 1),
      'listsalesinvoices',
      {},
      numberOf,
      stop.signal,
    );
    await pages.next();
    stop.abort();
    await expect(pages.next()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('ends the running request when the caller stops reading', async () => {
    const requested: (AbortSignal | undefined)[] = [];
    const service = {
      listsalesinvoices: async (_: object, signal?: AbortSignal) => {
        requested.push(signal);
        return [invoice(requested.length)];
      },
    };
    for await (const _ of wholeList(service, 'listsalesinvoices', {}, numberOf)) break;
    expect(requested.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('of an endpoint without paging is its one response', async () => {
    const accounts = [{ Number: '0100' }, { Number: '0200' }] as LedgerAccount[];
    const service = { listledgeraccounts: async () => accounts };
    expect(await collect(wholeList(service, 'listledgeraccounts', {}, (account) => account.Number))).toEqual(accounts);
  });
});

/**
 * A sorted list of keys that is changed between its pages, and a service that answers at most so many of them at once.
 * @param mayReturn whether keys that were removed may be added again
 */
const changingList = (
  keys: readonly number[],
  cap: number,
  changes: readonly { after: number; add: readonly number[]; remove: readonly number[] }[],
  mayReturn = true,
) => {
  const now = new Set(keys);
  const gone = new Set<number>();
  let requested = 0;
  let wasEmptied = false;
  return {
    /** Whether it had rows, and then none for a moment. */
    wasEmptied: () => wasEmptied,
    /** Those that were there all the time. */
    lasting: () => keys.filter((key) => now.has(key) && !gone.has(key)),
    ever: () => new Set([...keys, ...changes.flatMap(({ add }) => add)]),
    async pageFrom(offset: number) {
      const page = [...now].sort((a, b) => a - b).slice(offset, offset + cap);
      requested++;
      for (const { add, remove } of changes.filter(({ after }) => after === requested)) {
        for (const key of add) if (mayReturn || !gone.has(key)) now.add(key);
        for (const key of remove) {
          if (now.delete(key)) wasEmptied ||= now.size === 0;
          gone.add(key);
        }
      }
      return page;
    },
  };
};

/** What is read of a list; undefined where it is refused, as one that was emptied while it was read may be. */
const unlessEmptied = <Read>(
  list: ReturnType<typeof changingList>,
  reading: Promise<Read>,
): Promise<Read | undefined> =>
  reading.catch((error: unknown) => {
    if (!list.wasEmptied()) throw error;
    expect(error).toMatchObject({ code: 'REMOTE_FAILED' });
    return undefined;
  });

/** A failing run: all rows were removed after the first page. */
const emptied = { keys: [0, 1], cap: 2, changes: [{ after: 1, add: [], remove: [1, 0] }] };

const key = fc.integer({ min: 0, max: 400 });
const changing = fc.record({
  keys: fc.uniqueArray(key, { maxLength: 120, size: 'max' }).map((keys) => keys.toSorted((a, b) => a - b)),
  cap: fc.integer({ min: 2, max: 40 }),
  changes: fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 25 }),
      add: fc.array(key, { maxLength: 30, size: 'max' }),
      remove: fc.array(key, { maxLength: 150, size: 'max' }),
    }),
    { maxLength: 8, size: 'max' },
  ),
});

describe('a whole list in order', () => {
  it('has every permanent row once and in order while others are added and removed', async () => {
    await fc.assert(
      fc.asyncProperty(changing, async ({ keys, cap, changes }) => {
        const list = changingList(keys, cap, changes);
        const pages = await unlessEmptied(list, Array.fromAsync(wholeListInOrder(list.pageFrom, BigInt)));
        if (pages === undefined) return;
        const found = pages.flatMap(({ rows }) => rows);
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
        expect(found.filter((one) => list.lasting().includes(one))).toEqual(list.lasting());
        expect(found.filter((one) => !list.ever().has(one))).toEqual([]);
      }),
      { numRuns: 1000, examples: [[emptied]] },
    );
  });

  it('continues when as many rows are added before each page as the offset grows', async () => {
    for (const cap of [2, 3, 10]) {
      const keys = Array.from({ length: 30 }, (_, index) => 1000 + index);
      const pageFrom = async (offset: number) => {
        const page = keys.slice(offset, offset + cap);
        // From where the list is read to its end on, for a while.
        if (page.includes(1029)) for (let one = 1; one < cap && keys.length < 230; one++) keys.unshift(keys[0]! - 1);
        return page;
      };
      const pages = await Array.fromAsync(wholeListInOrder(pageFrom, BigInt));
      expect(pages.flatMap(({ rows }) => rows)).toEqual(Array.from({ length: 30 }, (_, index) => 1000 + index));
    }
  });

  it('continues from the position of an earlier reading', async () => {
    await fc.assert(
      fc.asyncProperty(changing, fc.array(fc.integer({ min: 1, max: 3 })), async (given, stops) => {
        const list = changingList(given.keys, given.cap, given.changes);
        const found: number[] = [];
        let place: Place = beginning;
        const read = async () => {
          for (const stop of [...stops, Number.POSITIVE_INFINITY]) {
            let pages = 0;
            for await (const { rows, place: after } of wholeListInOrder(list.pageFrom, BigInt, { place })) {
              found.push(...rows);
              place = JSON.parse(JSON.stringify(after));
              if (++pages === stop) break;
            }
          }
          return true;
        };
        const isRead = await unlessEmptied(list, read());
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
        if (isRead) expect(found.filter((one) => list.lasting().includes(one))).toEqual(list.lasting());
      }),
      { numRuns: 500, examples: [[emptied, []]] },
    );
  });

  it('distinguishes identifiers beyond the precision of JavaScript numbers', async () => {
    const guids = ['9007199254740992', '9007199254740993', '9223372036854775807'];
    const pageFrom = async (offset: number) => guids.slice(offset, offset + 2);
    const pages = await Array.fromAsync(wholeListInOrder(pageFrom, BigInt));
    expect(pages.flatMap(({ rows }) => rows)).toEqual(guids);
  });

  it('sends one more request than there are pages, and begins each page with a known row', async () => {
    const requested: number[] = [];
    const pageFrom = async (offset: number) => {
      requested.push(offset);
      return Array.from({ length: 25 }, (_, index) => index).slice(offset, offset + 10);
    };
    await Array.fromAsync(wholeListInOrder(pageFrom, BigInt));
    expect(requested).toEqual([0, 9, 18, 24]);
  });

  it('throws when a service that had rows has none any more', async () => {
    const keys = Array.from({ length: 1000 }, (_, index) => index + 1);
    let pages = 0;
    const pageFrom = async (offset: number) => (++pages > 5 ? [] : keys.slice(offset, offset + 100));
    await expect(Array.fromAsync(wholeListInOrder(pageFrom, BigInt))).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
  });

  it('throws when a service does not sort, or does not page', async () => {
    const unsorted = wholeListInOrder(async () => [2, 1], BigInt);
    await expect(Array.fromAsync(unsorted)).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
    const repeated = wholeListInOrder(async () => [1, 2], BigInt);
    await expect(Array.fromAsync(repeated)).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
  });
});
