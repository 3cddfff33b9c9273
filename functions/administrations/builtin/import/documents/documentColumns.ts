import { MONEY_SCALE } from '../../../../../shared/money.ts';
import { MAX_REFERENCE_LENGTH } from '../../../../../shared/resources/document.ts';
import { purchaseClassifications } from '../../../../../shared/resources/purchaseInvoice.ts';
import {
  type Column,
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
  whole,
  withNote,
} from '../../files/column.ts';

/*
 * The columns of documents. Those of the header hold for the whole document: they are in its first row, and repeated or
 * empty in the others. The order is that of the problems of a row.
 */

const money = () => decimal({ decimals: MONEY_SCALE });
const documentNumber = required(requestedNumber({ min: 1n }));

/** The columns that name the customer or supplier of a document. */
const party = <Role extends 'Customer' | 'Supplier'>(role: Role) =>
  ({
    RelationGUID: withNote(`instead of the ${role.toLowerCase()}'s number, name and e-mail`, long({ min: 0n })),
    [`${role}Number`]: number(),
    [`${role}Name`]: text(),
    [`${role}Email`]: text(),
  }) as { RelationGUID: Column<string> } & Record<`${Role}Number`, Column<number | undefined>> &
    Record<`${Role}Name` | `${Role}Email`, Column<string>>;

/** The totals of a document. With them, all its amounts are stated. */
export const totalColumns = {
  TotalExclTax: money(),
  TaxAmount: money(),
  TotalInclTax: withNote('with it, all amounts are taken from the file', money()),
};
/** The amounts of a line after all discounts. */
const amountColumns = { AmountExclTax: money(), AmountInclTax: money() };
/** The amount of an article line before discounts. */
const listColumns = { AmountInclTaxExclDiscount: money() };

const madeAndTotals = { CreatedOn: withNote('seconds since 1970; left out: now', long({ min: 0n })), ...totalColumns };
const payment = {
  InvoiceOutstandingAmount: withNote('left out: the total', money()),
  Paid: withNote('instead of an outstanding amount of 0', flag()),
};

/** The columns of every line; LineNumber counts the lines of a document, from 1. */
const line = {
  LineNumber: withNote('counts the lines of a document', whole({ min: 1 })),
  Description: text(),
  SubTotalInclTax: withNote('of the line, with tax', money()),
  TaxPc: percentage({ min: -1, max: 100 }),
  TaxCode: withNote('instead of TaxPc or with it', text()),
};

const articleLine = {
  ProductNumber: text(),
  ProductEAN: text(),
  Quantity: decimal(),
  UnitPriceExclTax: withNote('or SubTotalInclTax', decimal()),
  UseArticlePrice: flag(),
  /** Above 100 or below 0 only with stated amounts. */
  DiscountPc: percentage({}),
  DiscountAmountInclTax: money(),
  ...line,
  IsTextLine: withNote('needs no product, price or tax', flag()),
  TextLineCategory: text(),
  CurrentProductNumber: withNote('when ProductNumber was another then', text()),
  ...listColumns,
  ...amountColumns,
};

const bookedLine = {
  LedgerAccountNumber: withNote('left out: that of the administration', text()),
  CostCenter: name(),
  CurrentTaxCode: withNote('when TaxCode was another then', text()),
};

export const salesInvoiceColumns = {
  header: {
    InvoiceNumber: documentNumber,
    InvoiceType: withNote('left out: INVOICING', choice('INVOICING', 'BOOKKEEPING')),
    AddAsDraft: flag(),
    InvoiceDate: withNote('required in the first row', day()),
    InvoiceDueDate: day(),
    InvoiceDueDays: whole({ min: 0, max: 3650 }),
    ...party('Customer'),
    InvoiceReference: text({ max: MAX_REFERENCE_LENGTH }),
    InvoiceNotes: text(),
    PackingSlipNotes: text(),
    ProjectNumber: projectNumber(),
    InvoiceDiscountPc: percentage(),
    InvoiceIsSent: flag(),
    OGM_Belgium: text(),
    ...payment,
    InvoiceForOrderNumber: long({ min: 1n }),
    EmailToCustomer: flag(),
    TemplateName_Invoice: text(),
    TemplateName_Email: text(),
    /** Of exports, which have the stock mutations too. */
    MovesStock: flag(),
    ...madeAndTotals,
  },
  lines: {
    ...articleLine,
    ...bookedLine,
    DeliveryDate: day(),
    Warehouse: text(),
    Shelf: text(),
    Batch: text(),
  },
  amounts: [...Object.keys(listColumns), ...Object.keys(amountColumns)],
};

export const orderColumns = {
  header: {
    OrderNumber: documentNumber,
    GeneralStatus: withNote('left out: order', choice('concept_quote', 'final_quote', 'order')),
    OrderStatus: text(),
    IsInvoiced: flag(),
    OrderDate: withNote('required in the first row', day()),
    ...party('Customer'),
    OrderReference: text({ max: MAX_REFERENCE_LENGTH }),
    OrderNotes: text(),
    PackingSlipNotes: text(),
    DeliveryPeriod: whole({ min: 0 }),
    OrderDiscountPc: percentage(),
    ChangedOn: withNote('seconds since 1970; left out: now', long({ min: 0n })),
    ...madeAndTotals,
  },
  lines: { ...articleLine, AmountExclTaxExclDiscount: money() },
  amounts: ['AmountExclTaxExclDiscount', ...Object.keys(listColumns), ...Object.keys(amountColumns)],
};

export const purchaseInvoiceColumns = {
  header: {
    PurchaseInvoiceNumber: documentNumber,
    ...party('Supplier'),
    InvoiceDate: day(),
    InvoiceDueDate: day(),
    InvoiceNotes: text(),
    ProjectNumber: projectNumber(),
    ...payment,
    ...madeAndTotals,
  },
  lines: {
    ...line,
    TaxPc: percentage(),
    ...bookedLine,
    PurchaseClassification: choice(...purchaseClassifications),
    ...amountColumns,
  },
  amounts: Object.keys(amountColumns),
};
