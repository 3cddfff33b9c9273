import { equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { MEGABYTE } from '../../../shared/api.ts';
import { MAX_LINES, MAX_REFERENCE_LENGTH } from '../../../shared/resources/document.ts';
import { MAX_PUSH_ROWS } from '../../../shared/resources/push.ts';
import { known, type Target } from '../target.ts';
import type { Attack } from './attack.ts';

/* The largest pushes: accepted, worked on for some seconds, and cancelled. */

/** Milliseconds that a push is worked on before it is cancelled. */
const WORKED_MS = 1500;
const MAX_BODY = 16 * MEGABYTE;
const MAX_VALUES = 1_000_000;

const items = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));

const update = (row: number, more: object) => ({ row, endpoint: 'updateproduct', request: more });
const line = { ProductNumber: known.product, Quantity: 1, UnitPriceExclTax: 1, TaxPc: 21 };
const invoice = (row: number, lines: unknown, more: object = {}) => ({
  row,
  endpoint: 'addsalesinvoice',
  request: { CustomerNumber: known.party, Invoice_InvoiceLine: lines, ...more },
});
const entry = (row: number, Description: string, more: (index: number) => object = () => ({})) => ({
  row,
  endpoint: 'addjournalentry',
  request: {
    JournalEntry_Line: items(MAX_LINES - 1, (index) => ({
      LedgerAccountNumber: '4000',
      [index % 2 === 0 ? 'Debit' : 'Credit']: 1,
      Description,
      ...more(index),
    })),
  },
});
const addition = (row: number) => ({
  row,
  endpoint: 'addproduct',
  request: { ArticleNumber: `made ${row}`, NewName: 'x', CategoryName: 'x', CategoryCreateIfMissing: true },
});

/** As many rows as a body holds, by its bytes and by its values. */
function full(row: (index: number) => object): object[] {
  const rows: object[] = [];
  for (let [bytes, values] = [20, 10]; rows.length < MAX_PUSH_ROWS; ) {
    const one = row(rows.length);
    const text = JSON.stringify(one);
    bytes += text.length + 1;
    values += text.match(/[[{:,]/g)!.length;
    if (bytes > MAX_BODY || values > MAX_VALUES) break;
    rows.push(one);
  }
  return rows;
}

/** Cancels a push, and waits for its end, so that it is not beside what follows. */
export async function cancelPush({ write }: Target, id: string): Promise<string> {
  const path = `/pushes/${id}`;
  equal((await write({ method: 'POST', path: `${path}/cancel`, body: '{}' })).status, 202);
  for (;;) {
    const { push } = JSON.parse((await write({ method: 'GET', path: `${path}?after=999999999`, body: '' })).body);
    if (push.state === 'ended') return `${push.counts.applied} applied, ${push.counts.cancelled} cancelled`;
    await sleep(100);
  }
}

/** Sends a push, lets it be worked on, and cancels it. */
async function worked(target: Target, body: string): Promise<string> {
  const begun = await target.write({ method: 'POST', path: '/pushes', body });
  ok(begun.status === 202 || begun.status === 400, begun.body.slice(0, 1000));
  if (begun.status === 400) return '400';
  await sleep(WORKED_MS);
  return cancelPush(target, JSON.parse(begun.body).push.id);
}

const attack = (name: string, rows: () => unknown[]): Attack => ({
  name: `a push of ${name}`,
  prepare(target) {
    const body = JSON.stringify({ rows: rows() });
    return () => worked(target, body);
  },
});

export const pushAttacks: readonly Attack[] = [
  attack('one product', () =>
    items(MAX_PUSH_ROWS, (row) => update(Number(row), { ArticleNumber: 'A', NewStockQty: 1 })),
  ),
  attack('wrong rows', () =>
    full((row) => update(row, { ArticleNumber: `A-${row}`, Product_Batch: items(90, () => 1) })),
  ),
  attack('full rows', () =>
    full((row) =>
      update(row, {
        ArticleNumber: `P-${row}`,
        NewDescription: 'x'.repeat(400),
        NewStockQty: '1234567890.12345678',
        Product_CustomField: items(8, (index) => ({ Label: `L${index}`, StringValue: 'x'.repeat(40) })),
      }),
    ),
  ),
  attack('the most invoices', () => full((row) => invoice(row, [line]))),
  attack('invoices of the most lines', () =>
    full((row) =>
      invoice(
        row,
        items(MAX_LINES, () => line),
      ),
    ),
  ),
  attack('journal entries of the most lines', () => full((row) => entry(row, 'x'.repeat(MAX_REFERENCE_LENGTH)))),
  attack('journal entries of the most lines, each of another relation and cost center', () =>
    full((row) => entry(row, '', (index) => ({ CustomerNumber: index + 1, CostCenter: `${row} ${index}` }))),
  ),
  attack('products, and invoices that need them all', () =>
    full((row) =>
      row < MAX_LINES
        ? addition(row)
        : invoice(
            row,
            items(MAX_LINES, (index) => ({ ...line, ProductNumber: `made ${index}` })),
          ),
    ),
  ),
  attack('invoices with long texts', () => full((row) => invoice(row, [line], { InvoiceNotes: 'x '.repeat(32_000) }))),
  attack('a file', () => {
    const FileContent = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(10 * MEGABYTE - 20, 'x')]).toString(
      'base64',
    );
    return [invoice(1, [line], { Invoice_Attachment: [{ FileContent, FileName: 'a.pdf' }] }), invoice(2, [line])];
  }),
];
