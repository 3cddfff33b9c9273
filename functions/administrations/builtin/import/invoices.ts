import { refusalText } from '../../../../shared/fieldErrors.ts';
import { FINE_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import { MOST_LINES, MOST_REFERENCE } from '../../../../shared/resources/document.ts';
import { addDays } from '../../../../shared/wire/calendarDate.ts';
import { type AmountLine, refusedDiscount, type TaxTotals } from '../documents/documentTotals.ts';
import { numberTaken } from '../documents/numbering.ts';
import { costCenters } from '../ledger/ledgerAccounts.ts';
import { readRemittance, remittanceFor } from '../sales/remittance.ts';
import {
  type InvoiceTotals,
  type NewSalesInvoice,
  type NewSalesInvoiceLine,
  storeSalesInvoices,
} from '../sales/storeSalesInvoices.ts';
import { folded } from '../sql/comparedText.ts';
import { flag as asFlag, type NewRow, type Row } from '../sql/schema.ts';
import type { ImportRow } from './bind.ts';
import {
  choice,
  day,
  decimal,
  flag,
  givenNumber,
  long,
  name,
  number,
  percentage,
  projectNumber,
  required,
  text,
  type ValuesOf,
  whole,
} from './column.ts';
import {
  checkKept,
  checkLineNumbers,
  checkOutstanding,
  invoiceAdds,
  isKept,
  keptAmounts,
  keptList,
  keptTotals,
  lineNumber,
} from './documentRows.ts';
import { type ImportContext, importer } from './importRows.ts';
import { taxCodeFinder } from './taxCodeFinder.ts';

const ONE = 10n ** 8n;

/** What holds for a whole invoice: it stands in its first row, and in the others again, or nowhere. */
const headerColumns = {
  InvoiceNumber: required(givenNumber({ min: 1n })),
  InvoiceType: choice('INVOICING', 'BOOKKEEPING'),
  AddAsDraft: flag(),
  InvoiceDate: day(),
  InvoiceDueDate: day(),
  InvoiceDueDays: whole({ min: 0, max: 3650 }),
  RelationGUID: long({ min: 0n }),
  CustomerNumber: number(),
  CustomerName: text(),
  CustomerEmail: text(),
  InvoiceReference: text({ max: MOST_REFERENCE }),
  InvoiceNotes: text(),
  PackingSlipNotes: text(),
  ProjectNumber: projectNumber(),
  InvoiceDiscountPc: percentage(),
  InvoiceIsSent: flag(),
  OGM_Belgium: text(),
  InvoiceOutstandingAmount: decimal({ decimals: 2 }),
  Paid: flag(),
  InvoiceForOrderNumber: long({ min: 1n }),
  EmailToCustomer: flag(),
  TemplateName_Invoice: text(),
  TemplateName_Email: text(),
  /** Of exports: what moved its stock is theirs as well. */
  MovesStock: flag(),
  CreatedOn: long({ min: 0n }),
  ...keptTotals,
};

const lineColumns = {
  ...lineNumber,
  ProductNumber: text(),
  ProductEAN: text(),
  Description: text(),
  Quantity: decimal(),
  UnitPriceExclTax: decimal(),
  SubTotalInclTax: decimal({ decimals: 2 }),
  UseArticlePrice: flag(),
  /** Past a hundred, or below zero, on documents as they were kept only. */
  DiscountPc: percentage({}),
  DiscountAmountInclTax: decimal({ decimals: 2 }),
  TaxPc: percentage({ min: -1, max: 100 }),
  TaxCode: text(),
  CurrentProductNumber: text(),
  CurrentTaxCode: text(),
  ...keptList,
  ...keptAmounts,
  LedgerAccountNumber: text(),
  CostCenter: name(),
  IsTextLine: flag(),
  TextLineCategory: text(),
  DeliveryDate: day(),
  Warehouse: text(),
  Shelf: text(),
  Batch: text(),
};

const columns = { ...headerColumns, ...lineColumns };
type LineRow = ImportRow<typeof columns>;
type Values = ValuesOf<typeof columns>;

/**
 * Sales invoices, one row a line; the rows of an invoice follow each other. They are history: they leave the stock as it
 * is. An invoice number that exists is refused.
 */
export const invoices = importer(async (context) => {
  const { db, administration, headingLine, report, isSound, counts } = context;
  if (administration.debtor_account === '' || administration.vat_payable_account === '') {
    report(
      headingLine,
      '',
      'expected an administration with a debtor account and a VAT payable account: set them first',
    );
  }
  const begunOn = new Map<string, number>();
  let open: LineRow[] = [];
  let highest = 0n;
  const books = await readBooks(context);

  const store = async (groups: readonly LineRow[][]): Promise<void> => {
    const found = await findNamed(context, groups);
    const ready = groups.flatMap((group) => readInvoice(context, books, found, group) ?? []);
    if (!isSound()) return;
    const invoices = ready.map(({ invoice }) => invoice);
    const ids = await storeSalesInvoices(db, administration.id, await withCostCenters(context, invoices));
    for (const { invoice, more } of ready) {
      if (invoice.number > highest) highest = invoice.number;
      if (more === undefined) continue;
      await db.updateTable('sales_invoice').where('id', '=', ids.get(invoice.number)!).set(more).execute();
    }
    counts.added += ready.length;
  };

  return {
    columns,
    rows: async (rows) => {
      const complete: LineRow[][] = [];
      for (const row of rows) {
        const number = row.cell('InvoiceNumber');
        if (open.length > 0 && open[0]!.cell('InvoiceNumber') === number) {
          open.push(row);
          continue;
        }
        if (open.length > 0) complete.push(open);
        open = [row];
        const line = begunOn.get(number);
        if (line !== undefined) {
          report(
            row.line,
            'InvoiceNumber',
            `expected the rows of invoice ${number} to follow each other; it began on line ${line}`,
          );
        }
        begunOn.set(number, row.line);
      }
      await store(complete);
    },
    end: async () => {
      if (open.length > 0) await store([open]);
      if (isSound() && highest > 0n) await numberTaken(db, administration.id, 'sales_invoice', highest);
    },
  };
});

/** Makes the cost centers there are not yet, and writes each as it was written first. */
async function withCostCenters(
  { db, administration }: ImportContext,
  invoices: readonly NewSalesInvoice[],
): Promise<NewSalesInvoice[]> {
  const named = invoices.flatMap(({ lines }) => lines.filter(({ costCenter }) => costCenter !== ''));
  const names = await costCenters(
    { db, administration },
    named.map(({ costCenter }) => ({ CostCenter: costCenter })),
  );
  const written = new Map(named.map((line, index) => [line, names[index]!]));
  return invoices.map((invoice) => ({
    ...invoice,
    lines: invoice.lines.map((line) => ({ ...line, costCenter: written.get(line) ?? '' })),
  }));
}

/** What of the administration is few enough to know all of it. */
async function readBooks(context: ImportContext) {
  const { db, administration } = context;
  const accounts = await db
    .selectFrom('ledger_account')
    .where('administration_id', '=', administration.id)
    .select('number')
    .distinct()
    .execute();
  const taxCodes = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .selectAll()
    .execute();
  return {
    accounts: new Set(accounts.map(({ number }) => number)),
    taxCodeById: new Map(taxCodes.map((code) => [code.id, code])),
    findTaxCode: await taxCodeFinder(context),
  };
}
type Books = Awaited<ReturnType<typeof readBooks>>;

type Named = {
  taken: ReadonlySet<bigint>;
  customers: readonly Row<'relation'>[];
  byNumber: ReadonlyMap<bigint, Row<'relation'>>;
  byGuid: ReadonlyMap<bigint, Row<'relation'>>;
  orders: ReadonlyMap<bigint, Row<'sales_order'>>;
  contacts: ReadonlyMap<bigint, Row<'relation_contact'>>;
  byArticle: ReadonlyMap<string, Row<'product'>>;
  byEan: ReadonlyMap<string, Row<'product'>>;
  projects: ReadonlyMap<bigint, bigint>;
};

/** What the rows of some invoices name. */
async function findNamed({ db, administration }: ImportContext, groups: readonly LineRow[][]): Promise<Named> {
  const rows = groups.flat();
  const all = <Name extends keyof Values>(column: Name): NonNullable<Values[Name]>[] =>
    [...new Set(rows.flatMap(({ values }) => values[column] ?? []))] as NonNullable<Values[Name]>[];
  const select = async <Table extends 'sales_invoice' | 'sales_order' | 'relation' | 'product' | 'project'>(
    table: Table,
    column: string,
    given: readonly (bigint | string)[],
  ): Promise<Row<Table>[]> => {
    const found: Row<Table>[] = [];
    // A batch holds few invoices but may name some thousand products.
    for (let start = 0; start < given.length; start += 1000) {
      const part = await db
        .selectFrom(table as 'relation')
        .where('administration_id', '=', administration.id)
        .where(column as 'guid', 'in', given.slice(start, start + 1000) as bigint[])
        .orderBy('id')
        .selectAll()
        .execute();
      found.push(...(part as unknown as Row<Table>[]));
    }
    return found;
  };
  const taken = await select('sales_invoice', 'number', all('InvoiceNumber').map(BigInt));
  const numbered = await select('relation', 'customer_number', all('CustomerNumber').map(BigInt));
  const meant = await select('relation', 'guid', all('RelationGUID').map(BigInt));
  const named = await select('relation', 'name_folded', all('CustomerName').map(folded));
  const mailed = await select('relation', 'email_folded', all('CustomerEmail').map(folded));
  const relations = [
    ...new Map([...numbered, ...meant, ...named, ...mailed].map((relation) => [relation.id, relation])).values(),
  ];
  const contacts =
    relations.length === 0
      ? []
      : await db
          .selectFrom('relation_contact')
          .where(
            'relation_id',
            'in',
            relations.map(({ id }) => id),
          )
          .where('is_default', '=', 1n)
          .orderBy('position', 'desc')
          .selectAll()
          .execute();
  const articles = await select('product', 'article_number', [
    ...new Set([...all('ProductNumber'), ...all('CurrentProductNumber')]),
  ]);
  const orders = await select('sales_order', 'number', all('InvoiceForOrderNumber').map(BigInt));
  const byEan = await select('product', 'ean', all('ProductEAN'));
  const projects = await select('project', 'number', all('ProjectNumber').map(BigInt));
  return {
    taken: new Set(taken.map(({ number }) => number)),
    customers: relations.filter(({ is_customer }) => is_customer === 1n).sort((a, b) => (a.guid < b.guid ? -1 : 1)),
    byNumber: new Map(numbered.map((relation) => [relation.customer_number!, relation])),
    byGuid: new Map(meant.map((relation) => [relation.guid, relation])),
    orders: new Map(orders.map((order) => [order.number, order])),
    contacts: new Map(contacts.map((contact) => [contact.relation_id, contact])),
    byArticle: new Map(articles.map((product) => [product.article_number, product])),
    byEan: new Map(byEan.map((product) => [product.ean, product])),
    projects: new Map(projects.map(({ number, id }) => [number, id])),
  };
}

/** An invoice, and what of it is set when it is there. */
type Read = { invoice: NewSalesInvoice; more: Partial<NewRow<'sales_invoice'>> | undefined };

/** One invoice from its rows; everything wrong with it is reported, and then there is none. */
function readInvoice(context: ImportContext, books: Books, found: Named, rows: readonly LineRow[]): Read | undefined {
  const { report, isSound, now } = context;
  const [first] = rows as [LineRow];
  const { line, values, bad } = first;
  const reportRepeated = (row: LineRow, column: keyof typeof headerColumns) => {
    const given = row.cell(column);
    if (given !== '' && given !== first.cell(column)) {
      report(
        row.line,
        column,
        `expected what the invoice’s first row has, "${first.cell(column)}", or nothing, got "${given}"`,
      );
    }
  };
  for (const row of rows.slice(1)) {
    for (const column of Object.keys(headerColumns) as (keyof typeof headerColumns)[]) reportRepeated(row, column);
  }
  if (rows.length > MOST_LINES) {
    const last = rows.at(-1)!.line;
    report(
      rows[MOST_LINES]!.line,
      '',
      `expected at most ${MOST_LINES} lines; invoice ${first.cell('InvoiceNumber')} has ${rows.length}, on lines ${line} to ${last}`,
    );
  }
  if (values.InvoiceNumber !== undefined && found.taken.has(BigInt(values.InvoiceNumber))) {
    report(line, 'InvoiceNumber', `expected a number no other invoice has, got ${values.InvoiceNumber}`);
  }
  if (values.InvoiceDate === undefined && !bad.has('InvoiceDate')) {
    report(line, 'InvoiceDate', 'is required in the first row of an invoice');
  }
  const module = values.InvoiceType ?? 'INVOICING';
  if (module === 'BOOKKEEPING' && values.AddAsDraft === true) {
    report(line, 'AddAsDraft', 'expected false: there are no drafts of the bookkeeping module');
  }
  const customer = findCustomer(context, found, first);
  const projectId = values.ProjectNumber === undefined ? null : found.projects.get(BigInt(values.ProjectNumber));
  if (projectId === undefined) {
    report(line, 'ProjectNumber', `expected the number of a project, got ${values.ProjectNumber}`);
  }
  const kept = isKept(first as unknown as ImportRow);
  checkLineNumbers(rows as unknown as ImportRow[], report);
  checkKept(
    rows as unknown as ImportRow[],
    [...Object.keys(keptList), ...Object.keys(keptAmounts)],
    invoiceAdds,
    report,
  );
  const forOrder = values.InvoiceForOrderNumber;
  const order = forOrder === undefined ? null : found.orders.get(BigInt(forOrder));
  if (order === undefined) report(line, 'InvoiceForOrderNumber', `expected the number of an order, got ${forOrder}`);
  if (order && customer !== undefined && order.relation_id !== customer.id) {
    report(line, 'InvoiceForOrderNumber', `expected the number of an order of ${customer.name}, got ${forOrder}`);
  }
  const isBelgian = customer?.country_code === 'BE';
  const ogm = values.OGM_Belgium === undefined ? undefined : readRemittance(values.OGM_Belgium);
  if (values.OGM_Belgium !== undefined) {
    if (ogm === undefined) {
      report(line, 'OGM_Belgium', `expected twelve digits whose last two are right, got "${values.OGM_Belgium}"`);
    } else if (customer !== undefined && !isBelgian && !kept) {
      report(line, 'OGM_Belgium', 'expected nothing: the customer is not Belgian');
    }
  }
  if (values.Paid !== undefined && values.InvoiceOutstandingAmount !== undefined) {
    report(line, 'Paid', 'expected either this or InvoiceOutstandingAmount, not both');
  }
  const lines = rows.map((row) => readLine(context, books, found, { module, kept }, row));
  if (!isSound() || customer === undefined) return undefined;

  const number = BigInt(values.InvoiceNumber!);
  const date = values.InvoiceDate!;
  const outstanding = values.InvoiceOutstandingAmount;
  const address = {
    street: customer.street,
    unit: customer.unit,
    unit_appendix: customer.unit_appendix,
    postal_code: customer.postal_code,
    city: customer.city,
    country_code: customer.country_code,
  };
  const contact = found.contacts.get(customer.id);
  const invoice: NewSalesInvoice = {
    number,
    module,
    isDraft: values.AddAsDraft ?? false,
    date,
    // Days beat a date, as they do in the interface.
    dueDate: values.InvoiceDueDays ? addDays(date, values.InvoiceDueDays) : (values.InvoiceDueDate ?? null),
    notes: values.InvoiceNotes ?? '',
    reference: values.InvoiceReference ?? '',
    packingSlipNotes: values.PackingSlipNotes ?? '',
    customer: { id: customer.id, ...namedAs(values, customer) },
    projectId: projectId ?? null,
    discount: units(values.InvoiceDiscountPc ?? '0', FINE_SCALE),
    isSent: values.InvoiceIsSent ?? false,
    ogm: ogm ?? (isBelgian && module === 'INVOICING' && !kept ? remittanceFor(number) : ''),
    createdOn: values.CreatedOn === undefined ? now : BigInt(values.CreatedOn),
    outstanding: (total) => {
      if (outstanding === undefined) return values.Paid === true ? 0n : total;
      const left = units(outstanding, MONEY_SCALE);
      checkOutstanding(first as unknown as ImportRow, left, total, report);
      return left;
    },
    totals: kept ? totalsOf(rows, lines as NewSalesInvoiceLine[]) : undefined,
    lines: lines as NewSalesInvoiceLine[],
    addresses: [
      { ...address, address_type: 'BillingAddress' },
      ...(module === 'INVOICING' ? [{ ...address, address_type: 'ShippingAddress' as const }] : []),
    ],
    contacts:
      contact === undefined
        ? []
        : [
            {
              contact_type: 'Invoice',
              email: contact.email,
              phone: contact.phone,
              sex: contact.sex,
              last_name: [contact.preposition, contact.last_name].filter((part) => part !== '').join(' '),
              first_name: contact.first_name,
              notes: contact.notes,
              is_default: contact.is_default,
            },
          ],
  };
  const { EmailToCustomer: mailed, TemplateName_Invoice: template, TemplateName_Email: letter } = values;
  const isUsual = order == null && !mailed && template === undefined && letter === undefined;
  return {
    invoice,
    more: isUsual
      ? undefined
      : {
          sales_order_id: order?.id ?? null,
          email_to_customer: asFlag(mailed ?? false),
          template_invoice: template ?? '',
          template_email: letter ?? '',
        },
  };
}

/** A customer known by RelationGUID is named as the row names it: invoices keep what it was called. */
function namedAs({ RelationGUID, CustomerNumber, CustomerName }: Values, customer: Row<'relation'>) {
  if (RelationGUID === undefined) return { number: customer.customer_number, name: customer.name };
  return {
    number: CustomerNumber === undefined ? null : BigInt(CustomerNumber),
    name: CustomerName ?? customer.name,
  };
}

/** What an invoice came to, as its rows have it. */
function totalsOf(rows: readonly LineRow[], lines: readonly NewSalesInvoiceLine[]): InvoiceTotals {
  const cents = (amount: string | undefined) => units(amount ?? '0', MONEY_SCALE);
  const perTaxCode = new Map<string, TaxTotals>();
  const priced = lines.flatMap(({ amount }, index) => {
    if (amount === null) return [];
    const { values } = rows[index]!;
    const [excl, incl] = [cents(values.AmountExclTax), cents(values.AmountInclTax)];
    const { taxCode, rate } = amount;
    const { base, tax } = perTaxCode.get(taxCode) ?? { base: 0n, tax: 0n };
    perTaxCode.set(taxCode, { taxCode, rate, base: base + excl, tax: tax + incl - excl });
    return {
      unitPriceExcl: units(values.UnitPriceExclTax ?? '0', FINE_SCALE),
      discountPercentage: units(values.DiscountPc ?? '0', FINE_SCALE),
      inclBeforeDiscount: cents(values.AmountInclTaxExclDiscount),
      excl,
      incl,
    };
  });
  const { TotalExclTax, TaxAmount, TotalInclTax } = rows[0]!.values;
  return {
    lines: priced,
    perTaxCode: [...perTaxCode.values()],
    excl: cents(TotalExclTax),
    tax: cents(TaxAmount),
    incl: cents(TotalInclTax),
  };
}

/** The RelationGUID goes before the number, and that before name and e-mail; of several by name or e-mail, the one with the lowest RelationGUID. */
function findCustomer(
  { report }: ImportContext,
  { byGuid, byNumber, customers }: Named,
  { line, values, bad }: LineRow,
): Row<'relation'> | undefined {
  const { RelationGUID: guid, CustomerNumber: number, CustomerName: name, CustomerEmail: email } = values;
  if (guid !== undefined) {
    const found = byGuid.get(BigInt(guid));
    if (found === undefined) report(line, 'RelationGUID', `expected the RelationGUID of a relation, got ${guid}`);
    return found;
  }
  if (number !== undefined) {
    const found = byNumber.get(BigInt(number));
    if (found === undefined) report(line, 'CustomerNumber', `expected the number of a customer, got ${number}`);
    return found;
  }
  if (name === undefined && email === undefined) {
    if (!bad.has('CustomerNumber')) {
      report(line, 'CustomerNumber', 'is required, or CustomerName or CustomerEmail, to find the customer');
    }
    return undefined;
  }
  const found = customers.find(
    ({ name_folded, email_folded }) =>
      (name === undefined || name_folded === folded(name)) && (email === undefined || email_folded === folded(email)),
  );
  if (found === undefined) {
    const column = name === undefined ? 'CustomerEmail' : 'CustomerName';
    report(line, column, `expected a customer, got ${[name, email].filter((given) => given !== undefined).join(', ')}`);
  }
  return found;
}

function readLine(
  { administration, report }: ImportContext,
  books: Books,
  found: Named,
  { module, kept }: { module: 'INVOICING' | 'BOOKKEEPING'; kept: boolean },
  { line, values, bad }: LineRow,
): NewSalesInvoiceLine | undefined {
  const refuse = (column: keyof typeof lineColumns, message: string) => report(line, column, message);
  const isText = values.IsTextLine ?? false;
  const account = values.LedgerAccountNumber;
  if (account !== undefined && !books.accounts.has(account)) {
    refuse('LedgerAccountNumber', `expected the number of a ledger account, got ${account}`);
  }
  if (account === undefined && administration.default_revenue_account === '' && !isText) {
    if (!bad.has('LedgerAccountNumber')) {
      refuse('LedgerAccountNumber', 'is required: the administration has no default revenue account');
    }
  }
  const common = {
    description: values.Description ?? '',
    textCategory: values.TextLineCategory ?? '',
    costCenter: values.CostCenter ?? '',
    deliveryDate: values.DeliveryDate ?? null,
    warehouse: values.Warehouse ?? '',
    shelf: values.Shelf ?? '',
    batch: values.Batch ?? '',
    useArticlePrice: values.UseArticlePrice ?? false,
  };
  if (isText) {
    if (module === 'BOOKKEEPING') refuse('IsTextLine', 'expected false: the bookkeeping module has no text lines');
    return { ...common, amount: null, taxCodeId: null, product: null, ledgerAccountNumber: account ?? '' };
  }

  const product = findProduct(report, found, { module, kept }, { line, values, bad });
  if (values.Quantity === undefined && module === 'INVOICING' && !bad.has('Quantity')) {
    refuse('Quantity', 'is required on a line that is not a text line');
  }
  const { UnitPriceExclTax: unitPrice, SubTotalInclTax: totalIncl } = values;
  if (
    unitPrice === undefined &&
    totalIncl === undefined &&
    !bad.has('UnitPriceExclTax') &&
    !bad.has('SubTotalInclTax')
  ) {
    refuse('UnitPriceExclTax', 'is required, or SubTotalInclTax, on a line that is not a text line');
  }
  const { DiscountPc: discountPc = '0', DiscountAmountInclTax: discountAmount = '0' } = values;
  if (!kept && (Number(discountPc) < 0 || Number(discountPc) > 100)) {
    refuse('DiscountPc', `expected a decimal number from 0 to 100, got ${discountPc}`);
  }
  if (discountPc !== '0' && discountAmount !== '0') {
    refuse('DiscountAmountInclTax', 'expected either this or DiscountPc, not both');
  }
  const { CurrentTaxCode } = values;
  const given =
    CurrentTaxCode === undefined
      ? books.findTaxCode(line, 'Sales', { TaxCode: values.TaxCode, TaxPc: values.TaxPc })
      : books.findTaxCode(line, 'Sales', { CurrentTaxCode });
  const isGiven =
    CurrentTaxCode !== undefined ||
    values.TaxCode !== undefined ||
    (values.TaxPc !== undefined && values.TaxPc !== '-1');
  const ofProduct = product?.sales_tax_code_id;
  const taxCode =
    given ?? (ofProduct === null || ofProduct === undefined ? undefined : books.taxCodeById.get(ofProduct));
  if (taxCode === undefined && !isGiven && !bad.has('TaxPc') && !bad.has('TaxCode')) {
    if (module === 'BOOKKEEPING') refuse('TaxPc', 'is required, or TaxCode');
    else if (product !== undefined)
      refuse('TaxPc', `is required, or TaxCode: article ${product.article_number} has no tax`);
  }
  if (taxCode === undefined || bad.size > 0) return undefined;
  const price: AmountLine['price'] =
    totalIncl === undefined
      ? { unitExcl: units(unitPrice ?? '0', FINE_SCALE) }
      : { totalIncl: units(totalIncl, MONEY_SCALE) };
  const amount: AmountLine = {
    quantity: values.Quantity === undefined ? ONE : units(values.Quantity, FINE_SCALE),
    price,
    discount:
      discountAmount === '0'
        ? { percentage: units(discountPc, FINE_SCALE) }
        : { amountIncl: units(discountAmount, MONEY_SCALE) },
    taxCode: (kept ? values.TaxCode : undefined) ?? taxCode.code,
    rate: kept && values.TaxPc !== undefined ? units(values.TaxPc, FINE_SCALE) : taxCode.percentage,
  };
  // What a document came to as it was kept, it came to.
  const discountRefusal = kept ? undefined : refusedDiscount(amount);
  if (discountRefusal !== undefined) refuse('DiscountAmountInclTax', refusalText(discountRefusal));
  return {
    ...common,
    description: values.Description ?? product?.name ?? '',
    amount,
    taxCodeId: taxCode.id,
    product:
      product === undefined
        ? null
        : {
            id: product.id,
            articleNumber: (kept ? values.ProductNumber : undefined) ?? product.article_number,
            ean: kept ? (values.ProductEAN ?? '') : product.ean,
          },
    ledgerAccountNumber: account ?? administration.default_revenue_account,
  };
}

/** The product of a line, by article number or EAN; given both, both must be its. */
function findProduct(
  report: ImportContext['report'],
  { byArticle, byEan }: Named,
  { module, kept }: { module: 'INVOICING' | 'BOOKKEEPING'; kept: boolean },
  { line, values, bad }: Pick<LineRow, 'line' | 'values' | 'bad'>,
): Row<'product'> | undefined {
  const { CurrentProductNumber: current, ProductEAN: ean } = values;
  const number = current ?? values.ProductNumber;
  if (module === 'BOOKKEEPING') {
    if (number !== undefined || ean !== undefined) {
      report(line, 'ProductNumber', 'expected nothing: lines of the bookkeeping module have no products');
    }
    return undefined;
  }
  if (number === undefined && ean === undefined) {
    if (!bad.has('ProductNumber') && !bad.has('ProductEAN')) {
      report(line, 'ProductNumber', 'is required, or ProductEAN, on a line that is not a text line');
    }
    return undefined;
  }
  const product = number === undefined ? byEan.get(ean!) : byArticle.get(number);
  if (product === undefined) {
    const column = current === undefined ? 'ProductNumber' : 'CurrentProductNumber';
    if (number !== undefined) report(line, column, `expected the article number of a product, got ${number}`);
    else report(line, 'ProductEAN', `expected the EAN of a product, got ${ean}`);
  } else if (number !== undefined && ean !== undefined && product.ean !== ean && !kept) {
    report(line, 'ProductEAN', `expected the EAN of article ${number}, got ${ean}`);
  }
  return product;
}
