import { fieldError } from '../../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../../shared/money.ts';
import { findReferences } from '../../documentParts/references.ts';
import { invoiceAdds } from '../../files/documentAmounts.ts';
import { type PurchaseInvoiceInput, readPurchaseInvoice } from '../../purchases/addPurchaseTransaction.ts';
import { type NewPurchaseInvoice, storePurchaseInvoices } from '../../purchases/storePurchaseInvoices.ts';
import type { Row } from '../../sql/schema.ts';
import { madeOrEntered } from '../../vat/filedReturns.ts';
import { purchaseInvoiceColumns } from './documentColumns.ts';
import { partyData, rowsNumbered, withRelations } from './documentReferences.ts';
import { type DocumentRows, documentImporter } from './documentRows.ts';
import { cents, checkPayment, lineReferences, outstandingOf } from './statedAmounts.ts';

type Invoice = DocumentRows<(typeof purchaseInvoiceColumns)['header'] & (typeof purchaseInvoiceColumns)['lines']>;

/** Invoices of two suppliers may have one number: these columns distinguish them. */
const supplierColumns = ['RelationGUID', 'SupplierNumber', 'SupplierName', 'SupplierEmail'] as const;

/** Purchase invoices. The numbers of a supplier are unique. */
export const purchaseInvoices = documentImporter(
  {
    ...purchaseInvoiceColumns,
    number: 'PurchaseInvoiceNumber',
    called: 'invoice',
    belongs: (row, first) =>
      row.values.LineNumber !== 1 &&
      supplierColumns.every((column) => row.cell(column) === '' || row.cell(column) === first.cell(column)),
    adds: invoiceAdds,
  },
  async (context, endpointContext) => {
    const { db, administration, now } = context;
    const enteredOn = await madeOrEntered(db, administration.id, now);
    const keyOf = (invoice: { number: bigint; relation_id: bigint }) => `${invoice.number} ${invoice.relation_id}`;
    /** The invoices of this file. With line numbers, two of them may have one number. */
    const ofFile = new Set<string>();
    return {
      read: async (documents) => {
        for (const invoice of documents) {
          if (invoice.first.values.InvoiceDate === undefined) {
            invoice.report('InvoiceDate', 'is required in the first row of an invoice');
          }
          checkPayment(invoice);
        }
        const named = await withRelations(context, documents, 'supplier', inputOf);
        const existing = await rowsNumbered(context, 'purchase_invoice', documents, 'PurchaseInvoiceNumber');
        const used = new Set(existing.map(keyOf));
        const inputs = named.map(({ input }) => input);
        const references = await findReferences(endpointContext, 'Supplier', inputs);
        const ready: (NewPurchaseInvoice & { number: bigint })[] = [];
        for (const { document: invoice, input } of named) {
          const read = hasTotals(invoice)
            ? readPurchaseInvoice(endpointContext, references, input, invoice.refuse)
            : undefined;
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
          ready.push({ ...read, number, row: { ...read.row, number, outstanding, created_on: enteredOn(read.row) } });
        }
        return ready;
      },
      store: (invoices) => storePurchaseInvoices({ db, administration }, invoices),
    };
  },
);

/** Whether each line has a total; a missing one is reported. */
function hasTotals({ rows, hasAmounts, refuse }: Invoice): boolean {
  const column = hasAmounts ? 'AmountInclTax' : 'SubTotalInclTax';
  const missing = rows.flatMap(({ values }, index) =>
    values[column] === undefined ? fieldError(`Invoice_InvoiceLine[${index}].${column}`, 'REQUIRED_DECIMAL') : [],
  );
  // Missing stated amounts are reported already.
  if (!hasAmounts) refuse(missing);
  return missing.length === 0;
}

/** Reports lines whose stated amount differs from the computed one, which is booked. */
function checkLines({ rows, report }: Invoice, { lines }: Pick<NewPurchaseInvoice, 'lines'>): void {
  lines.forEach(({ subtotal_excl: excl }, index) => {
    const row = rows[index]!;
    if (cents(row.values.AmountExclTax) === excl) return;
    const expected = `${centsText(excl)}, what the line comes to without tax`;
    report('AmountExclTax', `expected ${expected}, got ${row.cell('AmountExclTax')}`, row);
  });
}

/** An invoice in the form of a request, with the known values of the rows. */
function inputOf({ first, rows, hasAmounts }: Invoice, party: Row<'relation'> | undefined): PurchaseInvoiceInput {
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
      const { TaxCode, TaxPc } = lineReferences(row, hasAmounts);
      const total = hasAmounts ? row.values.AmountInclTax : row.values.SubTotalInclTax;
      return { ...row.values, TaxCode, TaxPc, SubTotalInclTax: total ?? '0' };
    }),
    known: {
      supplier: partyData(first, 'Supplier', party),
      createdOn: values.CreatedOn === undefined ? undefined : BigInt(values.CreatedOn),
      taxes: rows.map(({ values: { AssessedTax: assessed, DeductibleTax: deductible } }) =>
        assessed === undefined || deductible === undefined
          ? undefined
          : { assessed: cents(assessed), deductible: cents(deductible) },
      ),
    },
  };
}
