import {
  type Address,
  type ArticleLine,
  type Customer,
  DEFAULT_COLOR,
  type InvoiceDocument,
  type Issuer,
  type Language,
  type TextLine,
  vatTotals,
  withNet,
} from '../../../invoiceDocuments/invoiceDocument.ts';
import { vatCategoryOf } from '../../ledger/vatCategory.ts';
import { folded } from '../../sql/comparedText.ts';
import type { EndpointContext } from '../../sql/endpointContext.ts';
import type { Row } from '../../sql/schema.ts';
import type { NewSalesInvoice } from '../storeSalesInvoices.ts';

/** Sales invoices with everything their PDFs and e-invoices show, by id, in the order of the ids. */
export async function invoiceDocuments(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  ids: readonly bigint[],
): Promise<Map<bigint, InvoiceDocument>> {
  if (ids.length === 0) return new Map();
  const [invoices, lines, addresses, contacts, templates] = await Promise.all([
    db
      .selectFrom('sales_invoice')
      .innerJoin('relation', 'relation.id', 'sales_invoice.relation_id')
      .leftJoin('project', 'project.id', 'sales_invoice.project_id')
      .where('sales_invoice.id', 'in', ids)
      .where('sales_invoice.administration_id', '=', administration.id)
      .selectAll('sales_invoice')
      .select([
        'relation.is_business',
        'relation.email',
        'relation.vat_number',
        'relation.registration_number',
        'relation.language',
        'relation.country_code',
        'relation.template_invoice as relation_template',
        'project.name as project_name',
        'project.number as project_number',
      ])
      .execute(),
    db
      .selectFrom('sales_invoice_line')
      .leftJoin('product', 'product.id', 'sales_invoice_line.product_id')
      .leftJoin('tax_code', 'tax_code.id', 'sales_invoice_line.tax_code_id')
      .where('sales_invoice_id', 'in', ids)
      .orderBy('sales_invoice_id')
      .orderBy('position')
      .selectAll('sales_invoice_line')
      .select(['product.unit as unit', 'tax_code.tax_exempt', 'tax_code.vat_category'])
      .execute(),
    db.selectFrom('sales_invoice_address').where('sales_invoice_id', 'in', ids).orderBy('id').selectAll().execute(),
    db.selectFrom('sales_invoice_contact').where('sales_invoice_id', 'in', ids).orderBy('id').selectAll().execute(),
    db.selectFrom('document_template').where('administration_id', '=', administration.id).selectAll().execute(),
  ]);
  const credited = await creditedNumbers({ db, administration }, invoices);
  const linesOf = Map.groupBy(lines, (line) => line.sales_invoice_id);
  const addressesOf = Map.groupBy(addresses, (address) => address.sales_invoice_id);
  const contactsOf = Map.groupBy(contacts, (contact) => contact.sales_invoice_id);
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const documents = new Map<bigint, InvoiceDocument>();
  for (const id of ids) {
    const invoice = byId.get(id);
    if (invoice === undefined) continue;
    const document = invoiceDocument(administration, {
      invoice,
      lines: linesOf.get(id) ?? [],
      addresses: addressesOf.get(id) ?? [],
      contacts: contactsOf.get(id) ?? [],
      template: templateOf(templates, [invoice.template_invoice, invoice.relation_template]),
      credited: credited.get(id),
    });
    documents.set(id, document);
  }
  return documents;
}

/** What a document shows of its relation and its project. */
type OfOthers = Pick<
  Row<'relation'>,
  'is_business' | 'email' | 'vat_number' | 'registration_number' | 'language' | 'country_code'
> & { project_name: string | null; project_number: bigint | null };

type InvoiceParts = {
  invoice: Omit<NewSalesInvoice['row'], 'ogm'> & { ogm: string } & OfOthers;
  lines: readonly StoredLine[];
  addresses: NewSalesInvoice['addresses'];
  contacts: NewSalesInvoice['contacts'];
  template?: Row<'document_template'> | undefined;
  /** The invoice that it credits. */
  credited: string | undefined;
};

/** An invoice as its PDF and its e-invoice show it, from its rows. */
export function invoiceDocument(
  administration: Row<'administration'>,
  { invoice, lines, addresses, contacts, template, credited }: InvoiceParts,
): InvoiceDocument {
  const billing = addresses.find(({ address_type }) => address_type === 'BillingAddress');
  const shipping = addresses.find(({ address_type }) => address_type === 'ShippingAddress');
  const contact = contacts.find(({ contact_type }) => contact_type === 'Invoice');
  const address = addressOf(billing, invoice.country_code);
  const delivery = shipping === undefined ? address : addressOf(shipping, invoice.country_code);
  const customer: Customer = {
    name: invoice.customer_name,
    number: invoice.customer_number === null ? '' : String(invoice.customer_number),
    isBusiness: invoice.is_business === 1n,
    contact: [contact?.first_name, contact?.last_name].filter(Boolean).join(' '),
    email: invoice.email,
    address,
    vatNumber: invoice.vat_number,
    registrationNumber: invoice.registration_number,
  };
  const ofDocument = lines.map((row) => documentLine(row, invoice.discount_pc));
  return {
    number: String(invoice.number),
    isDraft: invoice.is_draft === 1n,
    date: invoice.date,
    dueDate: invoice.due_date,
    reference: invoice.reference,
    credited: credited ?? invoice.reference,
    project:
      invoice.project_name === null
        ? null
        : { number: String(invoice.project_number ?? ''), name: invoice.project_name },
    issuer: issuerOf(administration),
    customer,
    delivery: sameAddress(delivery, address) ? null : delivery,
    lines: ofDocument,
    discountPercentage: invoice.discount_pc,
    vat: vatTotals(ofDocument.filter((line) => line.kind === 'article')),
    excl: invoice.total_excl,
    tax: invoice.total_tax,
    incl: invoice.total_incl,
    ogm: invoice.ogm,
    notes: invoice.notes,
    language: languageOf(invoice.language || template?.language, address.countryCode),
    template: {
      color: template?.color || DEFAULT_COLOR,
      logo: template?.logo ? Buffer.from(template.logo, 'base64') : null,
      textBefore: template?.text_before ?? '',
      textAfter: template?.text_after ?? '',
      paymentText: template?.payment_text ?? '',
    },
  };
}

const issuerOf = (administration: Row<'administration'>): Issuer => ({
  name: administration.name,
  address: addressOf(administration, administration.country),
  vatNumber: administration.vat_number,
  companyNumber: administration.company_number,
  iban: administration.iban,
  bic: administration.bic,
  email: administration.email,
  phone: administration.phone,
});

type StoredAddress = Pick<Row<'administration'>, 'street' | 'unit' | 'unit_appendix' | 'postal_code' | 'city'> & {
  country_code?: string;
};

/** @param country for an address without one */
const addressOf = (stored: StoredAddress | undefined, country: string): Address => ({
  street: stored?.street ?? '',
  unit: stored?.unit ?? '',
  unitAppendix: stored?.unit_appendix ?? '',
  postalCode: stored?.postal_code ?? '',
  city: stored?.city ?? '',
  countryCode: (stored?.country_code || country).toUpperCase(),
});

const sameAddress = (one: Address, other: Address): boolean =>
  (Object.keys(one) as (keyof Address)[]).every((part) => one[part] === other[part]);

/** The first of the named templates that exists; else the default one. */
export function templateOf(
  templates: readonly Row<'document_template'>[],
  names: readonly string[],
): Row<'document_template'> | undefined {
  for (const name of names) {
    const found = templates.find(({ name_folded }) => name !== '' && name_folded === folded(name));
    if (found !== undefined) return found;
  }
  return templates.find(({ is_default }) => is_default === 1n);
}

function languageOf(chosen: string | undefined, country: string): Language {
  if (chosen === 'nl' || chosen === 'fr' || chosen === 'en') return chosen;
  if (['NL', 'BE'].includes(country)) return 'nl';
  return ['FR', 'LU', 'MC'].includes(country) ? 'fr' : 'en';
}

type StoredLine = NewSalesInvoice['lines'][number] & {
  unit: string | null;
  tax_exempt: bigint | null;
  vat_category: string | null;
};

function documentLine(row: StoredLine, discount: bigint): TextLine | ArticleLine {
  if (row.is_text === 1n) return { kind: 'text', category: row.text_category, description: row.description };
  const article: Omit<ArticleLine, 'net'> = {
    kind: 'article',
    description: row.description,
    productNumber: row.product_number,
    ean: row.product_ean,
    quantity: row.quantity,
    unit: row.unit ?? '',
    unitPrice: row.unit_price,
    discountPercentage: row.discount_pc,
    taxCode: row.tax_code,
    category: vatCategoryOf({
      percentage: row.tax_pc,
      tax_exempt: row.tax_exempt ?? 0n,
      vat_category: row.vat_category ?? '',
    }),
    rate: row.tax_pc,
    excl: row.subtotal_excl,
    tax: row.subtotal_incl - row.subtotal_excl,
    deliveryDate: row.delivery_date,
  };
  return withNet(article, discount);
}

type Credit = Pick<Row<'sales_invoice'>, 'id' | 'number' | 'relation_id' | 'reference' | 'total_incl'>;

/** The invoice that a credit refers to: the first number in its reference that is an invoice of the same customer. */
export async function creditedNumbers(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  invoices: readonly Credit[],
): Promise<Map<bigint, string>> {
  const named = invoices.flatMap(({ id, number, relation_id, reference, total_incl }) =>
    total_incl >= 0n
      ? []
      : [...reference.matchAll(/\d{1,18}/g)].map(([digits]) => ({ id, number, relation_id, named: BigInt(digits) })),
  );
  if (named.length === 0) return new Map();
  const found = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administration.id)
    .where('number', 'in', [...new Set(named.map((one) => one.named))])
    .where('relation_id', 'in', [...new Set(named.map(({ relation_id }) => relation_id))])
    .select(['number', 'relation_id'])
    .execute();
  const isInvoice = new Set(found.map(({ number, relation_id }) => `${relation_id} ${number}`));
  const credited = named.filter((one) => one.named !== one.number && isInvoice.has(`${one.relation_id} ${one.named}`));
  // Reversed, so that the first number of each remains in the map.
  return new Map(credited.reverse().map((one) => [one.id, String(one.named)]));
}
