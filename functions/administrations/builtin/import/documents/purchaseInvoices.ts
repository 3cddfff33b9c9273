import { fieldError } from '../../../../../shared/fieldErrors.ts';
import { decimalText, MONEY_SCALE } from '../../../../../shared/money.ts';
import { findReferences } from '../../documents/references.ts';
import { asFirst, invoiceAdds } from '../../files/documentAmounts.ts';
import { type PurchaseInvoiceInput, readPurchaseInvoice } from '../../purchases/addPurchaseTransaction.ts';
import { type NewPurchaseInvoice, storePurchaseInvoices } from '../../purchases/storePurchaseInvoices.ts';
import type { Row } from '../../sql/schema.ts';
import { purchaseInvoiceColumns } from './documentColumns.ts';
import { namedThen, rowsNumbered, withRelations } from './documentReferences.ts';
import { type DocumentRows, documentImporter } from './documentRows.ts';
import { askedFor, cents, checkPayment, outstandingOf } from './takenAmounts.ts';

type Invoice = DocumentRows<(typeof purchaseInvoiceColumns)['header'] & (typeof purchaseInvoiceColumns)['lines']>;

/** Two suppliers may have one number: these tell their invoices apart. */
const supplierColumns = ['RelationGUID', 'SupplierNumber', 'SupplierName', 'SupplierEmail'] as const;

/** Purchase invoices. A number a supplier's invoice has already is refused. */
export const purchaseInvoices = documentImporter(
  {
    ...purchaseInvoiceColumns,
    number: 'PurchaseInvoiceNumber',
    called: 'invoice',
    belongs: (row, first) =>
      row.values.LineNumber !== 1 &&
      supplierColumns.every((column) => row.cell(column) === '' || row.cell(column) === first.cell(column)),
    asFirst,
    adds: invoiceAdds,
  },
  async (context, scope) => {
    const { db, administration, isSound, counts } = context;
    const keyOf = (invoice: { number: bigint; relation_id: bigint }) => `${invoice.number} ${invoice.relation_id}`;
    /** Of this file: lines that are counted tell two invoices of one number apart. */
    const ofFile = new Set<string>();
    return {
      store: async (documents) => {
        for (const invoice of documents) {
          if (invoice.first.values.InvoiceDate === undefined) {
            invoice.report('InvoiceDate', 'is required in the first row of an invoice');
          }
          checkPayment(invoice);
        }
        const given = await withRelations(context, documents, 'supplier', asGiven);
        const existing = await rowsNumbered(context, 'purchase_invoice', documents, 'PurchaseInvoiceNumber');
        const used = new Set(existing.map(keyOf));
        const references = await findReferences(
          scope,
          'Supplier',
          given.map((one) => one.given),
        );
        const ready: NewPurchaseInvoice[] = [];
        for (const { document: invoice, given: one } of given) {
          const read = hasTotals(invoice) ? readPurchaseInvoice(scope, references, one, invoice.refuse) : undefined;
          if (read === undefined) continue;
          const number = BigInt(invoice.first.values.PurchaseInvoiceNumber ?? 0);
          const key = keyOf({ number, relation_id: read.supplier.id });
          const isUsed = ofFile.has(key) ? invoice.first.values.LineNumber === undefined : used.has(key);
          if (isUsed) {
            const expected = 'expected a number the supplier has not used before';
            invoice.report('PurchaseInvoiceNumber', `${expected}, got ${number}`);
          }
          ofFile.add(key);
          if (invoice.hasAmounts) checkLines(invoice, read);
          const outstanding = outstandingOf(invoice, read.row.total_incl);
          ready.push({ ...read, row: { ...read.row, number, outstanding } });
        }
        if (!isSound()) return;
        await storePurchaseInvoices({ db, administration }, ready);
        counts.added += ready.length;
      },
      end: async () => {},
    };
  },
);

/** Whether each line has a total; one that has none is reported. */
function hasTotals({ rows, hasAmounts, refuse }: Invoice): boolean {
  const column = hasAmounts ? 'AmountInclTax' : 'SubTotalInclTax';
  const missing = rows.flatMap(({ values }, index) =>
    values[column] === undefined ? fieldError(`Invoice_InvoiceLine[${index}].${column}`, 'REQUIRED_DECIMAL') : [],
  );
  // Of a document that is taken as it was, that has been reported.
  if (!hasAmounts) refuse(missing);
  return missing.length === 0;
}

/** It is booked as it comes to now: by another percentage, that would be another amount. */
function checkLines({ rows, report }: Invoice, { lines }: Pick<NewPurchaseInvoice, 'lines'>): void {
  lines.forEach(({ subtotal_excl: excl }, index) => {
    const row = rows[index]!;
    if (cents(row.values.AmountExclTax) === excl) return;
    const expected = `${decimalText(excl, MONEY_SCALE, MONEY_SCALE)}, what the line comes to without tax`;
    report('AmountExclTax', `expected ${expected}, got ${row.cell('AmountExclTax')}`, row);
  });
}

/** An invoice as its maker takes it, with what the rows know better. */
function asGiven({ first, rows, hasAmounts }: Invoice, party: Row<'relation'> | undefined): PurchaseInvoiceInput {
  const { values } = first;
  return {
    party,
    request: {
      ...values,
      InvoiceDueDate: values.InvoiceDueDate ?? values.InvoiceDate,
      InvoiceProject: values.ProjectNumber,
      SelectProjectBy: 'NUMBER',
    },
    lines: rows.map((row) => {
      const { TaxCode, TaxPc } = askedFor(row, hasAmounts);
      const total = hasAmounts ? row.values.AmountInclTax : row.values.SubTotalInclTax;
      return { ...row.values, TaxCode, TaxPc, SubTotalInclTax: total ?? '0' };
    }),
    known: {
      supplier: namedThen(first, 'Supplier', party),
      createdOn: values.CreatedOn === undefined ? undefined : BigInt(values.CreatedOn),
    },
  };
}
