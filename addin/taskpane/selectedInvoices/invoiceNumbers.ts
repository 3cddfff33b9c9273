import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { ACCOUNT_CARD } from '../pulledLists/accountCard.ts';
import { INVOICE_LINES, INVOICES } from '../pulledLists/invoices.ts';
import { OPEN_ITEMS } from '../pulledLists/openItems.ts';
import { VAT_LINES } from '../pulledLists/vatReturn.ts';
import { codeOf } from '../sheetColumns/columns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import type { SelectedNames } from '../useSelectedRows.ts';

/** The sheets whose rows have the number of a sales invoice, and its column. */
const numberColumns: Readonly<Record<string, string>> = {
  [INVOICES]: 'InvoiceNumber',
  [INVOICE_LINES]: 'InvoiceNumber',
  [ACCOUNT_CARD]: 'InvoiceNumber',
  [OPEN_ITEMS]: 'InvoiceNumber',
  [VAT_LINES]: 'InvoiceNumber',
  [requestSheets.salesInvoiceRows.view]: 'MadeNumber',
};

/** The numbers of sales invoices in rows of an administration. */
export const invoiceNumbers = (administration: Administration): SelectedNames => ({
  isWanted: ({ memory }) =>
    Object.hasOwn(numberColumns, memory.view) && isSameAdministration(memory.administration, administration),
  keys: [...new Set([...Object.values(numberColumns), 'Journal', 'Kind'])],
  nameOf: (row, { memory }) => {
    // Other journals have documents of others.
    if (memory.view === ACCOUNT_CARD && codeOf(row.get('Journal') ?? '') !== 'sales') return '';
    const number = String(row.get(numberColumns[memory.view]!)).trim();
    if (memory.view === VAT_LINES && codeOf(row.get('Kind') ?? '') !== 'Sales') return '';
    // The user may have typed other texts there.
    return /^\d{1,18}$/.test(number) ? number.replace(/^0+(?=\d)/, '') : '';
  },
});
