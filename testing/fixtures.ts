import { numberTaken } from '../functions/administrations/builtin/documents/numbering.ts';
import { comparedVatNumber, folded } from '../functions/administrations/builtin/sql/comparedText.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { flag, type NewRow, type Row } from '../functions/administrations/builtin/sql/schema.ts';
import { decimalText, FINE_SCALE, MONEY_SCALE, units } from '../shared/money.ts';
import type { CustomFieldType } from '../shared/resources/customField.ts';
import type { LedgerType } from '../shared/resources/ledgerAccount.ts';

/** A decimal as text: what is put into an administration has as many digits as a test writes. */
type Decimal = string;

export type GivenTaxCode = {
  percentage?: Decimal;
  name?: string;
  /** Left out: percentage and name together. */
  code?: string;
  type?: 'Sales' | 'Purchase';
  exempt?: boolean;
};

export type GivenProduct = {
  articleNumber?: string;
  ean?: string;
  name?: string;
  supplierArticleNumber?: string;
  category?: string;
  description?: string;
  price?: Decimal;
  purchasePrice?: Decimal;
  stock?: Decimal;
  minimalStock?: Decimal;
  unitsPerPackage?: Decimal;
  unit?: string;
  /** Code of a sales tax code that stands in the administration; left out: none. */
  taxCode?: string;
  archived?: boolean;
  createdOn?: number;
  changedOn?: number;
};

export type GivenRelation = {
  guid?: bigint;
  name?: string;
  business?: boolean;
  email?: string;
  vatNumber?: string;
  /** A number makes it a customer (supplier); null makes it one without a number. */
  customerNumber?: number | null;
  supplierNumber?: number | null;
  createdOn?: number;
  changedOn?: number;
  contacts?: readonly Partial<Omit<NewRow<'relation_contact'>, 'id' | 'relation_id' | 'position'>>[];
  bankAccounts?: readonly { iban: string; bic?: string; name?: string }[];
  customFields?: Readonly<Record<string, string>>;
  row?: Partial<NewRow<'relation'>>;
};

export type GivenInvoiceLine = {
  description?: string;
  quantity?: Decimal;
  unitPrice?: Decimal;
  discountPc?: Decimal;
  taxPc?: Decimal;
  taxCode?: string;
  inclBeforeDiscount?: Decimal;
  incl?: Decimal;
  excl?: Decimal;
  row?: Partial<NewRow<'sales_invoice_line'>>;
};

export type GivenInvoice = {
  number?: bigint;
  module?: 'INVOICING' | 'BOOKKEEPING';
  draft?: boolean;
  sent?: boolean;
  /** yyyy-MM-dd */
  date?: string;
  dueDate?: string | null;
  excl?: Decimal;
  tax?: Decimal;
  incl?: Decimal;
  outstanding?: Decimal;
  discountPc?: Decimal;
  /** Left out: a relation of the invoice's own. */
  relationId?: bigint;
  project?: { number: bigint; name: string };
  lines?: readonly GivenInvoiceLine[];
  addresses?: readonly Partial<NewRow<'sales_invoice_address'>>[];
  contacts?: readonly Partial<NewRow<'sales_invoice_contact'>>[];
  row?: Partial<NewRow<'sales_invoice'>>;
};

/** A stock mutation as a test compares it. */
export type Mutation = { quantity: Decimal; cause: string; comment: string; purchasePrice: Decimal | null };

/** A file of a document; what could not be had has no content. */
export type KeptFile = {
  name: string;
  type: string;
  size: number | null;
  url: string;
  failure: string;
  internal: boolean;
};

/** What puts things into one administration, and looks at what no endpoint shows. */
export type Fixtures = {
  /** Answers the code. */
  addTaxCode(given?: GivenTaxCode): Promise<string>;
  addLedgerAccount(given: {
    year?: number;
    number?: string;
    name?: string;
    type?: LedgerType;
    side?: 'debet' | 'credit';
  }): Promise<void>;
  addCategory(name: string): Promise<void>;
  addCustomField(given: {
    owner?: 'product' | 'relation';
    label: string;
    type: CustomFieldType;
    typeOfRelation?: string;
  }): Promise<void>;
  /** Answers the article number. */
  addProduct(given?: GivenProduct): Promise<string>;
  /** Answers the id and the RelationGUID. */
  addRelation(given?: GivenRelation): Promise<{ id: bigint; guid: bigint }>;
  /** Answers the invoice number. */
  addInvoice(given?: GivenInvoice): Promise<bigint>;
  /** The stock mutations of a product, the oldest first. */
  mutationsOf(articleNumber: string): Promise<Mutation[]>;
  /** What of a product no answer shows. */
  hiddenOf(
    articleNumber: string,
  ): Promise<{ archived: boolean; purchaseTaxCode: string | null; salesTaxCode: string | null }>;
  categories(): Promise<string[]>;
  costCenters(): Promise<string[]>;
  /** Answers the id. */
  addProject(given: {
    number: number | bigint;
    name: string;
    description?: string;
    customerId?: bigint;
  }): Promise<bigint>;
  addOrderStatus(label: string): Promise<void>;
  addMaterialBooking(given: {
    projectId: bigint;
    articleNumber: string;
    supplierId?: bigint;
    row?: Partial<NewRow<'material_booking'>>;
  }): Promise<void>;
  /** The journal's entry of a document: account and amount, debit above zero, with the tax code of a line of tax. */
  journalOf(
    document: { salesInvoice: number | bigint } | { purchaseInvoice: number | bigint },
  ): Promise<{ account: string; amount: Decimal; taxCode: string }[]>;
  /** The files of a document, the oldest first. */
  filesOf(
    document: { salesInvoice: number | bigint } | { order: number } | { purchaseInvoice: number | bigint } | 'template',
  ): Promise<KeptFile[]>;
  /** Addresses a relation has beside its own: street and unit. */
  addressesOf(relationId: bigint): Promise<string[]>;
  orderOf(number: number): Promise<Row<'sales_order'>>;
  invoiceOf(number: number | bigint): Promise<Row<'sales_invoice'>>;
  batchesOf(articleNumber: string): Promise<{ description: string; expiryDate: string | null; stock: Decimal }[]>;
  stockOf(articleNumber: string): Promise<Decimal>;
};

const fine = (text: Decimal): bigint => units(text, FINE_SCALE);
const cents = (text: Decimal): bigint => units(text, MONEY_SCALE);

/** Fixtures of an administration in a database. */
export function fixturesOf(db: Database, administrationId: bigint): Fixtures {
  const inAdministration = { administration_id: administrationId };
  let last = 0;
  const next = (): number => ++last;

  const categoryId = async (name: string): Promise<bigint> => {
    const found = await db
      .selectFrom('product_category')
      .where('administration_id', '=', administrationId)
      .where('name_folded', '=', folded(name))
      .select('id')
      .executeTakeFirst();
    if (found !== undefined) return found.id;
    const { id } = await db
      .insertInto('product_category')
      .values({ ...inAdministration, name, name_folded: folded(name) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const productOf = (articleNumber: string): Promise<Row<'product'>> =>
    db
      .selectFrom('product')
      .where('administration_id', '=', administrationId)
      .where('article_number', '=', articleNumber)
      .selectAll()
      .executeTakeFirstOrThrow();

  const addRelation: Fixtures['addRelation'] = async (given = {}) => {
    const number = next();
    const { guid = BigInt(1000 + number), name = `Relation ${number}`, email = '', vatNumber = '' } = given;
    const { id } = await db
      .insertInto('relation')
      .values({
        ...inAdministration,
        guid,
        name,
        name_folded: folded(name),
        is_business: flag(given.business ?? true),
        email,
        email_folded: folded(email),
        phone: '',
        city: '',
        street: '',
        postal_code: '',
        unit: '',
        unit_appendix: '',
        country_code: 'NL',
        group_name: '',
        is_customer: flag(given.customerNumber !== undefined),
        is_supplier: flag(given.supplierNumber !== undefined),
        is_other: flag(given.customerNumber === undefined && given.supplierNumber === undefined),
        customer_number: optionalBigInt(given.customerNumber),
        supplier_number: optionalBigInt(given.supplierNumber),
        registration_number: '',
        vat_number: vatNumber,
        vat_compared: comparedVatNumber(vatNumber),
        created_on: BigInt(given.createdOn ?? 1_700_000_000),
        changed_on: BigInt(given.changedOn ?? given.createdOn ?? 1_700_000_000),
        ...given.row,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await numberTaken(db, administrationId, 'relation', guid);
    for (const [position, contact] of (given.contacts ?? []).entries()) {
      await db
        .insertInto('relation_contact')
        .values({
          relation_id: id,
          position: BigInt(position),
          email: '',
          phone: '',
          sex: '',
          last_name: '',
          first_name: '',
          preposition: '',
          notes: '',
          is_default: flag(position === 0),
          ...contact,
        })
        .execute();
    }
    for (const [position, { iban, bic = '', name = '' }] of (given.bankAccounts ?? []).entries()) {
      await db
        .insertInto('relation_bank_account')
        .values({
          relation_id: id,
          position: BigInt(position),
          iban,
          skip_iban_check: 0n,
          use_for_excasso: 1n,
          bic,
          place: '',
          name,
        })
        .execute();
    }
    for (const [label, value] of Object.entries(given.customFields ?? {})) {
      const field = await db
        .selectFrom('custom_field')
        .where('administration_id', '=', administrationId)
        .where('owner', '=', 'relation')
        .where('label', '=', label)
        .select('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('relation_custom_field')
        .values({ relation_id: id, custom_field_id: field.id, value })
        .execute();
    }
    return { id, guid };
  };

  return {
    async addTaxCode({ percentage = '21', name = 'Hoog', code, type = 'Sales', exempt = false } = {}) {
      const row = { code: code ?? `${percentage}% - ${name}`, name, percentage: fine(percentage) };
      await db
        .insertInto('tax_code')
        .values({ ...inAdministration, ...row, tax_type: type, tax_exempt: flag(exempt) })
        .execute();
      return row.code;
    },

    async addLedgerAccount({ year = 2026, number, name, type = 'BalanceSheet', side = 'debet' }) {
      const account = number ?? String(1000 + next());
      await db
        .insertInto('ledger_account')
        .values({
          ...inAdministration,
          fiscal_year: BigInt(year),
          number: account,
          name: name ?? `Account ${account}`,
          ledger_type: type,
          debet_or_credit: side,
        })
        .execute();
    },

    async addCategory(name) {
      await categoryId(name);
    },

    async addCustomField({ owner = 'product', label, type, typeOfRelation = null }) {
      await db
        .insertInto('custom_field')
        .values({ ...inAdministration, owner, label, field_type: type, type_of_relation: typeOfRelation })
        .execute();
    },

    async addProduct(given = {}) {
      const number = next();
      const { articleNumber = `A-${number}`, stock = '0' } = given;
      const taxCode =
        given.taxCode === undefined
          ? null
          : await db
              .selectFrom('tax_code')
              .where('administration_id', '=', administrationId)
              .where('tax_type', '=', 'Sales')
              .where('code', '=', given.taxCode)
              .select('id')
              .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('product')
        .values({
          ...inAdministration,
          article_number: articleNumber,
          ean: given.ean ?? '',
          name: given.name ?? `Product ${number}`,
          supplier_article_number: given.supplierArticleNumber ?? '',
          category_id: given.category === undefined ? null : await categoryId(given.category),
          description: given.description ?? '',
          purchase_price: fine(given.purchasePrice ?? '0'),
          price: fine(given.price ?? '0'),
          sales_tax_code_id: taxCode?.id ?? null,
          purchase_tax_code_id: null,
          stock: fine(stock),
          minimal_stock: fine(given.minimalStock ?? '0'),
          units_per_package: fine(given.unitsPerPackage ?? '1'),
          unit: given.unit ?? '',
          archived: flag(given.archived ?? false),
          created_on: BigInt(given.createdOn ?? 1_700_000_000),
          changed_on: BigInt(given.changedOn ?? 1_700_000_000),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (fine(stock) !== 0n) {
        await db
          .insertInto('stock_mutation')
          .values({
            product_id: id,
            quantity: fine(stock),
            cause: 'import',
            comment: '',
            purchase_price: null,
            created_on: 1_700_000_000n,
          })
          .execute();
      }
      return articleNumber;
    },

    addRelation,

    async addInvoice(given = {}) {
      const invoiceNumber = given.number ?? BigInt(next());
      const { excl = '100', tax = '21', incl = '121' } = given;
      const relationId = given.relationId ?? (await addRelation({ name: 'Customer' })).id;
      const project =
        given.project === undefined
          ? undefined
          : await db
              .insertInto('project')
              .values({
                ...inAdministration,
                ...given.project,
                name_folded: folded(given.project.name),
                description: '',
                customer_id: null,
              })
              .returning('id')
              .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('sales_invoice')
        .values({
          ...inAdministration,
          number: invoiceNumber,
          module: given.module ?? 'INVOICING',
          is_draft: flag(given.draft ?? false),
          date: given.date ?? '2026-03-01',
          due_date: given.dueDate ?? null,
          notes: '',
          reference: '',
          packing_slip_notes: '',
          relation_id: relationId,
          customer_number: null,
          customer_name: 'Customer',
          project_id: project?.id ?? null,
          total_excl: cents(excl),
          total_tax: cents(tax),
          total_incl: cents(incl),
          outstanding: cents(given.outstanding ?? incl),
          discount_pc: fine(given.discountPc ?? '0'),
          is_sent: flag(given.sent ?? false),
          ogm: '',
          created_on: 1_700_000_000n,
          ...given.row,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const [position, line] of (given.lines ?? []).entries()) {
        await db
          .insertInto('sales_invoice_line')
          .values({
            sales_invoice_id: id,
            position: BigInt(position),
            is_text: 0n,
            text_category: '',
            product_id: null,
            product_number: '',
            product_ean: '',
            description: line.description ?? '',
            quantity: fine(line.quantity ?? '1'),
            unit_price: fine(line.unitPrice ?? '100'),
            discount_pc: fine(line.discountPc ?? '0'),
            subtotal_incl_before_discount: cents(line.inclBeforeDiscount ?? '121'),
            subtotal_incl: cents(line.incl ?? '121'),
            subtotal_excl: cents(line.excl ?? '100'),
            ledger_account_number: '8000',
            tax_code_id: null,
            tax_pc: fine(line.taxPc ?? '21'),
            tax_code: line.taxCode ?? '21% - Hoog',
            cost_center: '',
            delivery_date: null,
            warehouse: '',
            shelf: '',
            batch: '',
            use_article_price: 0n,
            ...line.row,
          })
          .execute();
      }
      for (const address of given.addresses ?? []) {
        await db
          .insertInto('sales_invoice_address')
          .values({
            sales_invoice_id: id,
            address_type: 'BillingAddress',
            street: '',
            unit: '',
            unit_appendix: '',
            postal_code: '',
            city: '',
            country_code: 'NL',
            ...address,
          })
          .execute();
      }
      for (const contact of given.contacts ?? []) {
        await db
          .insertInto('sales_invoice_contact')
          .values({
            sales_invoice_id: id,
            contact_type: 'Invoice',
            email: '',
            phone: '',
            sex: '',
            last_name: '',
            first_name: '',
            notes: '',
            is_default: 1n,
            ...contact,
          })
          .execute();
      }
      return invoiceNumber;
    },

    async mutationsOf(articleNumber) {
      const { id } = await productOf(articleNumber);
      const rows = await db
        .selectFrom('stock_mutation')
        .where('product_id', '=', id)
        .orderBy('id')
        .selectAll()
        .execute();
      return rows.map((row) => ({
        quantity: decimalText(row.quantity, FINE_SCALE),
        cause: row.cause,
        comment: row.comment,
        purchasePrice: row.purchase_price === null ? null : decimalText(row.purchase_price, FINE_SCALE),
      }));
    },

    async hiddenOf(articleNumber) {
      const product = await productOf(articleNumber);
      const codes = await db
        .selectFrom('tax_code')
        .where('administration_id', '=', administrationId)
        .select(['id', 'code'])
        .execute();
      const codeOf = (id: bigint | null) => codes.find((code) => code.id === id)?.code ?? null;
      return {
        archived: product.archived === 1n,
        purchaseTaxCode: codeOf(product.purchase_tax_code_id),
        salesTaxCode: codeOf(product.sales_tax_code_id),
      };
    },

    async categories() {
      const rows = await db
        .selectFrom('product_category')
        .where('administration_id', '=', administrationId)
        .orderBy('name')
        .select('name')
        .execute();
      return rows.map((row) => row.name);
    },

    async costCenters() {
      const rows = await db
        .selectFrom('cost_center')
        .where('administration_id', '=', administrationId)
        .orderBy('name')
        .select('name')
        .execute();
      return rows.map((row) => row.name);
    },

    async addProject({ number, name, description = '', customerId = null }) {
      const { id } = await db
        .insertInto('project')
        .values({
          ...inAdministration,
          number: BigInt(number),
          name,
          name_folded: folded(name),
          description,
          customer_id: customerId,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async addOrderStatus(label) {
      await db
        .insertInto('order_status')
        .values({ ...inAdministration, label, label_folded: folded(label) })
        .execute();
    },

    async addMaterialBooking({ projectId, articleNumber, supplierId = null, row = {} }) {
      await db
        .insertInto('material_booking')
        .values({
          ...inAdministration,
          project_id: projectId,
          product_id: (await productOf(articleNumber)).id,
          supplier_id: supplierId,
          warehouse: '',
          shelf: '',
          batch: '',
          description: '',
          quantity: fine('1'),
          entry_date: 1_700_000_000_000n,
          ...row,
        })
        .execute();
    },

    async journalOf(document) {
      const rows = await db
        .selectFrom('journal_line')
        .innerJoin('journal_entry', 'journal_entry.id', 'journal_line.journal_entry_id')
        .where('journal_entry.administration_id', '=', administrationId)
        .where('journal_entry.id', 'in', (eb) =>
          'salesInvoice' in document
            ? eb
                .selectFrom('sales_invoice')
                .innerJoin('journal_entry as entry', 'entry.sales_invoice_id', 'sales_invoice.id')
                .where('sales_invoice.administration_id', '=', administrationId)
                .where('sales_invoice.number', '=', BigInt(document.salesInvoice))
                .select('entry.id')
            : eb
                .selectFrom('purchase_invoice')
                .innerJoin('journal_entry as entry', 'entry.purchase_invoice_id', 'purchase_invoice.id')
                .where('purchase_invoice.administration_id', '=', administrationId)
                .where('purchase_invoice.number', '=', BigInt(document.purchaseInvoice))
                .select('entry.id'),
        )
        .orderBy('journal_line.id')
        .select(['ledger_account_number', 'debit', 'credit', 'tax_code'])
        .execute();
      return rows.map((row) => ({
        account: row.ledger_account_number,
        amount: decimalText(row.debit - row.credit, MONEY_SCALE, 2),
        taxCode: row.tax_code,
      }));
    },

    async filesOf(document) {
      let found = db.selectFrom('attachment').orderBy('attachment.id').selectAll('attachment');
      if (document === 'template') {
        found = found
          .innerJoin('periodic_invoice', 'periodic_invoice.id', 'attachment.periodic_invoice_id')
          .where('periodic_invoice.administration_id', '=', administrationId);
      } else if ('salesInvoice' in document) {
        found = found
          .innerJoin('sales_invoice', 'sales_invoice.id', 'attachment.sales_invoice_id')
          .where('sales_invoice.administration_id', '=', administrationId)
          .where('sales_invoice.number', '=', BigInt(document.salesInvoice));
      } else if ('order' in document) {
        found = found
          .innerJoin('sales_order', 'sales_order.id', 'attachment.sales_order_id')
          .where('sales_order.administration_id', '=', administrationId)
          .where('sales_order.number', '=', BigInt(document.order));
      } else {
        found = found
          .innerJoin('purchase_invoice', 'purchase_invoice.id', 'attachment.purchase_invoice_id')
          .where('purchase_invoice.administration_id', '=', administrationId)
          .where('purchase_invoice.number', '=', BigInt(document.purchaseInvoice));
      }
      return (await found.execute()).map((row) => ({
        name: row.file_name,
        type: row.content_type,
        size: row.content?.length ?? null,
        url: row.url,
        failure: row.failure,
        internal: row.is_internal === 1n,
      }));
    },

    async addressesOf(relationId) {
      const rows = await db
        .selectFrom('relation_address')
        .where('relation_id', '=', relationId)
        .orderBy('id')
        .select(['street', 'unit'])
        .execute();
      return rows.map(({ street, unit }) => `${street} ${unit}`.trim());
    },

    orderOf: (number) =>
      db
        .selectFrom('sales_order')
        .where('administration_id', '=', administrationId)
        .where('number', '=', BigInt(number))
        .selectAll()
        .executeTakeFirstOrThrow(),

    invoiceOf: (number) =>
      db
        .selectFrom('sales_invoice')
        .where('administration_id', '=', administrationId)
        .where('number', '=', BigInt(number))
        .selectAll()
        .executeTakeFirstOrThrow(),

    async batchesOf(articleNumber) {
      const { id } = await productOf(articleNumber);
      const rows = await db
        .selectFrom('product_batch')
        .where('product_id', '=', id)
        .orderBy('id')
        .selectAll()
        .execute();
      return rows.map((row) => ({
        description: row.description,
        expiryDate: row.expiry_date,
        stock: decimalText(row.stock, FINE_SCALE),
      }));
    },

    stockOf: async (articleNumber) => decimalText((await productOf(articleNumber)).stock, FINE_SCALE),
  };
}

const optionalBigInt = (value: number | null | undefined): bigint | null =>
  value === undefined || value === null ? null : BigInt(value);
