import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { decimalText, MONEY_SCALE } from '../../../../shared/money.ts';
import type { PurchaseInvoice, PurchaseTransactionAddition } from '../../../../shared/resources/purchaseInvoice.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { type FileContext, givenFile, storeAttachments, writingWithFiles } from '../documents/attachments.ts';
import { bookkeepingLines } from '../documents/bookkeepingLines.ts';
import { checkedTotals } from '../documents/checkedTotals.ts';
import { nextNumber, requestedNumber } from '../documents/numbering.ts';
import { findReferences, type References, type Refuse, throwAll } from '../documents/references.ts';
import { ledgerAccounts } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Cents, Row } from '../sql/schema.ts';
import { type NewPurchaseInvoice, storePurchaseInvoices } from './storePurchaseInvoices.ts';

/** A purchase invoice from a request. */
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
  };
};

/**
 * Books a purchase invoice.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addPurchaseTransaction(
  scope: FileContext,
  request: PurchaseTransactionAddition,
): Promise<PurchaseInvoice[]> {
  const file = givenFile(request.InvoiceFileUrl, bookkeepingFiles);
  return writingWithFiles(scope, file, async (inside, files) => {
    const given = { request, lines: request.Invoice_InvoiceLine };
    const references = await findReferences(inside, 'Supplier', [given]);
    const read = readPurchaseInvoice(inside, references, given, throwAll)!;
    // A supplied number is the supplier's: it need not be unique, and does not affect our own numbering.
    const number =
      request.PurchaseInvoiceNumber === undefined
        ? await nextNumber(inside.db, inside.administration.id, 'purchase_invoice')
        : requestedNumber(request.PurchaseInvoiceNumber, 'PurchaseInvoiceNumber');
    const [id] = await storePurchaseInvoices(inside, [{ ...read, number }]);
    await storeAttachments(inside, { purchase_invoice_id: id! }, files);
    return [purchaseInvoiceAnswer({ ...read, number }, references.contact(read.supplier.id))];
  });
}

const PATH = 'Invoice_InvoiceLine';

/**
 * A purchase invoice with its references and totals.
 * @param refuse takes every refusal
 * @returns undefined when it is refused
 */
export function readPurchaseInvoice(
  scope: EndpointContext,
  references: References<'Supplier'>,
  given: PurchaseInvoiceInput,
  refuse: Refuse,
): Omit<NewPurchaseInvoice, 'number'> | undefined {
  const { request, known } = given;
  let isRefused = false;
  const check: Refuse = (errors) => {
    isRefused ||= errors.length > 0;
    refuse(errors);
  };
  check(classificationErrors(scope, given.lines));
  const supplier = references.party(given);
  if ('path' in supplier) check([supplier]);
  const { accounts, errors } = ledgerAccounts(references, 'cost', given.lines, PATH);
  const lines = bookkeepingLines(references, given.lines, PATH);
  check([...errors, ...lines.errors]);
  const project = references.project(request);
  if (project !== null && 'path' in project) check([project]);
  if (isRefused || 'path' in supplier || (project !== null && 'path' in project)) return undefined;
  const amounts = lines.lines.map(({ amount }) => amount!);
  const { totals, errors: tooLarge } = checkedTotals(amounts, 0n, PATH);
  check(tooLarge);
  if (isRefused) return undefined;
  return {
    date: request.InvoiceDate ?? scope.today(),
    dueDate: request.InvoiceDueDate ?? scope.today(),
    notes: request.InvoiceNotes ?? '',
    supplier,
    named: known?.supplier ?? { number: supplier.supplier_number, name: supplier.name },
    project,
    totals,
    outstanding: known?.outstanding ?? totals.incl,
    createdOn: known?.createdOn ?? scope.now(),
    lines: given.lines.map((line, index) => ({
      description: line.Description ?? '',
      account: accounts[index]!,
      taxCodeId: lines.lines[index]!.taxCodeId!,
      amount: amounts[index]!,
      costCenter: line.CostCenter ?? '',
      classification: line.PurchaseClassification ?? '',
    })),
  };
}

/** The answer of a purchase invoice. */
function purchaseInvoiceAnswer(
  { supplier, named, project, totals, ...invoice }: NewPurchaseInvoice,
  contact: Row<'relation_contact'> | undefined,
): PurchaseInvoice {
  const money = (cents: bigint) => decimalText(cents, MONEY_SCALE);
  return {
    InvoiceNumber: String(invoice.number),
    InvoiceDate: invoice.date,
    InvoiceDueDate: invoice.dueDate,
    InvoiceNotes: invoice.notes,
    ProjectName: project?.name ?? '',
    ProjectNumber: project === null ? '' : String(project.number),
    InvoiceTotalExclTax: money(totals.excl),
    InvoiceTotalInclTax: money(totals.incl),
    InvoiceTaxAmount: money(totals.tax),
    InvoiceOutstandingAmount: money(invoice.outstanding),
    SupplierNumber: named.number === null ? null : Number(named.number),
    SupplierName: named.name,
    PurchaseInvoice_Address: [
      {
        Address_CountryCode: supplier.country_code,
        Address_PostalCode: supplier.postal_code,
        Address_Street: supplier.street,
        Address_Unit: supplier.unit,
        Address_City: supplier.city,
        Address_UnitAppendix: supplier.unit_appendix,
        AddressType: 'BillingAddress',
      },
    ],
    PurchaseInvoice_Contact:
      contact === undefined
        ? []
        : [
            {
              ContactType: 'Invoice',
              FirstName: contact.first_name,
              LastName: contact.last_name,
              FamilyName: contact.last_name,
              Preposition: contact.preposition,
              Phone: contact.phone,
              Email: contact.email,
              Sex: contact.sex,
              ContactNotes: contact.notes,
              DefaultContact: contact.is_default === 1n,
            },
          ],
  };
}

/** Only Belgian administrations distinguish goods, services and capital goods. */
function classificationErrors({ administration }: EndpointContext, lines: PurchaseInvoiceInput['lines']): FieldError[] {
  if (administration.country === 'BE') return [];
  return lines.flatMap((line, index) =>
    line.PurchaseClassification === undefined
      ? []
      : [fieldError(`Invoice_InvoiceLine[${index}].PurchaseClassification`, 'ONLY_IN_BELGIUM')],
  );
}
