import type { SalesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { dateIn } from '../../../shared/wire/calendarDate.ts';
import type { TableWriter } from '../../excel/tables/table.ts';
import { isSameSource, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { type Ageing, ageingOf, type CustomerAgeing, type OpenInvoice } from '../tables/ageing.ts';
import { ageingTable } from '../tables/ageingTable.ts';
import type { Period } from '../tables/invoiceTables.ts';
import { type Filled, filledFrom } from './pull.ts';
import type { PullContext } from './pulls.ts';

/** The time zone of Dutch and Belgian administrations. */
const TIME_ZONE = 'Europe/Amsterdam';

/** The ageing overview of a period. It is computed when all invoices have arrived. */
export function ageingOverview({ messages, administration, retry, today }: PullContext, period: Period) {
  const day = today ?? dateIn(TIME_ZONE, new Date());
  const specOf = (ageing: Ageing) => (texts: Messages) => ageingTable(texts, administration, period, ageing, day);
  const table: Filled<SalesInvoice> = {
    async open(retry) {
      const invoices: OpenInvoice[] = [];
      let writer: TableWriter<CustomerAgeing> | undefined;
      return {
        async write(rows) {
          for (const { CustomerNumber, CustomerName, InvoiceDate, InvoiceDueDate, InvoiceOutstandingAmount } of rows) {
            invoices.push({ CustomerNumber, CustomerName, InvoiceDate, InvoiceDueDate, InvoiceOutstandingAmount });
          }
        },
        async finish() {
          const ageing = ageingOf(invoices, day);
          writer = await filledFrom(specOf(ageing), messages).open(retry);
          await writer.write(ageing.customers);
          return writer.finish();
        },
        discard: async () => writer?.discard(),
      };
    },
  };
  const { source } = specOf(ageingOf([], day))(messages);
  const exists = async () => (await tablesInWorkbook(retry)).some(({ memory }) => isSameSource(memory, source));
  return { table, exists };
}
