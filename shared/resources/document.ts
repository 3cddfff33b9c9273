import * as z from 'zod/mini';
import { refusal } from '../fieldErrors.ts';
import * as field from '../wire/field.ts';
import { codeOfIssue, listOf, refuseMember } from '../wire/issues.ts';
import * as response from '../wire/response.ts';
import { productNames } from './product.ts';

/*
 * The parts that orders, sales invoices and purchase invoices share: in requests the party, lines, addresses and
 * attachments, in responses addresses and contacts.
 */

export const MAX_LINES = 75;
export const MAX_REFERENCE_LENGTH = 150;
/** The most bytes of an attachment. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** The most characters of its content: base64 with a line break after every 76, and a reserve. */
const MAX_FILE_CONTENT_LENGTH = Math.ceil(MAX_ATTACHMENT_BYTES * 1.4);
/** The most attachments of a document, which are all in memory. */
const MAX_ATTACHMENTS = 20;

/** Addresses of a document: it has one of each type. */
const MAX_ADDRESSES = 10;
/** The most characters of an attachment's name in a request, with any folders before it. */
const MAX_FILE_PATH = 1000;
/** The most characters of a download address. */
const MAX_URL = 2000;

export const percentage = (written: { form?: 'number' | 'string' } = {}) =>
  field.decimal({ min: 0, max: 100, ...written });

/** The fields that name a party: the number has precedence over name and e-mail; 0 and "" count as left out. */
export const partyFields = <Role extends 'Customer' | 'Supplier'>(role: Role) =>
  ({
    [`${role}Number`]: field.optional(field.integer({ min: 0 })),
    [`${role}Name`]: field.optionalText(),
    [`${role}Email`]: field.optionalText(),
  }) as Record<`${Role}Number`, ReturnType<typeof optionalInteger>> &
    Record<`${Role}Name` | `${Role}Email`, ReturnType<typeof field.optionalText>>;
const optionalInteger = () => field.optional(field.integer());

/** Refuses a document that names no party. */
export function requireParty(
  role: 'Customer' | 'Supplier',
  document: Record<string, unknown>,
  context: z.core.$RefinementCtx,
) {
  if (document[`${role}Number`] || document[`${role}Name`] || document[`${role}Email`]) return;
  refuseMember(context, `${role}Number`, 'REQUIRED_PARTY', { role });
}

/** One line or more, at most 75. */
export const lines = <Line extends z.ZodMiniType>(line: Line) =>
  listOf(
    MAX_LINES,
    z
      .array(line, {
        error: ({ input }) =>
          codeOfIssue(input === undefined || input === null || input === '' ? 'REQUIRED_LINES' : 'NOT_LINES'),
      })
      .check(z.minLength(1, codeOfIssue('NO_LINES'))),
    () => refusal('TOO_MANY_LINES', { max: MAX_LINES }),
  );

/** The fields that lines of orders and of invoicing-module invoices share. */
export const articleLineFields = () => ({
  /** Without the spaces around them, as products are stored. */
  ProductNumber: field.optional(field.text({ trimmed: true })),
  ProductEAN: field.optional(field.text({ trimmed: true })),
  Quantity: field.optional(field.decimal()),
  UnitPriceExclTax: field.optional(field.decimal()),
  /** -1 and left out: the product's own tax. */
  TaxPc: field.optional(field.decimal({ min: -1, max: 100 })),
  TaxCode: field.optionalText(),
  /** After line discount, before the document's; if present, the unit price follows from it. */
  SubTotalInclTax: field.optional(field.decimal()),
  Description: field.optional(field.text()),
  IsTextLine: field.otherwise(field.boolean(), false),
  TextLineCategory: field.optionalText(),
  /** The interface documents the discounts of lines as text: a service may read only that. */
  DiscountPc: field.optional(percentage({ form: 'string' })),
  DiscountAmountInclTax: field.optional(field.decimal({ form: 'string' })),
  UseArticlePrice: field.otherwise(field.boolean(), false),
});
type ArticleLine = z.output<z.ZodMiniObject<ReturnType<typeof articleLineFields>>>;

/** Names of the products on lines, as a push names them. */
export function linesRead(all: readonly Pick<ArticleLine, 'ProductNumber' | 'ProductEAN'>[]): string[] {
  const numbers = new Set(all.map(({ ProductNumber }) => ProductNumber));
  const eans = new Set(all.map(({ ProductEAN }) => ProductEAN));
  return [
    ...[...numbers].flatMap((ArticleNumber) => productNames({ ArticleNumber })),
    ...[...eans].flatMap((EAN) => productNames({ EAN })),
  ];
}

/** A line that is not a text line needs a product, a quantity and a price. */
export function requireArticle(line: ArticleLine, context: z.core.$RefinementCtx): void {
  if (line.IsTextLine) return;
  if (line.ProductNumber === undefined && line.ProductEAN === undefined) {
    refuseMember(context, 'ProductNumber', 'REQUIRED_PRODUCT');
  }
  if (line.Quantity === undefined) refuseMember(context, 'Quantity', 'REQUIRED_DECIMAL');
  if (!line.UseArticlePrice && line.UnitPriceExclTax === undefined && line.SubTotalInclTax === undefined) {
    refuseMember(context, 'UnitPriceExclTax', 'REQUIRED_PRICE');
  }
  if (Number(line.DiscountPc ?? 0) !== 0 && Number(line.DiscountAmountInclTax ?? 0) !== 0) {
    refuseMember(context, 'DiscountAmountInclTax', 'TWO_DISCOUNTS');
  }
}

/** A cost center by name; a missing one is created. */
export const costCenter = () => field.optional(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true }));

/** Whether a project is named by its name or by its number. */
export const projectSelection = () => field.choice('NAME', 'NUMBER');

/** The fields that invoices of the bookkeeping module share. */
export const bookkeepingFields = () => ({
  InvoiceNotes: field.optional(field.text()),
  InvoiceFileUrl: field.optionalText(),
  InvoiceProject: field.optionalText(),
  SelectProjectBy: field.optional(projectSelection()),
});

/** A line of a bookkeeping-module invoice. */
export const bookkeepingLineFields = () => ({
  /** -1: left out. */
  TaxPc: field.optional(field.decimal({ min: -1, max: 100 })),
  TaxCode: field.optionalText(),
  SubTotalInclTax: field.decimal(),
  Description: field.optional(field.text()),
  CostCenter: costCenter(),
  LedgerAccountNumber: field.optionalText(),
});

/** A bookkeeping line needs a tax percentage or a tax code. */
export function requireTax(
  line: { TaxPc?: string | undefined; TaxCode?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if ((line.TaxPc !== undefined && line.TaxPc !== '-1') || line.TaxCode !== undefined) return;
  refuseMember(context, 'TaxPc', 'REQUIRED_TAX');
}

/** An address in a request; a new one is added to the relation. */
const addressInput = field.object(() => ({
  Address_City: field.optionalText(),
  Address_Street: field.optionalText(),
  Address_PostalCode: field.optionalText(),
  Address_Unit: field.optionalText(),
  Address_UnitAppendix: field.optionalText(),
  Address_CountryCode: field.optional(field.countryCode()),
  /** InvoiceAddress means BillingAddress. */
  Address_Type: field.optional(field.choice('BillingAddress', 'ShippingAddress', 'InvoiceAddress')),
}));
export type AddressInput = z.output<typeof addressInput>;

/** A file: by an address to download it from, or by its content (base64) and name. */
const attachmentInput = field.object(
  () => ({
    FileUrl: field.optional(field.text({ max: MAX_URL, emptyIsNothing: true })),
    FileContent: field.optional(field.text({ max: MAX_FILE_CONTENT_LENGTH, emptyIsNothing: true })),
    Internal: field.otherwise(field.boolean(), false),
    FileName: field.optional(field.text({ max: MAX_FILE_PATH, emptyIsNothing: true })),
  }),
  {
    check: (attachment, context) => {
      if (attachment.FileUrl === undefined && attachment.FileContent === undefined) {
        refuseMember(context, 'FileUrl', 'REQUIRED_FILE');
      }
      if (attachment.FileContent !== undefined && attachment.FileName === undefined) {
        refuseMember(context, 'FileName', 'REQUIRED_FILE_NAME');
      }
    },
  },
);
export type AttachmentInput = z.output<typeof attachmentInput>;

export const attachments = () =>
  listOf(MAX_ATTACHMENTS, z.array(attachmentInput), () => refusal('TOO_MANY_ATTACHMENTS', { max: MAX_ATTACHMENTS }));

export const addresses = () => listOf(MAX_ADDRESSES, z.array(addressInput));

/** The types of addresses in orders, and in invoices. */
export const addressResponse = <TypeName extends string>(typeName: TypeName) =>
  response.record(() => ({
    Address_CountryCode: response.text(),
    Address_PostalCode: response.text(),
    Address_Street: response.text(),
    Address_Unit: response.text(),
    Address_City: response.text(),
    Address_UnitAppendix: response.text(),
    ...({ [typeName]: response.text() } as Record<TypeName, ReturnType<typeof response.text>>),
  }));

/** The contact that a document is addressed to. */
export const contactFields = () => ({
  ContactType: response.text(),
  FirstName: response.text(),
  LastName: response.text(),
  Phone: response.text(),
  Email: response.text(),
  Sex: response.text(),
  ContactNotes: response.text(),
  DefaultContact: response.boolean(),
});
