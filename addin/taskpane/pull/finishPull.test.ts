import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { noRetry } from '../../excel/batch.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { unfinishedInWorkbook } from '../../excel/tables/unfinished.ts';
import { messagesOf } from '../locales/messages.ts';
import { canFinish, finishPull } from './finishPull.ts';
import { pullInvoices, type RefreshContext } from './pulls.ts';

const invoices = [1, 2, 3].map((number) =>
  salesInvoice.parse({
    InvoiceNumber: String(number),
    InvoiceType: 'INVOICING',
    InvoiceDate: '05-01-2026',
    CustomerName: 'Pieters',
    InvoiceOutstandingAmount: '10',
    Invoice_InvoiceLine: [{ ProductNumber: 'A', Quantity: 1 }],
  }),
);
const context: RefreshContext = {
  client: {
    listsalesinvoices: async ({ Offset = 0 }: { Offset?: number }) => (Offset === 0 ? invoices : []),
  } as unknown as Client,
  ledger: noLedger,
  vat: noVat,
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf.en,
  administration: { id: 'c1', label: 'Jansen' },
  retry: noRetry,
};
const question = { DateFrom: '2026-01-01', WithLines: 'true' } as const;

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});
const sheetNames = () => excel.workbook.sheets.map(({ name }) => name);

/**
 * Pulls invoices with their lines and ageing in a pane that is closed after some requests.
 * @returns the number of requests
 */
async function pullUntil(last: number): Promise<number> {
  let isOpen = true;
  let requests = 0;
  excel.watch((request) => {
    if (isOpen) requests = request;
    return isOpen && request > last ? 'RequestAborted' : undefined;
  });
  await pullInvoices(context, question, {}).catch(() => {});
  isOpen = false;
  return requests;
}

describe('A pull that a closed pane interrupted', () => {
  it('is finished with the same query after any last request, with no incomplete list beside it', async () => {
    const requests = await pullUntil(Number.POSITIVE_INFINITY);
    expect(requests).toBeGreaterThan(6);
    let broken = 0;
    for (let last = 1; last < requests; last++) {
      excel = openTestWorkbook();
      await pullUntil(last);
      const found = await unfinishedInWorkbook();
      if (found.length === 0) continue;
      broken++;
      for (let left = found; left.length > 0; left = await unfinishedInWorkbook()) {
        await finishPull(context, left[0]!, left);
      }
      const whole = (await tablesInWorkbook()).map(({ memory }) => memory.view);
      expect(await unfinishedInWorkbook(), `after request ${last}`).toEqual([]);
      expect(whole, `after request ${last}`).toContain('invoices');
      // The lines are pulled again if their sheet was made before the pane was closed.
      if (found.some(({ source }) => source.view === 'invoiceLines')) {
        const names = sheetNames().filter((name) => name !== 'Ageing');
        expect(names).toEqual(['Sheet1', 'Sales invoices from 1-1-2026', 'Invoice lines from 1-1-2026']);
        expect(excel.cells('Invoice lines from 1-1-2026')).toHaveLength(4);
      }
      expect(excel.cells('Sales invoices from 1-1-2026')).toHaveLength(4);
      const ageings = excel.workbook.sheets.filter(({ name }) => name.startsWith('Ageing'));
      expect(ageings.length).toBeLessThanOrEqual(1);
      if (found.some(({ source }) => source.view === 'ageing')) expect(ageings[0]!.charts).toHaveLength(1);
    }
    expect(broken).toBeGreaterThan(3);
  });

  it('can be finished only with a connection to its administration', async () => {
    await pullUntil(10);
    const [found] = await unfinishedInWorkbook();
    expect(canFinish(found!, context)).toBe(true);
    expect(canFinish(found!, { administration: { id: 'c2', label: 'Other' } })).toBe(false);
  });
});
