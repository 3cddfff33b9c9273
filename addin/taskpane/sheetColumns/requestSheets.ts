import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { documentSheet, type RequestSheet, rowSheet, type SheetView } from './requestColumns.ts';

/* The sheets with documents and new products, each column once. What is filled in most stands before the results. */

const salesInvoices = documentSheet(
  'salesInvoiceRows',
  'addsalesinvoice',
  {
    CustomerNumber: { kind: 'numbered', width: 26, needed: true, list: 'customers' },
    InvoiceDate: { kind: 'date', width: 12 },
    InvoiceReference: { kind: 'text', width: 18 },
    ProductNumber: { kind: 'text', width: 15, needed: true, line: true },
    Description: { kind: 'text', width: 30, line: true },
    Quantity: { kind: 'decimal', width: 9, needed: true, line: true },
    UnitPriceExclTax: { kind: 'price', width: 13, needed: true, line: true },
    TaxCode: { kind: 'text', width: 22, line: true, list: 'salesTaxCodes' },
    DiscountPc: { kind: 'percentage', width: 11, line: true },
    DiscountAmountInclTax: { kind: 'amount', width: 13, line: true },
    SubTotalInclTax: { kind: 'amount', width: 13, line: true },
    TaxPc: { kind: 'percentage', width: 9, line: true },
    UseArticlePrice: { kind: 'yesNo', width: 12, line: true },
    ProductEAN: { kind: 'text', width: 15, line: true },
    LedgerAccountNumber: { kind: 'numbered', width: 24, line: true, list: 'accounts' },
    CostCenter: { kind: 'text', width: 14, line: true },
    IsTextLine: { kind: 'yesNo', width: 10, line: true },
    TextLineCategory: { kind: 'text', width: 16, line: true },
    CustomerName: { kind: 'text', width: 24 },
    CustomerEmail: { kind: 'text', width: 24 },
    AddAsDraft: { kind: 'yesNo', width: 10 },
    EmailToCustomer: { kind: 'yesNo', width: 14 },
    InvoiceDueDays: { kind: 'integer', width: 10 },
    InvoiceDueDate: { kind: 'date', width: 12 },
    InvoiceDiscountPc: { kind: 'percentage', width: 13 },
    InvoiceNumber: { kind: 'digits', width: 14 },
    InvoiceNotes: { kind: 'text', width: 30 },
    PackingSlipNotes: { kind: 'text', width: 24 },
    InvoiceProject: { kind: 'text', width: 16 },
    SelectProjectBy: { kind: 'choice', width: 14 },
    OGM_Belgium: { kind: 'text', width: 22 },
    InvoiceForOrderNumber: { kind: 'digits', width: 14 },
    TemplateName_Invoice: { kind: 'text', width: 16 },
    TemplateName_Email: { kind: 'text', width: 16 },
    HtmlAsPlainText: { kind: 'yesNo', width: 12 },
    PeriodicInvoiceTemplate: { kind: 'yesNo', width: 14 },
    Periodic_StartingDate: { kind: 'date', width: 14 },
    Periodic_EndDate: { kind: 'date', width: 14 },
    Periodic_Frequency: { kind: 'integer', width: 12 },
    Periodic_FrequencyUnit: { kind: 'choice', width: 12 },
    Periodic_AutomaticMailing: { kind: 'yesNo', width: 14 },
    Periodic_SkipWeekends: { kind: 'yesNo', width: 12 },
  },
  'TaxCode',
);

const orders = documentSheet(
  'orderRows',
  'addorder',
  {
    CustomerNumber: { kind: 'numbered', width: 26, needed: true, list: 'customers' },
    GeneralStatus: { kind: 'choice', width: 14 },
    OrderDate: { kind: 'date', width: 12 },
    OrderReference: { kind: 'text', width: 18 },
    ProductNumber: { kind: 'text', width: 15, needed: true, line: true },
    Description: { kind: 'text', width: 30, line: true },
    Quantity: { kind: 'decimal', width: 9, needed: true, line: true },
    UnitPriceExclTax: { kind: 'price', width: 13, needed: true, line: true },
    TaxCode: { kind: 'text', width: 22, line: true, list: 'salesTaxCodes' },
    DiscountPc: { kind: 'percentage', width: 11, line: true },
    DiscountAmountInclTax: { kind: 'amount', width: 13, line: true },
    SubTotalInclTax: { kind: 'amount', width: 13, line: true },
    TaxPc: { kind: 'percentage', width: 9, line: true },
    UseArticlePrice: { kind: 'yesNo', width: 12, line: true },
    ProductEAN: { kind: 'text', width: 15, line: true },
    IsTextLine: { kind: 'yesNo', width: 10, line: true },
    TextLineCategory: { kind: 'text', width: 16, line: true },
    CustomerName: { kind: 'text', width: 24 },
    CustomerEmail: { kind: 'text', width: 24 },
    OrderStatus: { kind: 'text', width: 16 },
    DeliveryPeriod: { kind: 'integer', width: 12 },
    OrderDiscountPc: { kind: 'percentage', width: 13 },
    OrderNotes: { kind: 'text', width: 30 },
    PackingSlipNotes: { kind: 'text', width: 24 },
    HtmlAsPlainText: { kind: 'yesNo', width: 12 },
  },
  'TaxCode',
);

const salesTransactions = documentSheet(
  'salesTransactionRows',
  'addsalestransaction',
  {
    CustomerNumber: { kind: 'numbered', width: 26, needed: true, list: 'customers' },
    InvoiceDate: { kind: 'date', width: 12 },
    InvoiceNumber: { kind: 'digits', width: 14 },
    Description: { kind: 'text', width: 30, line: true },
    LedgerAccountNumber: { kind: 'numbered', width: 24, line: true, list: 'accounts' },
    SubTotalInclTax: { kind: 'amount', width: 13, needed: true, line: true },
    TaxCode: { kind: 'text', width: 22, line: true, needed: true, list: 'salesTaxCodes' },
    TaxPc: { kind: 'percentage', width: 9, line: true },
    CostCenter: { kind: 'text', width: 14, line: true },
    CustomerName: { kind: 'text', width: 24 },
    CustomerEmail: { kind: 'text', width: 24 },
    InvoiceNotes: { kind: 'text', width: 30 },
    InvoiceFileUrl: { kind: 'text', width: 24 },
    InvoiceProject: { kind: 'text', width: 16 },
    SelectProjectBy: { kind: 'choice', width: 14 },
  },
  'TaxCode',
);

const purchaseTransactions = documentSheet(
  'purchaseTransactionRows',
  'addpurchasetransaction',
  {
    SupplierNumber: { kind: 'numbered', width: 26, needed: true, list: 'suppliers' },
    PurchaseInvoiceNumber: { kind: 'digits', width: 16 },
    InvoiceDate: { kind: 'date', width: 12 },
    InvoiceDueDate: { kind: 'date', width: 12 },
    Description: { kind: 'text', width: 30, line: true },
    LedgerAccountNumber: { kind: 'numbered', width: 24, line: true, list: 'accounts' },
    SubTotalInclTax: { kind: 'amount', width: 13, needed: true, line: true },
    TaxCode: { kind: 'text', width: 22, line: true, needed: true, list: 'purchaseTaxCodes' },
    TaxPc: { kind: 'percentage', width: 9, line: true },
    PurchaseClassification: { kind: 'choice', width: 16, line: true },
    CostCenter: { kind: 'text', width: 14, line: true },
    SupplierName: { kind: 'text', width: 24 },
    SupplierEmail: { kind: 'text', width: 24 },
    InvoiceNotes: { kind: 'text', width: 30 },
    InvoiceFileUrl: { kind: 'text', width: 24 },
    InvoiceProject: { kind: 'text', width: 16 },
    SelectProjectBy: { kind: 'choice', width: 14 },
  },
  'TaxCode',
);

const newProducts = rowSheet(
  'newProductRows',
  'addproduct',
  {
    ArticleNumber: { kind: 'text', width: 16, needed: true },
    EAN: { kind: 'text', width: 15 },
    NewName: { kind: 'text', width: 28, needed: true },
    CategoryName: { kind: 'text', width: 16, needed: true },
    NewSalePrice: { kind: 'price', width: 13, sign: 'notNegative' },
    NewUnit: { kind: 'text', width: 10, list: 'units' },
    TaxCode: { kind: 'text', width: 22, list: 'salesTaxCodes' },
    CategoryCreateIfMissing: { kind: 'yesNo', width: 14 },
    NewVATPercentage: { kind: 'percentage', width: 9, sign: 'notNegative' },
    NewPurchasePrice: { kind: 'price', width: 14, sign: 'notNegative' },
    TaxCodePurchase: { kind: 'text', width: 22, list: 'purchaseTaxCodes' },
    NewPurchasePriceVATPercentage: { kind: 'percentage', width: 14, sign: 'notNegative' },
    NewSupplierArticleNumber: { kind: 'text', width: 18 },
    NewStockQty: { kind: 'decimal', width: 12 },
    NewStockMutationPurchasePrice: { kind: 'price', width: 14, sign: 'notNegative' },
    NewStockMutationComment: { kind: 'text', width: 24 },
    NewDescription: { kind: 'text', width: 30 },
    Archived: { kind: 'yesNo', width: 10 },
  },
  'TaxCode',
  'ArticleNumber',
);

const journalEntries = documentSheet(
  'journalEntryRows',
  'addjournalentry',
  {
    EntryDate: { kind: 'date', width: 12 },
    Journal: { kind: 'choice', width: 16 },
    EntryDescription: { kind: 'text', width: 30 },
    LedgerAccountNumber: { kind: 'numbered', width: 26, needed: true, line: true, list: 'accounts' },
    Debit: { kind: 'amount', width: 13, needed: true, line: true, sign: 'notNegative' },
    Credit: { kind: 'amount', width: 13, needed: true, line: true, sign: 'notNegative' },
    Description: { kind: 'text', width: 30, line: true },
    CustomerNumber: { kind: 'numbered', width: 24, line: true, list: 'customers' },
    SupplierNumber: { kind: 'numbered', width: 24, line: true, list: 'suppliers' },
    LineDocument: { kind: 'text', width: 18, line: true },
    CostCenter: { kind: 'text', width: 14, line: true },
    TaxCode: { kind: 'text', width: 22, line: true, list: 'taxCodes' },
    TaxBase: { kind: 'amount', width: 13, line: true, sign: 'notNegative' },
    EntryNumber: { kind: 'text', width: 14 },
  },
  'Credit',
);

const all = [salesInvoices, orders, salesTransactions, purchaseTransactions, newProducts, journalEntries];

export const requestSheets = Object.fromEntries(all.map((sheet) => [sheet.view, sheet])) as Readonly<
  Record<SheetView, RequestSheet>
>;

/** The declaration of the sheet of a table; undefined for a table of another kind. */
export const requestSheetOf = ({ memory: { view } }: TableHandle): RequestSheet | undefined =>
  all.find((sheet) => sheet.view === view);
