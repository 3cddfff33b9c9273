import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { decimalText, MONEY_SCALE } from '../../../../shared/money.ts';
import type { PurchaseInvoice, PurchaseTransactionAddition } from '../../../../shared/resources/purchaseInvoice.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { throwAll } from '../documents/articleLines.ts';
import { keepAttachments, readyFile } from '../documents/attachments.ts';
import { bookkeepingAmount, bookkeepingLines } from '../documents/bookkeepingLines.ts';
import { checkedTotals } from '../documents/checkedTotals.ts';
import { givenNumber, nextNumber } from '../documents/numbering.ts';
import { book, purchasePostings } from '../ledger/journal.ts';
import { findProject } from '../projects/project.ts';
import { findParty, mainContact } from '../relations/party.ts';
import { insertRows } from '../sql/insertRows.ts';
import { type Scope, writing } from '../sql/scope.ts';

/**
 * Books a purchase invoice.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addPurchaseTransaction(
  scope: Scope,
  request: PurchaseTransactionAddition,
): Promise<PurchaseInvoice[]> {
  const files = await readyFile(scope, request.InvoiceFileUrl, bookkeepingFiles);
  return writing(scope, async (inside) => {
    const { db, administration } = inside;
    throwAll(classificationErrors(inside, request));
    const supplier = await findParty(inside, 'Supplier', request);
    const lines = await bookkeepingLines(inside, 'Purchase', request.Invoice_InvoiceLine, 'Invoice_InvoiceLine');
    const by = { project: request.InvoiceProject, by: request.SelectProjectBy };
    const projectId = await findProject(inside, by, 'InvoiceProject');
    const totals = checkedTotals(lines.map(bookkeepingAmount), 0n, 'Invoice_InvoiceLine');
    const date = request.InvoiceDate ?? inside.today();
    const dueDate = request.InvoiceDueDate ?? inside.today();
    const given = request.PurchaseInvoiceNumber;
    // A number that is given is the supplier's affair: it may come twice, and our own go on without it.
    const number =
      given === undefined
        ? await nextNumber(db, administration.id, 'purchase_invoice')
        : givenNumber(given, 'PurchaseInvoiceNumber');
    const { id } = await db
      .insertInto('purchase_invoice')
      .values({
        administration_id: administration.id,
        number,
        date,
        due_date: dueDate,
        notes: request.InvoiceNotes ?? '',
        relation_id: supplier.id,
        relation_number: supplier.supplier_number,
        relation_name: supplier.name,
        project_id: projectId,
        total_excl: totals.excl,
        total_tax: totals.tax,
        total_incl: totals.incl,
        outstanding: totals.incl,
        created_on: inside.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertRows(
      db,
      'purchase_invoice_line',
      lines.map(({ given, taxCode, account, costCenter }, index) => ({
        purchase_invoice_id: id,
        position: BigInt(index),
        description: given.Description ?? '',
        ledger_account_number: account,
        tax_code_id: taxCode.id,
        tax_code: taxCode.code,
        tax_pc: taxCode.percentage,
        cost_center: costCenter,
        classification: given.PurchaseClassification ?? '',
        subtotal_excl: totals.lines[index]!.excl,
        subtotal_incl: totals.lines[index]!.incl,
      })),
    );
    await book(db, administration.id, [
      {
        journal: 'purchases',
        document: { purchase_invoice_id: id },
        date,
        description: `${number} ${supplier.name}`,
        createdOn: inside.now(),
        postings: purchasePostings(
          administration,
          totals,
          lines.map(({ account }, index) => ({ account, excl: totals.lines[index]!.excl })),
        ),
      },
    ]);
    await keepAttachments(inside, { purchase_invoice_id: id }, files);

    const contact = await mainContact(inside, supplier.id);
    const project =
      projectId === null
        ? undefined
        : await db.selectFrom('project').where('id', '=', projectId).selectAll().executeTakeFirstOrThrow();
    const money = (cents: bigint) => decimalText(cents, MONEY_SCALE);
    return [
      {
        InvoiceNumber: String(number),
        InvoiceDate: date,
        InvoiceDueDate: dueDate,
        InvoiceNotes: request.InvoiceNotes ?? '',
        ProjectName: project?.name ?? '',
        ProjectNumber: project === undefined ? '' : String(project.number),
        InvoiceTotalExclTax: money(totals.excl),
        InvoiceTotalInclTax: money(totals.incl),
        InvoiceTaxAmount: money(totals.tax),
        InvoiceOutstandingAmount: money(totals.incl),
        SupplierNumber: supplier.supplier_number === null ? null : Number(supplier.supplier_number),
        SupplierName: supplier.name,
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
      },
    ];
  });
}

/** Goods, services and capital goods are told apart in Belgium only. */
function classificationErrors({ administration }: Scope, request: PurchaseTransactionAddition): FieldError[] {
  if (administration.country === 'BE') return [];
  return request.Invoice_InvoiceLine.flatMap((line, index) =>
    line.PurchaseClassification === undefined
      ? []
      : [fieldError(`Invoice_InvoiceLine[${index}].PurchaseClassification`, 'ONLY_IN_BELGIUM')],
  );
}
