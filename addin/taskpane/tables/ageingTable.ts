import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';
import { cellOf } from '../../excel/cell.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { type Ageing, ageBuckets, type CustomerAgeing } from './ageing.ts';
import { columnsOf, type Fields } from './columns.ts';
import type { Period } from './invoiceTables.ts';

export const AGEING = 'ageing';

/** The most customers in the chart: more bars are hard to distinguish. */
const MAX_CUSTOMERS_SHOWN = 10;

const ageingFields: Fields<CustomerAgeing, keyof Messages['headings']['ageing']> = {
  CustomerNumber: ['text', 16],
  CustomerName: ['text', 36],
  NotDue: ['amount', 13],
  Days1To30: ['amount', 13],
  Days31To60: ['amount', 13],
  Days61To90: ['amount', 13],
  DaysOver90: ['amount', 13],
  Total: ['amount', 14],
};

/** The outstanding amounts on a day, one customer a row, below a heading, a chart and the totals. */
export const ageingTable = (
  messages: Messages,
  administration: Administration,
  query: Period,
  { totals, invoices }: Ageing,
  today: CalendarDate,
): TableSpec<CustomerAgeing> => {
  const texts = messages.ageing;
  const { DateFrom, DateTill } = query;
  const period = [DateFrom, DateTill].map((date) => (date === undefined ? '' : writeDate(date)));
  const amounts = [...ageBuckets, 'Total'] as const;
  return {
    source: { view: AGEING, administration, endpoint: 'listsalesinvoices', query },
    sheetName: texts.sheet,
    keys: ['CustomerNumber'],
    columns: columnsOf(ageingFields, messages.headings.ageing, messages),
    overview: {
      title: texts.heading(administration.label),
      lines: [
        texts.asOf(writeDate(today), invoices),
        DateFrom === undefined && DateTill === undefined ? texts.allDates : texts.ofPeriod(period[0]!, period[1]!),
      ],
      totals: {
        label: { key: 'CustomerName', text: texts.total },
        cells: Object.fromEntries(amounts.map((key) => [key, cellOf('amount', totals[key])])),
      },
      chart: {
        title: texts.chartTitle(MAX_CUSTOMERS_SHOWN),
        categories: 'CustomerName',
        series: ageBuckets,
        maxRows: MAX_CUSTOMERS_SHOWN,
      },
      sort: 'Total',
    },
  };
};
