import { useMemo } from 'react';
import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { ACCOUNT_CARD } from '../pulledLists/accountCard.ts';
import { INVOICE_LINES, INVOICES } from '../pulledLists/invoices.ts';
import { codeOf } from '../sheetColumns/columns.ts';
import { type SelectedNames, useSelectedRows } from '../useSelectedRows.ts';

/** The numbers of the selected invoices, each once, that of the active cell first. */
export function useSelectedInvoices(administration: Administration): readonly string[] {
  const names = useMemo(
    (): SelectedNames => ({
      isWanted: ({ memory }) =>
        [INVOICES, INVOICE_LINES, ACCOUNT_CARD].includes(memory.view) &&
        isSameAdministration(memory.administration, administration),
      keys: ['InvoiceNumber', 'Journal'],
      nameOf: (row, { memory }) => {
        // Other journals have documents of others.
        if (memory.view === ACCOUNT_CARD && codeOf(row.get('Journal') ?? '') !== 'sales') return '';
        const number = String(row.get('InvoiceNumber')).trim();
        // The user may have typed other texts there.
        return /^\d{1,18}$/.test(number) ? number : '';
      },
    }),
    [administration],
  );
  return useSelectedRows(names);
}
