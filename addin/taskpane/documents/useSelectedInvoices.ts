import { useEffect, useState } from 'react';
import { followSelection } from '../../excel/selection.ts';
import { readSelectedRows } from '../../excel/tables/selectedRows.ts';
import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { INVOICE_LINES, INVOICES } from '../tables/invoiceTables.ts';

/** The numbers of the selected invoices, each once, that of the active cell first; none while nothing is selected. */
export function useSelectedInvoices({ id, label }: Administration): readonly string[] {
  const [numbers, setNumbers] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    let asked = 0;
    const look = async () => {
      const turn = ++asked;
      const found = await readSelectedRows(
        ({ view, administration }) =>
          (view === INVOICES || view === INVOICE_LINES) && isSameAdministration(administration, { id, label }),
        ['InvoiceNumber'],
      );
      if (!isShown || turn !== asked) return;
      const all = found?.rows.map((row) => String(row.get('InvoiceNumber')).trim()) ?? [];
      // What the person typed there is no invoice.
      const next = [...new Set(all)].filter((number) => /^\d{1,18}$/.test(number));
      setNumbers((now) => (now.join() === next.join() ? now : next));
    };
    void look();
    const stop = followSelection(() => void look());
    return () => {
      isShown = false;
      stop();
    };
  }, [id, label]);
  return numbers;
}
