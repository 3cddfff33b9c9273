import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop } from '../../../../testing/shop.ts';
import { MAX_NUMBER_GAP, nextNumber, numberTaken } from './numbering.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const newAdministration = async (): Promise<bigint> => (await app.addAdministration()).administrationId;
const upTo = (last: number): bigint[] => Array.from({ length: last }, (_, index) => BigInt(index + 1));
const ascending = (a: bigint, b: bigint): number => Number(a - b);

it('numbers start from one for each administration and each counter', async () => {
  const [first, second] = [await newAdministration(), await newAdministration()];
  expect(await nextNumber(app.db, first, 'sales_invoice')).toBe(1n);
  expect(await nextNumber(app.db, first, 'sales_invoice')).toBe(2n);
  expect(await nextNumber(app.db, first, 'relation')).toBe(1n);
  expect(await nextNumber(app.db, second, 'sales_invoice')).toBe(1n);
  expect(await nextNumber(app.db, first, 'sales_invoice')).toBe(3n);
});

it('numbers are consecutive for simultaneous callers', async () => {
  const id = await newAdministration();
  const numbers = await Promise.all(
    upTo(40).map(() => app.db.transaction().execute((trx) => nextNumber(trx, id, 'sales_invoice'))),
  );
  expect(numbers.sort(ascending)).toEqual(upTo(40));
});

it('numbers are used again when their transaction fails', async () => {
  const id = await newAdministration();
  await nextNumber(app.db, id, 'sales_invoice');
  const failing = app.db.transaction().execute(async (trx) => {
    expect(await nextNumber(trx, id, 'sales_invoice')).toBe(2n);
    throw new Error('after all not');
  });
  await expect(failing).rejects.toThrow('after all not');
  expect(await nextNumber(app.db, id, 'sales_invoice')).toBe(2n);
});

it('numbers have no gaps when simultaneous transactions fail', async () => {
  const id = await newAdministration();
  const outcomes = await Promise.allSettled(
    upTo(30).map((one) =>
      app.db.transaction().execute(async (trx) => {
        const number = await nextNumber(trx, id, 'sales_invoice');
        if (one % 3n === 0n) throw new Error('refused');
        return number;
      }),
    ),
  );
  const numbers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(numbers.sort(ascending)).toEqual(upTo(20));
});

it('numbers continue after a requested number, and never go back', async () => {
  const id = await newAdministration();
  await numberTaken(app.db, id, 'sales_invoice', 20_260_000n);
  expect(await nextNumber(app.db, id, 'sales_invoice')).toBe(20_260_001n);
  await numberTaken(app.db, id, 'sales_invoice', 12n);
  expect(await nextNumber(app.db, id, 'sales_invoice')).toBe(20_260_002n);
  await numberTaken(app.db, id, 'sales_invoice', 2n ** 53n);
  expect(await nextNumber(app.db, id, 'sales_invoice')).toBe(2n ** 53n + 1n);
});

it('numbers do not continue after an invoice number far above the series, and skip it', async () => {
  const invoice = (InvoiceNumber?: string) => ({
    CustomerNumber: 7,
    InvoiceNumber,
    Invoice_InvoiceLine: [{ SubTotalInclTax: '121', TaxPc: 21 }],
  });
  const requested = fc.oneof(
    fc.constant(undefined),
    fc.constant(undefined),
    fc.bigInt({ min: 1n, max: 30n }),
    fc.bigInt({ min: MAX_NUMBER_GAP - 2n, max: MAX_NUMBER_GAP + 8n }),
    fc.bigInt({ min: MAX_NUMBER_GAP * 5n, max: MAX_NUMBER_GAP * 5n + 3n }),
    fc.constant(999_999_999_999_999_999n),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(requested, { minLength: 1, maxLength: 12 }), async (numbers) => {
      const shop = await openShop(app);
      const taken = new Set<bigint>();
      // What a person would do who writes the invoices by hand.
      let last = 0n;
      for (const number of numbers) {
        const { status, text } = await shop.post('/rest/addsalestransaction', invoice(number?.toString()));
        if (number !== undefined && taken.has(number)) {
          expect(status).toBe(400);
          continue;
        }
        expect(status).toBe(200);
        let expected = number;
        if (expected === undefined) {
          do last += 1n;
          while (taken.has(last));
          expected = last;
        } else if (last === 0n || expected <= last + 1_000_000n) last = expected > last ? expected : last;
        expect(text).toContain(`"InvoiceNumber":${expected},`);
        taken.add(expected);
      }
    }),
    { numRuns: 25 },
  );
});
