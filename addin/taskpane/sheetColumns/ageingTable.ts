import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { type AgeBucket, type Ageing, ageBuckets, type CustomerAgeing } from './ageing.ts';
import { columnsOf, type Fields } from './columns.ts';

export const AGEING = 'ageing';

/** The day to which overdue days are counted, yyyy-MM-dd. Left out: the day of each refresh. */
export type AgeingQuestion = { CountedTo?: string };

/** The most customers in the chart: more bars are hard to distinguish. */
const MAX_CUSTOMERS_SHOWN = 10;

/**
 * Blue is not due; from orange to dark red is longer overdue. All have a contrast of at least 3 to white, and each is
 * darker than the one before, so that they differ without colours too.
 */
const colors: Record<AgeBucket, string> = {
  NotDue: '#5393C4',
  Days1To30: '#B86E00',
  Days31To60: '#A94410',
  Days61To90: '#8A1F0E',
  DaysOver90: '#4A0606',
};

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

/**
 * The outstanding amounts, one customer a row, below a heading, a chart and the totals.
 * @param day the day to which overdue days are counted @param readAt the moment of the amounts
 */
export const ageingTable = (
  messages: Messages,
  administration: Administration,
  query: AgeingQuestion,
  { invoices }: Ageing,
  day: CalendarDate,
  readAt: string,
): TableSpec<CustomerAgeing> => {
  const texts = messages.ageing;
  return {
    source: { view: AGEING, administration, endpoint: 'listsalesinvoices', query },
    sheetName: query.CountedTo === undefined ? texts.sheet : `${texts.sheet} ${writeDate(query.CountedTo)}`,
    keys: ['CustomerNumber'],
    columns: columnsOf(ageingFields, messages.headings.ageing, messages),
    overview: {
      title: texts.heading(administration.label),
      lines: [texts.openInvoices(invoices, readAt), texts.countedTo(writeDate(day))],
      totals: {
        label: { key: 'CustomerName', text: texts.total },
        columns: [...ageBuckets, 'Total'],
      },
      chart: {
        title: texts.chartTitle(MAX_CUSTOMERS_SHOWN),
        categories: 'CustomerName',
        series: ageBuckets.map((key) => ({ key, color: colors[key] })),
        maxRows: MAX_CUSTOMERS_SHOWN,
      },
      sort: 'Total',
    },
  };
};
