import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { insertRows } from './insertRows.ts';
import { newRow } from './rows.ts';
import { flag } from './schema.ts';

/*
 * The response is the same for both query plans. Up to 2,000 rows are searched: each condition here matches some more, or
 * some less.
 */

const COUNT = 5000;
const guidOf = (index: number) => 10_000 + index;
/** Numbers from 0 up to COUNT in a scattered order. */
const shuffled = (index: number, step: number) => (index * step) % COUNT;

type Model = {
  guid: number;
  name: string;
  email: string;
  customer: number | null;
  supplier: number | null;
  isCustomer: boolean;
  isSupplier: boolean;
  created: number;
  changed: number;
};
const models: Model[] = Array.from({ length: COUNT }, (_, index) => {
  const isCustomer = index % 10 < 7;
  const isSupplier = index % 100 === 50 || index % 10 === 9;
  return {
    guid: guidOf(index),
    name: index % 2 === 0 ? 'even' : `n${shuffled(index, 7)}`,
    email: index % 5 < 3 ? 'most@example.com' : '',
    isCustomer,
    isSupplier,
    customer: isCustomer && index % 10 > 0 ? shuffled(index, 11) + 1 : null,
    supplier: isSupplier && index % 20 !== 9 ? shuffled(index, 13) + 1 : null,
    created: shuffled(index, 17),
    changed: shuffled(index, 19),
  };
});

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await insertRows(
    app.db,
    'relation',
    models.map((model) =>
      newRow('relation', {
        administration_id: app.administrationId,
        guid: BigInt(model.guid),
        name: model.name,
        is_business: 1n,
        email: model.email,
        country_code: 'NL',
        is_customer: flag(model.isCustomer),
        is_supplier: flag(model.isSupplier),
        customer_number: model.customer === null ? null : BigInt(model.customer),
        supplier_number: model.supplier === null ? null : BigInt(model.supplier),
        created_on: BigInt(model.created),
        changed_on: BigInt(model.changed),
      }),
    ),
  );
});
afterAll(() => app.close());

type Condition = { asked: Record<string, string | number>; matches: (model: Model) => boolean };
const conditions: Condition[] = [
  { asked: {}, matches: () => true },
  { asked: { RelationType: 'Customer' }, matches: ({ isCustomer }) => isCustomer },
  { asked: { RelationType: 'Supplier' }, matches: ({ isSupplier }) => isSupplier },
  { asked: { ChangedSince: 1000 }, matches: ({ changed }) => changed >= 1000 },
  { asked: { ChangedSince: 4500 }, matches: ({ changed }) => changed >= 4500 },
  { asked: { CreatedSince: 10, RelationType: 'Customer' }, matches: (m) => m.created >= 10 && m.isCustomer },
  { asked: { RelationName: 'Even' }, matches: ({ name }) => name === 'even' },
  { asked: { RelationName: 'n7' }, matches: ({ name }) => name === 'n7' },
  {
    asked: { RelationName: 'even', RelationEmail: 'most@example.com', SearchOperand: 'OR' },
    matches: ({ name, email }) => name === 'even' || email !== '',
  },
  {
    asked: { RelationName: 'n7', RelationNumber: 12, SearchOperand: 'OR', ChangedSince: 5 },
    matches: (m) => (m.name === 'n7' || m.customer === 12 || m.supplier === 12) && m.changed >= 5,
  },
  { asked: { RelationGUID: guidOf(77) }, matches: ({ guid }) => guid === guidOf(77) },
];

const keys: Record<string, (model: Model) => number | string> = {
  RelationGUID: ({ guid }) => guid,
  CreatedDate: ({ created }) => created,
  ChangedDate: ({ changed }) => changed,
  RelationName: ({ name }) => name,
  CustomerNumber: ({ customer }) => customer ?? 0,
  SupplierNumber: ({ supplier }) => supplier ?? 0,
};

describe.each(conditions)('relations by $asked', ({ asked, matches }) => {
  const expected = models.filter(matches);

  it.each(Object.keys(keys).flatMap((Sorting) => ['ASC', 'DESC'].map((SortDir) => ({ Sorting, SortDir }))))(
    'are in the order of $Sorting $SortDir, on the first page and on the last',
    async ({ Sorting, SortDir }) => {
      const key = keys[Sorting]!;
      const last = Math.max(0, expected.length - 30);
      const page = async (Offset: number) =>
        (await app.client.listrelations({ ...asked, Sorting, SortDir, Limit: 200, Offset } as never)).map(
          ({ RelationGUID }) => Number(RelationGUID),
        );
      const [first, end] = [await page(0), await page(last)];
      if (Sorting.endsWith('Number')) {
        // Relations without a number come first, in another order.
        const numbered = expected.filter((model) => key(model) !== 0).sort(by(key, SortDir));
        const without = new Set(expected.filter((model) => key(model) === 0).map(({ guid }) => guid));
        const all = [...Array.from(without, () => 'without'), ...numbered.map(({ guid }) => guid)];
        const seen = (guids: number[]) => guids.map((guid) => (without.has(guid) ? 'without' : guid));
        expect(seen(first)).toEqual(all.slice(0, 200));
        expect(seen(end)).toEqual(all.slice(last));
        return;
      }
      const all = expected.toSorted(by(key, SortDir)).map(({ guid }) => guid);
      expect(first).toEqual(all.slice(0, 200));
      expect(end).toEqual(all.slice(last));
    },
  );
});

const by = (key: (model: Model) => number | string, direction: string) => (a: Model, b: Model) => {
  const [x, y] = [key(a), key(b)];
  const order = x < y ? -1 : x > y ? 1 : a.guid - b.guid;
  return direction === 'ASC' ? order : -order;
};

describe('invoices', () => {
  const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + shuffled(index, 7) / 2)).toISOString().slice(0, 10);

  beforeAll(async () => {
    const { id } = await app.addRelation();
    await insertRows(
      app.db,
      'sales_invoice',
      Array.from({ length: COUNT }, (_, index) =>
        newRow('sales_invoice', {
          administration_id: app.administrationId,
          number: BigInt(index + 1),
          module: 'INVOICING',
          date: day(index),
          relation_id: id,
        }),
      ),
    );
  });

  it.each([
    { DateFrom: '01-01-2020' },
    { DateFrom: '05-06-2020', DateTill: '09-06-2020' },
    { DateFrom: '01-06-2026' },
    { DateTill: '01-02-2020' },
    { DateTill: '01-02-2025' },
    { DateFrom: '01-06-2020', DateTill: '01-06-2019' },
  ])('of %j are in the order of their numbers', async (asked) => {
    const iso = (text = '') => text.split('-').reverse().join('-');
    const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)
      .filter(
        (number) => day(number - 1) >= iso(asked.DateFrom) && day(number - 1) <= iso(asked.DateTill ?? '31-12-9999'),
      )
      .reverse();
    const { json } = await app.get(`/rest/listsalesinvoices?${new URLSearchParams(asked as never)}`);
    expect(json.map(({ InvoiceNumber }: { InvoiceNumber: number }) => Number(InvoiceNumber))).toEqual(
      numbers.slice(0, 100),
    );
  });
});
