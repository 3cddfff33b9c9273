import { fieldError } from '../../../../../shared/fieldErrors.ts';
import { decimalText, MONEY_SCALE } from '../../../../../shared/money.ts';
import { purchaseClassifications } from '../../../../../shared/resources/purchaseInvoice.ts';
import { findReferences } from '../../documents/references.ts';
import {
  choice,
  day,
  decimal,
  flag,
  long,
  name,
  number,
  percentage,
  projectNumber,
  requestedNumber,
  required,
  text,
} from '../../files/column.ts';
import { asFirst, invoiceAdds } from '../../files/documentAmounts.ts';
import { type PurchaseInvoiceInput, readPurchaseInvoice } from '../../purchases/addPurchaseTransaction.ts';
import { type NewPurchaseInvoice, storePurchaseInvoices } from '../../purchases/storePurchaseInvoices.ts';
import type { Row } from '../../sql/schema.ts';
import {
  amountColumns,
  askedFor,
  cents,
  checkPayment,
  type DocumentRows,
  documentImporter,
  lineNumber,
  namedThen,
  outstandingOf,
  relationsByGuid,
  rowsNumbered,
  totalColumns,
} from './documentRows.ts';

const header = {
  PurchaseInvoiceNumber: required(requestedNumber({ min: 1n })),
  RelationGUID: long({ min: 0n }),
  SupplierNumber: number(),
  SupplierName: text(),
  SupplierEmail: text(),
  InvoiceDate: day(),
  InvoiceDueDate: day(),
  InvoiceNotes: text(),
  ProjectNumber: projectNumber(),
  InvoiceOutstandingAmount: decimal({ decimals: 2 }),
  Paid: flag(),
  CreatedOn: long({ min: 0n }),
  ...totalColumns,
};

const lines = {
  ...lineNumber,
  Description: text(),
  SubTotalInclTax: decimal({ decimals: 2 }),
  TaxPc: percentage(),
  TaxCode: text(),
  LedgerAccountNumber: text(),
  CostCenter: name(),
  PurchaseClassification: choice(...purchaseClassifications),
  CurrentTaxCode: text(),
  ...amountColumns,
};

type Invoice = DocumentRows<typeof header & typeof lines>;

/** Two suppliers may have one number: these tell their invoices apart. */
const supplierColumns = ['RelationGUID', 'SupplierNumber', 'SupplierName', 'SupplierEmail'] as const;

/** Purchase invoices. A number a supplier's invoice has already is refused. */
export const purchaseInvoices = documentImporter(
  {
    header,
    lines,
    number: 'PurchaseInvoiceNumber',
    called: 'invoice',
    belongs: (row, first) =>
      row.values.LineNumber !== 1 &&
      supplierColumns.every((column) => row.cell(column) === '' || row.cell(column) === first.cell(column)),
    asFirst,
    amounts: Object.keys(amountColumns),
    adds: invoiceAdds,
  },
  async (context, scope) => {
    const { db, administration, isSound, counts } = context;
    const keyOf = (invoice: { number: bigint; relation_id: bigint }) => `${invoice.number} ${invoice.relation_id}`;
    /** Of this file: lines that are counted tell two invoices of one number apart. */
    const ofFile = new Set<string>();
    return {
      store: async (documents) => {
        const relationOf = await relationsByGuid(context, documents, 'supplier');
        const given = documents.flatMap((invoice) => {
          if (invoice.first.values.InvoiceDate === undefined) {
            invoice.report('InvoiceDate', 'is required in the first row of an invoice');
          }
          checkPayment(invoice);
          const party = relationOf(invoice);
          if (party === undefined && invoice.first.values.RelationGUID !== undefined) return [];
          return { invoice, given: asGiven(invoice, party) };
        });
        const existing = await rowsNumbered(context, 'purchase_invoice', documents, 'PurchaseInvoiceNumber');
        const used = new Set(existing.map(keyOf));
        const references = await findReferences(
          scope,
          'Supplier',
          given.map((one) => one.given),
        );
        const ready: NewPurchaseInvoice[] = [];
        for (const { invoice, given: one } of given) {
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
          ready.push({ ...read, number, outstanding: outstandingOf(invoice, read.totals.incl) });
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
function checkLines({ rows, report }: Invoice, { totals }: { totals: NewPurchaseInvoice['totals'] }): void {
  totals.lines.forEach(({ excl }, index) => {
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
