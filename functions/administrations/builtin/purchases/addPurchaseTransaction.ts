import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import {
  type PurchaseInvoice,
  type PurchaseTransactionAddition,
  purchaseInvoice,
} from '../../../../shared/resources/purchaseInvoice.ts';
import { relationContact } from '../../../../shared/resources/relation.ts';
import { salesInvoiceAddress } from '../../../../shared/resources/salesInvoice.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { type DocumentWrite, type FileContext, fileByUrl, storeAttachments } from '../documentParts/attachments.ts';
import { bookkeepingLines } from '../documentParts/bookkeepingLines.ts';
import { checkedTotals } from '../documentParts/checkedTotals.ts';
import { nextNumber, requestedNumber } from '../documentParts/numbering.ts';
import {
  collectRefusals,
  findReferences,
  type References,
  type Refuse,
  throwAll,
} from '../documentParts/references.ts';
import { ledgerAccounts } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { responding } from '../sql/rows.ts';
import type { Cents, Row } from '../sql/schema.ts';
import type { PurchaseTax } from '../vat/purchaseTaxes.ts';
import { type NewPurchaseInvoice, storePurchaseInvoices } from './storePurchaseInvoices.ts';

export type PurchaseInvoiceInput = {
  request: Omit<PurchaseTransactionAddition, 'Invoice_InvoiceLine'>;
  lines: PurchaseTransactionAddition['Invoice_InvoiceLine'];
  /** The supplier, if it is known already. */
  party?: Row<'relation'> | undefined;
  /** The known values of an imported invoice; a new one gets them here. */
  known?: {
    /** The supplier's name at that time. */
    supplier?: { number: bigint | null; name: string } | undefined;
    createdOn?: bigint | undefined;
    /** The outstanding amount; left out: the total. */
    outstanding?: Cents | undefined;
    /** Of each line; left out: by the rule of its tax code. */
    taxes?: readonly (PurchaseTax | undefined)[];
  };
};

/** A purchase invoice. */
export const purchaseTransactionWrite: DocumentWrite<FileContext, PurchaseTransactionAddition, PurchaseInvoice> = {
  files: ({ InvoiceFileUrl }) => fileByUrl(InvoiceFileUrl, bookkeepingFiles),
  async write(transaction, request, files) {
    const input = { request, lines: request.Invoice_InvoiceLine };
    const references = await findReferences(transaction, 'Supplier', [input]);
    const read = readPurchaseInvoice(transaction, references, input, throwAll)!;
    // A supplied number is the supplier's: it need not be unique, and does not affect our own numbering.
    const number =
      request.PurchaseInvoiceNumber === undefined
        ? await nextNumber(transaction.db, transaction.administration.id, 'purchase_invoice')
        : requestedNumber(request.PurchaseInvoiceNumber, 'PurchaseInvoiceNumber');
    const invoice = { ...read, row: { ...read.row, number } };
    const [id] = await storePurchaseInvoices(transaction, [invoice]);
    await storeAttachments(transaction, { purchase_invoice_id: id! }, files);
    return { response: purchaseInvoiceResponse(invoice, references.contact(read.supplier.id)) };
  },
};

const PATH = 'Invoice_InvoiceLine';

/** A purchase invoice without a number. */
type ReadPurchaseInvoice = {
  row: Omit<NewPurchaseInvoice['row'], 'number'>;
  lines: NewPurchaseInvoice['lines'];
  supplier: Row<'relation'>;
  project: Row<'project'> | null;
};

/**
 * A purchase invoice with its references and totals.
 * @param refuse takes every refusal
 * @returns undefined when it is refused
 */
export function readPurchaseInvoice(
  context: EndpointContext,
  references: References<'Supplier'>,
  input: PurchaseInvoiceInput,
  refuse: Refuse,
): ReadPurchaseInvoice | undefined {
  const { request, known } = input;
  const { check, accepted, isRefused } = collectRefusals(refuse);
  check(classificationErrors(context, input.lines));
  const date = request.InvoiceDate ?? context.today();
  check(references.dateErrors(date, 'InvoiceDate'));
  const supplier = accepted(references.party(input));
  const { accounts, errors } = ledgerAccounts(references, 'cost', input.lines, PATH);
  const { lines, errors: lineErrors } = bookkeepingLines(references, input.lines, PATH);
  check([...errors, ...lineErrors]);
  const project = accepted(references.project(request));
  if (isRefused() || supplier === undefined || project === undefined) return undefined;
  const amounts = lines.map(({ amount }) => amount);
  const totals = checkedTotals(amounts, 0n, PATH, refuse);
  if (totals === undefined) return undefined;
  const named = known?.supplier ?? { number: supplier.supplier_number, name: supplier.name };
  return {
    supplier,
    project,
    row: {
      date,
      due_date: request.InvoiceDueDate ?? context.today(),
      notes: request.InvoiceNotes ?? '',
      relation_id: supplier.id,
      relation_number: named.number,
      relation_name: named.name,
      project_id: project?.id ?? null,
      total_excl: totals.excl,
      total_tax: totals.tax,
      total_incl: totals.incl,
      outstanding: known?.outstanding ?? totals.incl,
      created_on: known?.createdOn ?? context.now(),
    },
    lines: lines.map(({ description, taxCodeId, amount }, index) => ({
      position: BigInt(index),
      description,
      ledger_account_number: accounts[index]!,
      tax_code_id: taxCodeId,
      tax_code: amount!.taxCode,
      tax_pc: amount!.rate,
      cost_center: input.lines[index]!.CostCenter ?? '',
      classification: input.lines[index]!.PurchaseClassification ?? '',
      subtotal_excl: totals.lines[index]!.excl,
      subtotal_incl: totals.lines[index]!.incl,
      tax: known?.taxes?.[index],
    })),
  };
}

const invoiceResponse = responding(purchaseInvoice, 'purchase_invoice');
const contactResponse = responding(relationContact, 'relation_contact');
const addressResponse = responding(salesInvoiceAddress, 'sales_invoice_address');

function purchaseInvoiceResponse(
  { row, supplier, project }: ReadPurchaseInvoice & NewPurchaseInvoice,
  contact: Row<'relation_contact'> | undefined,
): PurchaseInvoice {
  return {
    ...invoiceResponse(row),
    ProjectName: project?.name ?? '',
    ProjectNumber: String(project?.number ?? ''),
    PurchaseInvoice_Address: [addressResponse({ address_type: 'BillingAddress', ...supplier })],
    PurchaseInvoice_Contact:
      contact === undefined
        ? []
        : [{ ContactType: 'Invoice', ...contactResponse(contact), FamilyName: contact.last_name }],
  };
}

/** Only Belgian administrations distinguish goods, services and capital goods. */
function classificationErrors({ administration }: EndpointContext, lines: PurchaseInvoiceInput['lines']): FieldError[] {
  if (administration.country === 'BE') return [];
  return lines.flatMap((line, index) =>
    line.PurchaseClassification === undefined
      ? []
      : [fieldError(`${PATH}[${index}].PurchaseClassification`, 'ONLY_IN_BELGIUM')],
  );
}
