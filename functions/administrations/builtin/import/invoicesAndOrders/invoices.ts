import { type FieldErrorTexts, fieldErrorTexts } from '../../../../../shared/fieldErrors.ts';
import { requireArticle } from '../../../../../shared/resources/document.ts';
import { errorsOfRule } from '../../../../../shared/wire/issues.ts';
import { findReferences } from '../../documentParts/references.ts';
import { invoiceAdds } from '../../files/documentAmounts.ts';
import { taxCodesOf } from '../../ledger/taxCodes.ts';
import { readSalesInvoice, type SalesInvoiceInput } from '../../sales/readSalesInvoice.ts';
import { readRemittance, remittanceFor } from '../../sales/remittance.ts';
import { type NewSalesInvoice, storeSalesInvoices } from '../../sales/storeSalesInvoices.ts';
import { flag, type Row } from '../../sql/schema.ts';
import { madeOrEntered } from '../../vat/filedReturns.ts';
import type { ImportContext } from '../importRows.ts';
import { salesInvoiceColumns } from './documentColumns.ts';
import { partyData, rowsNumbered, withRelations } from './documentReferences.ts';
import { type DocumentRows, documentImporter, numberOf } from './documentRows.ts';
import {
  cents,
  checkDiscount,
  checkPayment,
  decimal8,
  lineReferences,
  outstandingOf,
  statedAmounts,
} from './statedAmounts.ts';

type Invoice = DocumentRows<(typeof salesInvoiceColumns)['header'] & (typeof salesInvoiceColumns)['lines']>;

/** Sales invoices, one row a line; the rows of an invoice follow each other. They do not change the stock. */
export const invoices = documentImporter(
  {
    ...salesInvoiceColumns,
    number: 'InvoiceNumber',
    called: 'invoice',
    counter: 'sales_invoice',
    belongs: () => true,
    adds: invoiceAdds,
  },
  async (context, endpointContext) => {
    const { db, administration, headingLine, report, now } = context;
    const enteredOn = await madeOrEntered(db, administration.id, now);
    if (administration.debtor_account === '' || administration.vat_payable_account === '') {
      const accounts = 'a debtor account and a VAT payable account: set them first';
      report(headingLine, '', `expected an administration with ${accounts}`);
    }
    const begunOn = new Map<string, number>();
    return {
      texts: await textsFor(endpointContext),
      begun: (row) => {
        const number = numberOf(row, 'InvoiceNumber');
        const line = begunOn.get(number);
        if (line !== undefined) {
          const expected = `expected the rows of invoice ${number} to follow each other; it began on line ${line}`;
          report(row.line, 'InvoiceNumber', expected);
        }
        begunOn.set(number, row.line);
      },
      read: async (documents) => {
        const existing = await rowsNumbered(context, 'sales_invoice', documents, 'InvoiceNumber');
        const taken = new Set(existing.map((invoice) => invoice.number));
        const ordered = await rowsNumbered(context, 'sales_order', documents, 'InvoiceForOrderNumber');
        const orders = new Map(ordered.map((order) => [order.number, order]));
        for (const invoice of documents) checkInvoice(invoice, taken);
        const named = await withRelations(context, documents, 'relation', (invoice, party) =>
          inputOf(context, invoice, party, orderOf(invoice, orders)),
        );
        const inputs = named.map(({ input }) => input);
        const references = await findReferences(endpointContext, 'Customer', inputs);
        const ready: (NewSalesInvoice & { number: bigint })[] = [];
        for (const { document: invoice, input } of named) {
          const read = await readSalesInvoice(endpointContext, references, input, invoice.refuse);
          if (read === undefined) continue;
          checkCustomer(invoice, read.relation, orderOf(invoice, orders));
          const number = BigInt(invoice.first.values.InvoiceNumber ?? 0);
          const outstanding = outstandingOf(invoice, read.row.total_incl);
          const created_on = enteredOn(read.row);
          const row = { ...read.row, number, outstanding, created_on, ogm: read.row.ogm ?? remittanceFor(number) };
          ready.push({ ...read, number, row });
        }
        return ready;
      },
      store: (invoices) => storeSalesInvoices({ db, administration }, invoices),
    };
  },
);

type Order = { id: bigint; relation_id: bigint };

const orderOf = ({ first }: Invoice, orders: ReadonlyMap<bigint, Order>): Order | undefined =>
  orders.get(BigInt(first.values.InvoiceForOrderNumber ?? 0));

/** Reports the problems of an invoice that do not depend on other records. */
function checkInvoice(invoice: Invoice, taken: ReadonlySet<bigint>): void {
  const { first, rows, report, refuse } = invoice;
  const { values } = first;
  const isBookkeeping = values.InvoiceType === 'BOOKKEEPING';
  if (values.InvoiceNumber !== undefined && taken.has(BigInt(values.InvoiceNumber))) {
    report('InvoiceNumber', `expected a number no other invoice has, got ${values.InvoiceNumber}`);
  }
  if (values.InvoiceDate === undefined) report('InvoiceDate', 'is required in the first row of an invoice');
  if (isBookkeeping && values.AddAsDraft === true) {
    report('AddAsDraft', 'expected false: there are no drafts of the bookkeeping module');
  }
  const { OGM_Belgium: ogm } = values;
  if (ogm !== undefined && readRemittance(ogm) === undefined) {
    report('OGM_Belgium', `expected twelve digits whose last two are right, got "${ogm}"`);
  }
  checkPayment(invoice);
  checkDiscount(invoice);
  rows.forEach((row, index) => {
    const line = requestLine(row, invoice.hasAmounts);
    if (!isBookkeeping) {
      refuse(errorsOfRule((rule) => requireArticle(line, rule), `Invoice_InvoiceLine[${index}]`));
      return;
    }
    if (line.IsTextLine) report('IsTextLine', 'expected false: the bookkeeping module has no text lines', row);
    if (line.ProductNumber !== undefined || line.ProductEAN !== undefined) {
      report('ProductNumber', 'expected nothing: lines of the bookkeeping module have no products', row);
    }
    // Such a line needs neither product nor quantity.
    const priced = { ...line, ProductNumber: '', Quantity: line.Quantity ?? '1' };
    refuse(errorsOfRule((rule) => requireArticle(priced, rule), `Invoice_InvoiceLine[${index}]`));
  });
}

/** Reports the problems of an invoice that depend on its customer. */
function checkCustomer({ first, hasAmounts, report }: Invoice, customer: Row<'relation'>, order: Order | undefined) {
  const { InvoiceForOrderNumber: number, OGM_Belgium: ogm } = first.values;
  if (order !== undefined && order.relation_id !== customer.id) {
    report('InvoiceForOrderNumber', `expected the number of an order of ${customer.name}, got ${number}`);
  }
  if (ogm !== undefined && customer.country_code !== 'BE' && !hasAmounts) {
    report('OGM_Belgium', 'expected nothing: the customer is not Belgian');
  }
}

/** A line in the form of a request. Its price is in the row, not that of the article now. */
const requestLine = (row: Invoice['first'], hasAmounts: boolean) => ({
  ...row.values,
  ...lineReferences(row, hasAmounts),
  IsTextLine: row.values.IsTextLine ?? false,
  UseArticlePrice: false,
});

/** An invoice in the form of a request, with the known values of the rows. */
function inputOf(
  { now }: ImportContext,
  invoice: Invoice,
  party: Row<'relation'> | undefined,
  order: Order | undefined,
): SalesInvoiceInput {
  const { first, rows, hasAmounts, report } = invoice;
  const { values } = first;
  const { InvoiceType: module = 'INVOICING', InvoiceForOrderNumber: forOrder } = values;
  if (forOrder !== undefined && order === undefined) {
    report('InvoiceForOrderNumber', `expected the number of an order, got ${forOrder}`);
  }
  const ogm = readRemittance(values.OGM_Belgium ?? '');
  return {
    module,
    party,
    request: { ...values, OGM_Belgium: ogm, InvoiceProject: values.ProjectNumber, SelectProjectBy: 'NUMBER' },
    lines: rows.map((row) => requestLine(row, hasAmounts)),
    known: {
      customer: partyData(first, 'Customer', party),
      isSent: values.InvoiceIsSent ?? false,
      createdOn: values.CreatedOn === undefined ? now : BigInt(values.CreatedOn),
      salesOrderId: order?.id ?? null,
      ogm: hasAmounts || module === 'BOOKKEEPING' ? (ogm ?? '') : undefined,
      lines: rows.map(({ values: line }) => ({
        text_category: line.TextLineCategory ?? '',
        use_article_price: flag(line.UseArticlePrice ?? false),
        delivery_date: line.DeliveryDate ?? null,
        warehouse: line.Warehouse ?? '',
        shelf: line.Shelf ?? '',
        batch: line.Batch ?? '',
      })),
      amounts: statedAmounts(invoice, ({ values: line }) => ({
        unitPriceExcl: decimal8(line.UnitPriceExclTax),
        discountPercentage: decimal8(line.DiscountPc),
        inclBeforeDiscount: cents(line.AmountInclTaxExclDiscount),
        excl: cents(line.AmountExclTax),
        incl: cents(line.AmountInclTax),
      })),
    },
  };
}

/** The texts of errors, where an import of invoices asks for something else than a request. */
async function textsFor(endpointContext: Parameters<typeof taxCodesOf>[0]): Promise<FieldErrorTexts> {
  const purchaseCodes = new Set((await taxCodesOf(endpointContext, 'Purchase')).map(({ code }) => code));
  const noTaxCode = ({ side, code }: { side: string; code: string }) => {
    const other = purchaseCodes.has(code) ? ', which is a Purchase code' : '';
    return `expected a ${side} tax code of this administration, got "${code}"${other}`;
  };
  return {
    ...fieldErrorTexts,
    REQUIRED_DECIMAL: () => 'is required on a line that is not a text line',
    REQUIRED_PRICE: () => 'is required, or SubTotalInclTax, on a line that is not a text line',
    NO_SUCH_TAX_CODE: noTaxCode,
  };
}
