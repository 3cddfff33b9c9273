import type * as z from 'zod/mini';
import type { DocumentTotals, LineTotals } from '../../../../shared/documentTotals.ts';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import type { articleLineFields } from '../../../../shared/resources/document.ts';
import type { SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { dateAfter } from '../../../../shared/wire/calendarDate.ts';
import { articleLineRow, articleLines, type KnownLine } from '../documentParts/articleLines.ts';
import { bookkeepingLines } from '../documentParts/bookkeepingLines.ts';
import { checkedTotals } from '../documentParts/checkedTotals.ts';
import {
  collectRefusals,
  findReferences,
  type References,
  type Refuse,
  throwAll,
} from '../documentParts/references.ts';
import { ledgerAccounts } from '../ledger/ledgerAccounts.ts';
import { documentAddresses } from '../relations/addresses.ts';
import { documentContact } from '../relations/party.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { type Decimal8, flag, type Row, type Seconds } from '../sql/schema.ts';
import { readRemittance } from './remittance.ts';
import type { NewSalesInvoice } from './storeSalesInvoices.ts';

type LineInput = Partial<z.output<z.ZodMiniObject<ReturnType<typeof articleLineFields>>>> & {
  CostCenter?: string | undefined;
  LedgerAccountNumber?: string | undefined;
};

export type SalesInvoiceInput = {
  module: 'INVOICING' | 'BOOKKEEPING';
  request: Partial<Omit<SalesInvoiceAddition, 'Invoice_InvoiceLine'>>;
  lines: readonly LineInput[];
  /** The customer, if it is known already. */
  party?: Row<'relation'> | undefined;
  known?: KnownSalesInvoice;
};

/** The known values of an imported invoice; a new one gets them here. An imported invoice does not change the stock. */
type KnownSalesInvoice = {
  /** The customer's name at that time. */
  customer?: { number: bigint | null; name: string } | undefined;
  isSent: boolean;
  createdOn: Seconds;
  salesOrderId: bigint | null;
  /** Left out: as for a new invoice. */
  ogm?: string | undefined;
  lines: readonly Pick<
    NewSalesInvoice['lines'][number],
    'text_category' | 'use_article_price' | 'delivery_date' | 'warehouse' | 'shelf' | 'batch'
  >[];
  /** Its totals, with those of each line (ignored for a text line); left out: computed from its lines. */
  amounts?: DocumentTotals<KnownLine & SalesLineTotals> | undefined;
};
type SalesLineTotals = Omit<LineTotals, 'exclBeforeDiscount' | 'inclAfterLineDiscount' | 'tax'>;

/** An invoice without a number; a missing remittance is made from the number later. */
export type ReadSalesInvoice = Omit<NewSalesInvoice, 'row'> & {
  row: Omit<NewSalesInvoice['row'], 'number' | 'ogm'> & { ogm: string | undefined };
  relation: Row<'relation'>;
  sold: { product: Row<'product'>; quantity: Decimal8 }[];
};

const PATH = 'Invoice_InvoiceLine';

/**
 * An invoice with its references and totals. New addresses are added to the relation.
 * @param refuse takes every refusal, except of the number
 * @returns undefined when it is refused
 */
export async function readSalesInvoice(
  context: EndpointContext,
  references: References<'Customer'>,
  input: SalesInvoiceInput,
  refuse: Refuse,
): Promise<ReadSalesInvoice | undefined> {
  const { module, request, known } = input;
  const { check, accepted, isRefused } = collectRefusals(refuse);
  const relation = accepted(references.party(input));
  const { lines, errors: lineErrors } = readLines(references, input);
  // A text line has no account, but an imported one may have.
  const accountLines = input.lines.map((line) =>
    known !== undefined && line.LedgerAccountNumber !== undefined ? { ...line, IsTextLine: false } : line,
  );
  const { accounts, errors } = ledgerAccounts(references, 'revenue', accountLines, PATH);
  if (module === 'INVOICING') check(lineErrors);
  check(module === 'INVOICING' ? errors : [...errors, ...lineErrors]);
  const discount = units(request.InvoiceDiscountPc ?? '0', DECIMAL_SCALE);
  const amounts = lines.map(({ amount }) => amount);
  const totals = lineErrors.length > 0 ? undefined : (known?.amounts ?? checkedTotals(amounts, discount, PATH, check));
  const date = request.InvoiceDate ?? context.today();
  // Due days have precedence over a due date; without either, the default payment days are used.
  const usesDefaultPaymentDays = module === 'INVOICING' && known === undefined && request.InvoiceDueDate == null;
  const dueDays = request.InvoiceDueDays || (usesDefaultPaymentDays ? Number(context.administration.payment_days) : 0);
  const dueDate = dueDays ? dateAfter(date, dueDays) : (request.InvoiceDueDate ?? null);
  if (dueDate === undefined) check([fieldError('InvoiceDueDays', 'DUE_DATE_TOO_LATE')]);
  // A draft is not booked.
  if (!request.AddAsDraft) {
    const path = request.PeriodicInvoiceTemplate ? 'Periodic_StartingDate' : 'InvoiceDate';
    check(references.dateErrors(date, path));
  }
  const isBelgian = relation?.country_code.toUpperCase() === 'BE';
  const remittance = request.OGM_Belgium === undefined || !isBelgian ? undefined : readRemittance(request.OGM_Belgium);
  if (isBelgian && request.OGM_Belgium !== undefined && remittance === undefined) {
    check([fieldError('OGM_Belgium', 'NOT_OGM', { ogm: request.OGM_Belgium })]);
  }
  const project = accepted(references.project(request));
  if (isRefused() || relation === undefined || totals === undefined || project === undefined) return undefined;

  const addresses = await documentAddresses(context, relation, request.Invoice_Address ?? [], 'Invoice_Address');
  const customer = known?.customer ?? { number: relation.customer_number, name: relation.name };
  return {
    relation,
    project,
    row: {
      module,
      is_draft: flag(request.AddAsDraft ?? false),
      date,
      due_date: dueDate ?? null,
      notes: request.InvoiceNotes ?? '',
      reference: request.InvoiceReference ?? '',
      packing_slip_notes: request.PackingSlipNotes ?? '',
      relation_id: relation.id,
      customer_number: customer.number,
      customer_name: customer.name,
      project_id: project?.id ?? null,
      discount_pc: discount,
      total_excl: totals.excl,
      total_tax: totals.tax,
      total_incl: totals.incl,
      outstanding: totals.incl,
      is_sent: flag(known?.isSent ?? false),
      ogm: known?.ogm ?? (isBelgian ? remittance : ''),
      email_to_customer: flag(request.EmailToCustomer ?? false),
      template_invoice: request.TemplateName_Invoice ?? '',
      template_email: request.TemplateName_Email ?? '',
      sales_order_id: known?.salesOrderId ?? null,
      moves_stock: flag(module === 'INVOICING' && known === undefined),
      created_on: known?.createdOn ?? context.now(),
    },
    lines: lines.map((line, index) => {
      const total = line.amount === null ? null : totals.lines[index];
      return {
        ...invoiceLineRow(line, total, known?.amounts?.lines[index]),
        ledger_account_number: accounts[index]!,
        cost_center: input.lines[index]!.CostCenter ?? '',
        delivery_date: null,
        warehouse: '',
        shelf: '',
        batch: '',
        ...known?.lines[index],
      };
    }),
    addresses: module === 'INVOICING' ? addresses : addresses.filter(isBilling),
    contacts: contactsOf(references.contact(relation.id), module, known !== undefined),
    sold: lines.flatMap(({ product, amount }) =>
      product === null || amount === null ? [] : [{ product, quantity: amount.quantity }],
    ),
  };
}

/**
 * The invoice of one request.
 * @param party left out: the customer that the request names
 * @throws Problem INVALID_REQUEST naming the field
 */
export async function readOneSalesInvoice(
  context: EndpointContext,
  module: SalesInvoiceInput['module'],
  request: SalesInvoiceInput['request'] & { Invoice_InvoiceLine: SalesInvoiceInput['lines'] },
  party?: Row<'relation'>,
): Promise<ReadSalesInvoice> {
  const input = { module, request, lines: request.Invoice_InvoiceLine, party };
  const references = await findReferences(context, 'Customer', [input]);
  return (await readSalesInvoice(context, references, input, throwAll))!;
}

/** The columns of a line that follow from its product, its tax code and its amount. */
export const invoiceLineRow = (
  line: Parameters<typeof articleLineRow>[0],
  totals: SalesLineTotals | null | undefined,
  known?: KnownLine,
) => ({
  ...articleLineRow(line, totals, known),
  tax_code_id: line.taxCodeId,
  subtotal_incl_before_discount: totals?.inclBeforeDiscount ?? 0n,
  subtotal_incl: totals?.incl ?? 0n,
  subtotal_excl: totals?.excl ?? 0n,
});

const isBilling = ({ address_type }: { address_type: string }): boolean => address_type === 'BillingAddress';

function readLines(references: References<'Customer'>, { module, lines, known }: SalesInvoiceInput) {
  const amounts = known?.amounts?.lines;
  if (module === 'BOOKKEEPING') return bookkeepingLines(references, lines, PATH, amounts);
  const articles = lines.map((line) => ({ IsTextLine: false, UseArticlePrice: false, ...line }));
  return articleLines(references, articles as Parameters<typeof articleLines>[1], PATH, amounts);
}

function contactsOf(
  contact: Row<'relation_contact'> | undefined,
  module: SalesInvoiceInput['module'],
  isKnown: boolean,
): NewSalesInvoice['contacts'] {
  if (contact === undefined) return [];
  const types = module === 'INVOICING' && !isKnown ? (['Invoice', 'PackingSlip'] as const) : (['Invoice'] as const);
  return types.map((contact_type) => ({ contact_type, ...documentContact(contact) }));
}
