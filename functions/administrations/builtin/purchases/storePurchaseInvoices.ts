import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { AmountLine, DocumentTotals } from '../documents/documentTotals.ts';
import { book, purchasePostings } from '../ledger/journal.ts';
import { costCenterNames } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows, insertRowsInOrder } from '../sql/insertRows.ts';
import type { Cents, Row, Seconds } from '../sql/schema.ts';

export type NewPurchaseInvoice = {
  number: bigint;
  date: CalendarDate;
  dueDate: CalendarDate;
  notes: string;
  supplier: Row<'relation'>;
  /** The supplier's data on the invoice. */
  named: { number: bigint | null; name: string };
  project: Pick<Row<'project'>, 'id' | 'name' | 'number'> | null;
  totals: DocumentTotals;
  /** The outstanding amount. */
  outstanding: Cents;
  createdOn: Seconds;
  lines: readonly {
    description: string;
    account: string;
    taxCodeId: bigint;
    amount: AmountLine;
    costCenter: string;
    classification: string;
  }[];
};

/**
 * Stores purchase invoices and books them. Creates missing cost centers.
 * @returns their ids, in the order given
 */
export async function storePurchaseInvoices(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  invoices: readonly NewPurchaseInvoice[],
): Promise<bigint[]> {
  const names = invoices.flatMap(({ lines }) => lines.map(({ costCenter }) => costCenter));
  const costCenters = (await costCenterNames({ db, administration }, names)).values();
  const ids = await insertRowsInOrder(
    db,
    'purchase_invoice',
    invoices.map(({ named, project, totals, ...invoice }) => ({
      administration_id: administration.id,
      number: invoice.number,
      date: invoice.date,
      due_date: invoice.dueDate,
      notes: invoice.notes,
      relation_id: invoice.supplier.id,
      relation_number: named.number,
      relation_name: named.name,
      project_id: project?.id ?? null,
      total_excl: totals.excl,
      total_tax: totals.tax,
      total_incl: totals.incl,
      outstanding: invoice.outstanding,
      created_on: invoice.createdOn,
    })),
  );
  await insertRows(
    db,
    'purchase_invoice_line',
    invoices.flatMap(({ lines, totals }, invoice) =>
      lines.map(({ amount, ...line }, index) => ({
        purchase_invoice_id: ids[invoice]!,
        position: BigInt(index),
        description: line.description,
        ledger_account_number: line.account,
        tax_code_id: line.taxCodeId,
        tax_code: amount.taxCode,
        tax_pc: amount.rate,
        cost_center: costCenters.next().value!,
        classification: line.classification,
        subtotal_excl: totals.lines[index]!.excl,
        subtotal_incl: totals.lines[index]!.incl,
      })),
    ),
  );
  await book(
    db,
    administration.id,
    invoices.map(({ number, date, named, createdOn, totals, lines }, index) => ({
      journal: 'purchases',
      document: { purchase_invoice_id: ids[index]! },
      date,
      description: `${number} ${named.name}`,
      createdOn,
      postings: purchasePostings(
        administration,
        totals,
        lines.map(({ account }, line) => ({ account, excl: totals.lines[line]!.excl })),
      ),
    })),
  );
  return ids;
}
