import { MONEY_SCALE } from '../../../../../shared/money.ts';
import { MAX_REFERENCE_LENGTH } from '../../../../../shared/resources/document.ts';
import { purchaseClassifications } from '../../../../../shared/resources/purchaseInvoice.ts';
import * as column from '../../files/column.ts';

/*
 * The columns of documents. Those of the header hold for the whole document: they are in its first row, and repeated or
 * empty in the others. The order is that of the problems of a row.
 */

const money = () => column.decimal({ decimals: MONEY_SCALE });
const documentNumber = column.required(column.requestedNumber({ min: 1n }));

/** The columns that name the customer or supplier of a document. */
const party = <Role extends 'Customer' | 'Supplier'>(role: Role) =>
  ({
    RelationGUID: column.withNote(
      `instead of the ${role.toLowerCase()}'s number, name and e-mail`,
      column.long({ min: 0n }),
    ),
    [`${role}Number`]: column.number(),
    [`${role}Name`]: column.text(),
    [`${role}Email`]: column.text(),
  }) as { RelationGUID: column.Column<string> } & Record<`${Role}Number`, column.Column<number | undefined>> &
    Record<`${Role}Name` | `${Role}Email`, column.Column<string>>;

/** The totals of a document. With them, all its amounts are stated. */
export const totalColumns = {
  TotalExclTax: money(),
  TaxAmount: money(),
  TotalInclTax: column.withNote('with it, all amounts are taken from the file', money()),
};
/** The amounts of a line after all discounts. */
const amountColumns = { AmountExclTax: money(), AmountInclTax: money() };
/** The amount of an article line before discounts. */
const listColumns = { AmountInclTaxExclDiscount: money() };

const madeAndTotals = {
  CreatedOn: column.withNote('seconds since 1970; left out: now', column.long({ min: 0n })),
  ...totalColumns,
};
const payment = {
  InvoiceOutstandingAmount: column.withNote('left out: the total', money()),
  Paid: column.withNote('instead of an outstanding amount of 0', column.flag()),
};

/** The columns of every line; LineNumber counts the lines of a document, from 1. */
const line = {
  LineNumber: column.withNote('counts the lines of a document', column.whole({ min: 1 })),
  Description: column.text(),
  SubTotalInclTax: column.withNote('of the line, with tax', money()),
  TaxPc: column.percentage({ min: -1, max: 100 }),
  TaxCode: column.withNote('instead of TaxPc or with it', column.text()),
};

const articleLine = {
  ProductNumber: column.text(),
  ProductEAN: column.text(),
  Quantity: column.decimal(),
  UnitPriceExclTax: column.withNote('or SubTotalInclTax', column.decimal()),
  UseArticlePrice: column.flag(),
  /** Above 100 or below 0 only with stated amounts. */
  DiscountPc: column.percentage({}),
  DiscountAmountInclTax: money(),
  ...line,
  IsTextLine: column.withNote('needs no product, price or tax', column.flag()),
  TextLineCategory: column.text(),
  CurrentProductNumber: column.withNote('when ProductNumber was another then', column.text()),
  ...listColumns,
  ...amountColumns,
};

const bookedLine = {
  LedgerAccountNumber: column.withNote('left out: that of the administration', column.text()),
  CostCenter: column.name(),
  CurrentTaxCode: column.withNote('when TaxCode was another then', column.text()),
};

export const salesInvoiceColumns = {
  header: {
    InvoiceNumber: documentNumber,
    InvoiceType: column.withNote('left out: INVOICING', column.choice('INVOICING', 'BOOKKEEPING')),
    AddAsDraft: column.flag(),
    InvoiceDate: column.withNote('required in the first row', column.day()),
    InvoiceDueDate: column.day(),
    InvoiceDueDays: column.whole({ min: 0, max: 3650 }),
    ...party('Customer'),
    InvoiceReference: column.text({ max: MAX_REFERENCE_LENGTH }),
    InvoiceNotes: column.text(),
    PackingSlipNotes: column.text(),
    ProjectNumber: column.projectNumber(),
    InvoiceDiscountPc: column.percentage(),
    InvoiceIsSent: column.flag(),
    OGM_Belgium: column.text(),
    ...payment,
    InvoiceForOrderNumber: column.long({ min: 1n }),
    EmailToCustomer: column.flag(),
    TemplateName_Invoice: column.text(),
    TemplateName_Email: column.text(),
    /** Of exports, which have the stock mutations too. */
    MovesStock: column.flag(),
    ...madeAndTotals,
  },
  lines: {
    ...articleLine,
    ...bookedLine,
    DeliveryDate: column.day(),
    Warehouse: column.text(),
    Shelf: column.text(),
    Batch: column.text(),
  },
  amounts: [...Object.keys(listColumns), ...Object.keys(amountColumns)],
};

export const orderColumns = {
  header: {
    OrderNumber: documentNumber,
    GeneralStatus: column.withNote('left out: order', column.choice('concept_quote', 'final_quote', 'order')),
    OrderStatus: column.text(),
    IsInvoiced: column.flag(),
    OrderDate: column.withNote('required in the first row', column.day()),
    ...party('Customer'),
    OrderReference: column.text({ max: MAX_REFERENCE_LENGTH }),
    OrderNotes: column.text(),
    PackingSlipNotes: column.text(),
    DeliveryPeriod: column.whole({ min: 0 }),
    OrderDiscountPc: column.percentage(),
    ChangedOn: column.withNote('seconds since 1970; left out: now', column.long({ min: 0n })),
    ...madeAndTotals,
  },
  lines: { ...articleLine, AmountExclTaxExclDiscount: money() },
  amounts: ['AmountExclTaxExclDiscount', ...Object.keys(listColumns), ...Object.keys(amountColumns)],
};

export const purchaseInvoiceColumns = {
  header: {
    PurchaseInvoiceNumber: documentNumber,
    ...party('Supplier'),
    InvoiceDate: column.day(),
    InvoiceDueDate: column.day(),
    InvoiceNotes: column.text(),
    ProjectNumber: column.projectNumber(),
    ...payment,
    ...madeAndTotals,
  },
  lines: {
    ...line,
    TaxPc: column.percentage(),
    ...bookedLine,
    PurchaseClassification: column.choice(...purchaseClassifications),
    ...amountColumns,
    AssessedTax: column.withNote('owed beside the invoice, with DeductibleTax; left out: by the VAT rules', money()),
    DeductibleTax: money(),
  },
  amounts: Object.keys(amountColumns),
};
