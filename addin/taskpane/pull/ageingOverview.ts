import type { SalesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { dateIn, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { TableWriter } from '../../excel/tables/table.ts';
import { isSameAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { TIME_ZONE } from '../pulledLists/list.ts';
import { type AgeingSums, ageingSums, type CustomerAgeing } from '../sheetColumns/ageing.ts';
import { AGEING, type AgeingQuestion, ageingTable } from '../sheetColumns/ageingTable.ts';
import { type Filled, filledFrom } from './pull.ts';
import type { PullContext } from './pulls.ts';

const timeFormat = new Intl.DateTimeFormat('nl-NL', { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit' });

/**
 * The sheets of an ageing overview in the workbook: one, or more of a workbook in which an overview was of a period.
 */
export const ageingSheets = async (
  { administration, retry }: Pick<PullContext, 'administration' | 'retry'>,
  { CountedTo }: AgeingQuestion,
): Promise<TableHandle[]> =>
  (await tablesInWorkbook(retry)).filter(
    ({ memory }) =>
      memory.view === AGEING &&
      isSameAdministration(memory.administration, administration) &&
      memory.query.CountedTo === CountedTo,
  );

/**
 * An ageing overview: the sums of the open invoices that are added to it, and the tables that show them once all
 * invoices have arrived. Each of the sheets is refreshed; without one, a new one is made.
 */
export function ageingOverview(
  { messages, administration, now = () => new Date() }: PullContext,
  question: AgeingQuestion,
  sheets: readonly TableHandle[],
): Pick<AgeingSums, 'add'> & { tables: Filled<SalesInvoice>[] } {
  // The moment of the first request: what changes after it may be missing.
  const readAt = now();
  const today = dateIn(TIME_ZONE, readAt);
  const day = question.CountedTo ?? today;
  const sums = ageingSums(day);
  const specOf = (ageing: ReturnType<AgeingSums['ageing']>) => (texts: Messages) =>
    ageingTable(texts, administration, question, ageing, day, `${writeDate(today)} ${timeFormat.format(readAt)}`);
  const tableIn = (existing: TableHandle | undefined): Filled<SalesInvoice> => ({
    async open(retry, marksChanges) {
      let writer: TableWriter<CustomerAgeing> | undefined;
      const overview: TableWriter<unknown> = {
        write: async () => {},
        async finish() {
          const ageing = sums.ageing();
          [writer] = await filledFrom(specOf(ageing), messages, { existing }).open(retry, marksChanges);
          await writer!.write(ageing.customers);
          return writer!.finish();
        },
        discard: async () => writer?.discard(),
      };
      return [overview];
    },
  });
  return { add: sums.add, tables: sheets.length === 0 ? [tableIn(undefined)] : sheets.map(tableIn) };
}
