import type { z } from 'zod';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import type { articleLineFields } from '../../../../shared/resources/document.ts';
import type { SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { addDays } from '../../../../shared/wire/calendarDate.ts';
import { articleLines, type KnownLine } from '../documents/articleLines.ts';
import { bookkeepingLines } from '../documents/bookkeepingLines.ts';
import { checkedTotals } from '../documents/checkedTotals.ts';
import type { AmountLine, TaxTotals } from '../documents/documentTotals.ts';
import type { References, Refuse } from '../documents/references.ts';
import { ledgerAccounts } from '../ledger/ledgerAccounts.ts';
import { documentAddresses } from '../relations/addresses.ts';
import { documentContact } from '../relations/party.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Cents, Decimal8, Row, Seconds } from '../sql/schema.ts';
import { readRemittance } from './remittance.ts';
import type { InvoiceTotals, NewSalesInvoice } from './storeSalesInvoices.ts';

type LineInput = Partial<z.output<z.ZodObject<typeof articleLineFields>>> & {
  CostCenter?: string | undefined;
  LedgerAccountNumber?: string | undefined;
};

/** A sales invoice of either module from a request. */
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
    'textCategory' | 'useArticlePrice' | 'deliveryDate' | 'warehouse' | 'shelf' | 'batch'
  >[];
  /** Its totals; left out: computed from its lines. */
  amounts?:
    | {
        /** One for each line; ignored for a text line. */
        lines: readonly (KnownLine & { totals: InvoiceTotals['lines'][number] })[];
        excl: Cents;
        tax: Cents;
        incl: Cents;
      }
    | undefined;
};

/** An invoice without a number; a missing remittance is made from the number later. */
export type ReadSalesInvoice = Omit<NewSalesInvoice, 'number' | 'ogm'> & {
  ogm: string | undefined;
  customer: NewSalesInvoice['customer'] & { relation: Row<'relation'> };
  /** The sold products. */
  sold: { product: Row<'product'>; quantity: Decimal8 }[];
};

const PATH = 'Invoice_InvoiceLine';

/**
 * An invoice with its references and totals. New addresses are added to the relation.
 * @param refuse takes every refusal, except of the number
 * @returns undefined when it is refused
 */
export async function readSalesInvoice(
  scope: EndpointContext,
  references: References<'Customer'>,
  given: SalesInvoiceInput,
  refuse: Refuse,
): Promise<ReadSalesInvoice | undefined> {
  const { module, request, known } = given;
  let isRefused = false;
  const check: Refuse = (errors) => {
    isRefused ||= errors.length > 0;
    refuse(errors);
  };
  const relation = references.party(given);
  if ('path' in relation) check([relation]);
  const lines = readLines(references, given);
  // A text line has no account, but an imported one may have.
  const named = given.lines.map((line) =>
    known !== undefined && line.LedgerAccountNumber !== undefined ? { ...line, IsTextLine: false } : line,
  );
  const { accounts, errors } = ledgerAccounts(references, 'revenue', named, PATH);
  if (module === 'INVOICING') check(lines.errors);
  check(module === 'INVOICING' ? errors : [...errors, ...lines.errors]);
  const discount = units(request.InvoiceDiscountPc ?? '0', DECIMAL_SCALE);
  const amounts = lines.lines.map(({ amount }) => amount);
  let totals: InvoiceTotals | undefined;
  if (lines.errors.length === 0) {
    const computed = known?.amounts === undefined ? checkedTotals(amounts, discount, PATH) : undefined;
    if (computed !== undefined) check(computed.errors);
    totals = computed?.totals ?? knownTotals(amounts, known!.amounts!);
  }
  const date = request.InvoiceDate ?? scope.today();
  // Due days have precedence over a due date; without either, the default payment days are used.
  const usesDefaultPaymentDays = module === 'INVOICING' && known === undefined && request.InvoiceDueDate == null;
  const dueDays = request.InvoiceDueDays || (usesDefaultPaymentDays ? Number(scope.administration.payment_days) : 0);
  const dueDate = dueDays ? addDays(date, dueDays) : (request.InvoiceDueDate ?? null);
  if (dueDate?.startsWith('+')) check([fieldError('InvoiceDueDays', 'DUE_DATE_TOO_LATE')]);
  // A draft is not booked.
  if (!request.AddAsDraft) {
    const path = request.PeriodicInvoiceTemplate ? 'Periodic_StartingDate' : 'InvoiceDate';
    check([references.dateRefusal(date, path) ?? []].flat());
  }
  const isBelgian = 'id' in relation && relation.country_code.toUpperCase() === 'BE';
  const remittance = request.OGM_Belgium === undefined || !isBelgian ? undefined : readRemittance(request.OGM_Belgium);
  if (isBelgian && request.OGM_Belgium !== undefined && remittance === undefined) {
    check([fieldError('OGM_Belgium', 'NOT_OGM', { ogm: request.OGM_Belgium })]);
  }
  const project = references.project(request);
  if (project !== null && 'path' in project) check([project]);
  if (isRefused || 'path' in relation || totals === undefined || (project !== null && 'path' in project)) {
    return undefined;
  }

  const addresses = await documentAddresses(scope, relation, request.Invoice_Address ?? [], 'Invoice_Address');
  return {
    module,
    isDraft: request.AddAsDraft ?? false,
    date,
    dueDate,
    notes: request.InvoiceNotes ?? '',
    reference: request.InvoiceReference ?? '',
    packingSlipNotes: request.PackingSlipNotes ?? '',
    customer: {
      relation,
      id: relation.id,
      ...(known?.customer ?? { number: relation.customer_number, name: relation.name }),
    },
    project,
    discount,
    totals,
    outstanding: totals.incl,
    isSent: known?.isSent ?? false,
    ogm: known?.ogm ?? (isBelgian ? remittance : ''),
    emailToCustomer: request.EmailToCustomer ?? false,
    templateInvoice: request.TemplateName_Invoice ?? '',
    templateEmail: request.TemplateName_Email ?? '',
    salesOrderId: known?.salesOrderId ?? null,
    movesStock: module === 'INVOICING' && known === undefined,
    createdOn: known?.createdOn ?? scope.now(),
    lines: lines.lines.map(({ product, ...line }, index) => ({
      deliveryDate: null,
      warehouse: '',
      shelf: '',
      batch: '',
      ...line,
      ...known?.lines[index],
      product:
        product === null
          ? null
          : {
              id: product.id,
              articleNumber: known?.amounts?.lines[index]?.productNumber ?? product.article_number,
              ean: known?.amounts === undefined ? product.ean : (known.amounts.lines[index]!.productEan ?? ''),
            },
      ledgerAccountNumber: accounts[index]!,
      costCenter: given.lines[index]!.CostCenter ?? '',
    })),
    addresses: module === 'INVOICING' ? addresses : addresses.filter(isBilling),
    contacts: contactsOf(references.contact(relation.id), module, known !== undefined),
    sold: lines.lines.flatMap(({ product, amount }) =>
      product === null || amount === null ? [] : [{ product, quantity: amount.quantity }],
    ),
  };
}

const isBilling = ({ address_type }: { address_type: string }): boolean => address_type === 'BillingAddress';

function readLines(references: References<'Customer'>, { module, lines, known }: SalesInvoiceInput) {
  const amounts = known?.amounts?.lines;
  if (module === 'INVOICING') {
    const given = lines.map((line) => ({ IsTextLine: false, UseArticlePrice: false, ...line }));
    return articleLines(references, given as Parameters<typeof articleLines>[1], PATH, amounts);
  }
  const read = bookkeepingLines(references, lines, PATH, amounts);
  return {
    errors: read.errors,
    lines: read.lines.map((line, index) => ({
      ...line,
      product: null,
      description: lines[index]!.Description ?? '',
      textCategory: '',
      useArticlePrice: false,
    })),
  };
}

/** The totals of an imported invoice, with its tax for each code. */
function knownTotals(
  amounts: readonly (AmountLine | null)[],
  { lines, ...totals }: NonNullable<KnownSalesInvoice['amounts']>,
): InvoiceTotals {
  const perTaxCode = new Map<string, TaxTotals>();
  const priced = amounts.flatMap((amount, index) => {
    if (amount === null) return [];
    const { excl, incl } = lines[index]!.totals;
    const { taxCode, rate } = amount;
    const { base, tax } = perTaxCode.get(taxCode) ?? { base: 0n, tax: 0n };
    perTaxCode.set(taxCode, { taxCode, rate, base: base + excl, tax: tax + incl - excl });
    return lines[index]!.totals;
  });
  return { ...totals, lines: priced, perTaxCode: [...perTaxCode.values()] };
}

function contactsOf(
  contact: Row<'relation_contact'> | undefined,
  module: SalesInvoiceInput['module'],
  isKnown: boolean,
): NewSalesInvoice['contacts'] {
  if (contact === undefined) return [];
  if (!isKnown) {
    const types = module === 'INVOICING' ? (['Invoice', 'PackingSlip'] as const) : (['Invoice'] as const);
    return types.map((contact_type) => ({ contact_type, ...documentContact(contact) }));
  }
  const last_name = [contact.preposition, contact.last_name].filter((part) => part !== '').join(' ');
  return [{ contact_type: 'Invoice', ...documentContact(contact), last_name }];
}
