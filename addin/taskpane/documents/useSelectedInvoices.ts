import { useEffect, useState } from 'react';
import { followSelection } from '../../excel/selection.ts';
import { readSelectedRows } from '../../excel/tables/selectedRows.ts';
import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { INVOICE_LINES, INVOICES } from '../tables/invoiceTables.ts';

/** The numbers of the selected invoices, each once, that of the active cell first. */
export function useSelectedInvoices(administration: Administration): readonly string[] {
  const [numbers, setNumbers] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    let latest = 0;
    const read = async () => {
      const reading = ++latest;
      const rows = await readSelectedRows(
        (memory) =>
          [INVOICES, INVOICE_LINES].includes(memory.view) &&
          isSameAdministration(memory.administration, administration),
        ['InvoiceNumber'],
      );
      if (!isShown || reading !== latest) return;
      const all = rows.map((row) => String(row.get('InvoiceNumber')).trim());
      // The user may have typed other texts there.
      const next = [...new Set(all)].filter((number) => /^\d{1,18}$/.test(number));
      setNumbers((now) => (now.join() === next.join() ? now : next));
    };
    void read();
    const stop = followSelection(() => void read());
    return () => {
      isShown = false;
      stop();
    };
  }, [administration]);
  return numbers;
}
