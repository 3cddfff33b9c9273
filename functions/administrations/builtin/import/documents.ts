import type { z } from 'zod';
import type { FieldError } from '../../../../shared/fieldErrors.ts';
import { decimalText, FINE_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import { Problem, refuseFields } from '../../../../shared/problem.ts';
import { MOST_REFERENCE } from '../../../../shared/resources/document.ts';
import { orderAddition } from '../../../../shared/resources/order.ts';
import { purchaseClassifications, purchaseTransactionAddition } from '../../../../shared/resources/purchaseInvoice.ts';
import { writeDate } from '../../../../shared/wire/calendarDate.ts';
import { errorOfIssue } from '../../../../shared/wire/issues.ts';
import { addPurchaseTransaction } from '../purchases/addPurchaseTransaction.ts';
import { addOrder } from '../sales/addOrder.ts';
import { flag as asFlag } from '../sql/schema.ts';
import type { Scope } from '../sql/scope.ts';
import type { ImportRow } from './bind.ts';
import {
  type Columns,
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
  whole,
} from './column.ts';
import {
  type Adds,
  asFirst,
  checkKept,
  checkLineNumbers,
  checkOutstanding,
  invoiceAdds,
  isKept,
  keptAmounts,
  keptList,
  keptTotals,
  lineNumber,
  orderAdds,
} from './documentRows.ts';
import { type ImportContext, importer } from './importRows.ts';

/*
 * Orders and purchase invoices, one row a line, are given to what answers the endpoints that make them: the same rules,
 * once. Only what history has and a new document has not, such as its number or what is still to be paid, is set after.
 */

/** How rows of lines become documents. */
type Kind = {
  /** What holds for a whole document: it stands in its first row, and in the others again, or nowhere. */
  header: Columns;
  lines: Columns;
  /** The column that numbers documents, and those that tell two with one number apart. */
  number: string;
  apart: readonly string[];
  /** The amounts a line has when its document is taken as it was kept, and what they add up to. */
  amounts: readonly string[];
  adds: Adds;
  /** What a line of such a document asks for: what it was called then is set after. */
  keptLine: (line: Record<string, unknown>) => Record<string, unknown>;
  /** The request's list of lines, and fields of the request whose column is called otherwise. */
  list: string;
  columns?: Readonly<Record<string, string>>;
  role: 'Customer' | 'Supplier';
  store: (
    context: ImportContext,
    scope: Scope,
    rows: readonly [ImportRow, ...ImportRow[]],
    request: Record<string, unknown>,
    /** The ids of what this import stored, to be added to. */
    stored: Set<bigint>,
  ) => Promise<void>;
};

const documents = (kind: Kind) =>
  importer(async (context) => {
    const { db, administration, now, report, isSound, counts } = context;
    const scope: Scope = {
      db,
      administration,
      now: () => now,
      today: () => new Date(Number(now) * 1000).toISOString().slice(0, 10),
      download: async () => ({ failure: 'An import downloads nothing.' }),
      log: () => {},
    };
    let open: ImportRow[] = [];
    const stored = new Set<bigint>();

    const store = async (rows: readonly ImportRow[]) => {
      const [first] = rows as [ImportRow];
      for (const row of rows.slice(1)) {
        for (const column of Object.keys(kind.header)) {
          const [given, before] = [row.cell(column), first.cell(column)];
          if (given !== '' && given !== before) {
            report(row.line, column, asFirst(before, given));
          }
        }
      }
      checkLineNumbers(rows, report);
      checkKept(rows, kind.amounts, kind.adds, report);
      const party = await partyOf(context, kind.role, first);
      if (rows.some(({ bad }) => bad.size > 0) || party === 'none') return;
      const lines = rows.map((row) => asRequest(row, kind.lines));
      const request = {
        ...asRequest(first, kind.header),
        ...party,
        [kind.list]: isKept(first) ? lines.map(kind.keptLine) : lines,
      };
      const tell = ({ path, message }: FieldError) => {
        const [, list, index, field] = /^(\w+)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
        if (list === kind.list) report(rows[Number(index)]!.line, field ?? '', message);
        else report(first.line, kind.columns?.[path] ?? path, message);
      };
      try {
        await kind.store(context, scope, rows as [ImportRow], request, stored);
        counts.added++;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.errors.length === 0) report(first.line, '', error.message);
        for (const one of error.errors) tell(one);
      }
    };

    const belongs = (row: ImportRow): boolean =>
      open.length > 0 &&
      row.cell(kind.number) === open[0]!.cell(kind.number) &&
      row.values.LineNumber !== 1 &&
      kind.apart.every((column) => row.cell(column) === '' || row.cell(column) === open[0]!.cell(column));

    return {
      columns: { ...kind.header, ...kind.lines },
      rows: async (rows) => {
        for (const row of rows) {
          if (!belongs(row)) {
            if (open.length > 0) await store(open);
            open = [];
          }
          open.push(row);
        }
      },
      end: async () => {
        if (open.length > 0) await store(open);
        if (!isSound()) counts.added = 0;
      },
    };
  });

/** How a request names the relation that a row knows by its RelationGUID; nothing where it does not, 'none' when there is none. */
async function partyOf(
  { db, administration, report }: ImportContext,
  role: Kind['role'],
  { line, values }: ImportRow,
): Promise<Record<string, unknown> | 'none'> {
  if (values.RelationGUID === undefined) return {};
  const by = role === 'Customer' ? 'customer_number' : 'supplier_number';
  const found = await db
    .selectFrom('relation')
    .where('administration_id', '=', administration.id)
    .where('guid', '=', BigInt(values.RelationGUID as string))
    .select(by)
    .executeTakeFirst();
  const number = (found as Record<typeof by, bigint | null> | undefined)?.[by];
  if (number != null) return { [`${role}Number`]: Number(number) };
  report(line, 'RelationGUID', `expected the RelationGUID of a ${role.toLowerCase()}, got ${values.RelationGUID}`);
  return 'none';
}

/** How a document names a relation known by its RelationGUID: what it was called then is kept. */
const namedAs = ({ values }: ImportRow, role: Kind['role']) =>
  values.RelationGUID === undefined
    ? {}
    : {
        relation_number: values[`${role}Number`] === undefined ? null : BigInt(values[`${role}Number`] as number),
        ...(values[`${role}Name`] === undefined ? {} : { relation_name: values[`${role}Name`] as string }),
      };

/** The values of a row in some columns, as a request has them. */
function asRequest(row: ImportRow, columns: Columns): Record<string, unknown> {
  const given = Object.entries(columns).flatMap(([name, { holds }]) => {
    const value = row.values[name];
    return value === undefined ? [] : [[name, holds === 'day' ? writeDate(String(value)) : value]];
  });
  return Object.fromEntries(given);
}

/** @throws Problem with what is wrong in a request */
function parsed<Schema extends z.ZodType>(schema: Schema, request: Record<string, unknown>): z.output<Schema> {
  const { data, error } = schema.safeParse(request, { reportInput: true });
  if (error === undefined) return data;
  throw refuseFields(error.issues.map(errorOfIssue));
}

/** Orders and quotes. A number that exists is refused. */
export const orders = documents({
  header: {
    OrderNumber: required(givenNumber({ min: 1n })),
    GeneralStatus: choice('concept_quote', 'final_quote', 'order'),
    OrderStatus: text(),
    IsInvoiced: flag(),
    OrderDate: day(),
    RelationGUID: long({ min: 0n }),
    CustomerNumber: number(),
    CustomerName: text(),
    CustomerEmail: text(),
    OrderReference: text({ max: MOST_REFERENCE }),
    OrderNotes: text(),
    PackingSlipNotes: text(),
    DeliveryPeriod: whole({ min: 0 }),
    OrderDiscountPc: percentage(),
    CreatedOn: long({ min: 0n }),
    ChangedOn: long({ min: 0n }),
    ...keptTotals,
  },
  lines: {
    ...lineNumber,
    ProductNumber: text(),
    ProductEAN: text(),
    Description: text(),
    Quantity: decimal(),
    UnitPriceExclTax: decimal(),
    SubTotalInclTax: decimal({ decimals: 2 }),
    DiscountPc: percentage({}),
    DiscountAmountInclTax: decimal({ decimals: 2 }),
    TaxPc: percentage({ min: -1, max: 100 }),
    TaxCode: text(),
    IsTextLine: flag(),
    TextLineCategory: text(),
    UseArticlePrice: flag(),
    CurrentProductNumber: text(),
    AmountExclTaxExclDiscount: decimal({ decimals: 2 }),
    ...keptList,
    ...keptAmounts,
  },
  number: 'OrderNumber',
  apart: [],
  amounts: ['AmountExclTaxExclDiscount', ...Object.keys(keptList), ...Object.keys(keptAmounts)],
  adds: orderAdds,
  keptLine: ({ DiscountPc: _, DiscountAmountInclTax: __, ProductEAN, TaxPc, ...line }) => {
    const ProductNumber = line.CurrentProductNumber ?? line.ProductNumber;
    return {
      ...line,
      ...(ProductNumber === undefined ? { ProductEAN } : { ProductNumber }),
      ...(line.TaxCode === undefined ? { TaxPc } : {}),
    };
  },
  list: 'Order_Orderline',
  role: 'Customer',
  async store({ db, administration, report }, scope, rows, request) {
    const [first] = rows;
    const { line, values } = first;
    const number = BigInt(values.OrderNumber as string);
    if (values.OrderDate === undefined) report(line, 'OrderDate', 'is required in the first row of an order');
    const taken = await db
      .selectFrom('sales_order')
      .where('administration_id', '=', administration.id)
      .where('number', '=', number)
      .select('id')
      .executeTakeFirst();
    if (taken !== undefined) report(line, 'OrderNumber', `expected a number no other order has, got ${number}`);
    const ofOrders = () =>
      db.selectFrom('counter').where('administration_id', '=', administration.id).where('name', '=', 'sales_order');
    const before = (await ofOrders().select('value').executeTakeFirst())?.value ?? 0n;
    const [made] = await addOrder(scope, parsed(orderAddition, request));
    if (values.OrderStatus !== undefined && made!.OrderStatus === '') {
      report(line, 'OrderStatus', `expected the label of an order status, got "${values.OrderStatus}"`);
    }
    if (taken !== undefined) return;
    // It took the next number; it gets its own, and the numbering goes on after the highest.
    const { id } = await db
      .updateTable('sales_order')
      .where('administration_id', '=', administration.id)
      .where('number', '=', BigInt(made!.OrderNumber!))
      .set({
        number,
        is_invoiced: asFlag(values.IsInvoiced === true),
        ...namedAs(first, 'Customer'),
        ...(isKept(first) ? keptOrder(first) : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (isKept(first)) {
      for (const [position, row] of rows.entries()) {
        if (row.values.IsTextLine === true) continue;
        await db
          .updateTable('sales_order_line')
          .where('sales_order_id', '=', id)
          .where('position', '=', BigInt(position))
          .set(keptOrderLine(row))
          .execute();
      }
    }
    await db
      .updateTable('counter')
      .where('administration_id', '=', administration.id)
      .where('name', '=', 'sales_order')
      .set({ value: number > before ? number : before })
      .execute();
  },
});

const cents = (amount: unknown) => units((amount as string | undefined) ?? '0', MONEY_SCALE);
const fine = (amount: unknown) => units((amount as string | undefined) ?? '0', FINE_SCALE);

const keptOrder = ({ values }: ImportRow) => ({
  total_excl: cents(values.TotalExclTax),
  total_tax: cents(values.TaxAmount),
  total_incl: cents(values.TotalInclTax),
});

/** What a line was called and came to then. */
const keptOrderLine = ({ values }: ImportRow) => ({
  ...(values.ProductNumber === undefined ? {} : { product_number: values.ProductNumber as string }),
  product_ean: (values.ProductEAN as string | undefined) ?? '',
  unit_price: fine(values.UnitPriceExclTax),
  ...(values.TaxPc === undefined ? {} : { tax_pc: fine(values.TaxPc) }),
  discount_pc: fine(values.DiscountPc),
  discount_amount: cents(values.DiscountAmountInclTax),
  subtotal_excl_before_discount: cents(values.AmountExclTaxExclDiscount),
  subtotal_incl_before_discount: cents(values.AmountInclTaxExclDiscount),
  subtotal_excl: cents(values.AmountExclTax),
  subtotal_incl: cents(values.AmountInclTax),
});

/** Purchase invoices. A number a supplier's invoice has already is refused. */
export const purchaseInvoices = documents({
  header: {
    PurchaseInvoiceNumber: required(givenNumber({ min: 1n })),
    RelationGUID: long({ min: 0n }),
    SupplierNumber: number(),
    SupplierName: text(),
    SupplierEmail: text(),
    InvoiceDate: day(),
    InvoiceDueDate: day(),
    InvoiceNotes: text(),
    ProjectNumber: projectNumber(),
    InvoiceOutstandingAmount: decimal({ decimals: 2 }),
    Paid: flag(),
    CreatedOn: long({ min: 0n }),
    ...keptTotals,
  },
  lines: {
    ...lineNumber,
    Description: text(),
    SubTotalInclTax: decimal({ decimals: 2 }),
    TaxPc: percentage(),
    TaxCode: text(),
    LedgerAccountNumber: text(),
    CostCenter: name(),
    PurchaseClassification: choice(...purchaseClassifications),
    CurrentTaxCode: text(),
    ...keptAmounts,
  },
  number: 'PurchaseInvoiceNumber',
  apart: ['RelationGUID', 'SupplierNumber', 'SupplierName', 'SupplierEmail'],
  amounts: Object.keys(keptAmounts),
  adds: invoiceAdds,
  keptLine: ({ TaxPc, ...line }) => {
    const TaxCode = line.CurrentTaxCode ?? line.TaxCode;
    return { ...line, SubTotalInclTax: line.AmountInclTax, ...(TaxCode === undefined ? { TaxPc } : { TaxCode }) };
  },
  list: 'Invoice_InvoiceLine',
  columns: { InvoiceProject: 'ProjectNumber' },
  role: 'Supplier',
  async store({ db, administration, report }, scope, rows, request, stored) {
    const [first] = rows;
    const { line, values } = first;
    const { InvoiceDate, InvoiceOutstandingAmount: outstanding, Paid, ProjectNumber } = values;
    if (InvoiceDate === undefined) report(line, 'InvoiceDate', 'is required in the first row of an invoice');
    if (Paid !== undefined && outstanding !== undefined) {
      report(line, 'Paid', 'expected either this or InvoiceOutstandingAmount, not both');
    }
    await addPurchaseTransaction(
      scope,
      parsed(purchaseTransactionAddition, {
        ...request,
        InvoiceDueDate: request.InvoiceDueDate ?? request.InvoiceDate,
        ...(ProjectNumber === undefined ? {} : { InvoiceProject: ProjectNumber, SelectProjectBy: 'NUMBER' }),
      }),
    );
    const number = BigInt(values.PurchaseInvoiceNumber as string);
    const made = await db
      .selectFrom('purchase_invoice')
      .where('administration_id', '=', administration.id)
      .where('number', '=', number)
      .orderBy('id', 'desc')
      .selectAll()
      .execute();
    const [invoice, ...others] = made;
    // Suppliers may use a number twice: the lines that are counted tell two invoices apart, but not from those there were.
    const used = others.filter(({ relation_id }) => relation_id === invoice!.relation_id);
    if (used.some(({ id }) => values.LineNumber === undefined || !stored.has(id))) {
      report(line, 'PurchaseInvoiceNumber', `expected a number the supplier has not used before, got ${number}`);
    }
    stored.add(invoice!.id);
    if (outstanding !== undefined) checkOutstanding(first, cents(outstanding), invoice!.total_incl, report);
    if (isKept(first)) {
      const lines = await db
        .selectFrom('purchase_invoice_line')
        .where('purchase_invoice_id', '=', invoice!.id)
        .orderBy('position')
        .select('subtotal_excl')
        .execute();
      // It is booked as it comes to now: by another percentage, that would be another amount.
      lines.forEach(({ subtotal_excl }, index) => {
        if (cents(rows[index]!.values.AmountExclTax) === subtotal_excl) return;
        const expected = `${decimalText(subtotal_excl, MONEY_SCALE, MONEY_SCALE)}, what the line comes to without tax`;
        report(rows[index]!.line, 'AmountExclTax', `expected ${expected}, got ${rows[index]!.cell('AmountExclTax')}`);
      });
    }
    const set = {
      ...(Paid === true ? { outstanding: 0n } : outstanding === undefined ? {} : { outstanding: cents(outstanding) }),
      ...(values.CreatedOn === undefined ? {} : { created_on: BigInt(values.CreatedOn as string) }),
      ...namedAs(first, 'Supplier'),
    };
    if (Object.keys(set).length > 0) {
      await db.updateTable('purchase_invoice').where('id', '=', invoice!.id).set(set).execute();
    }
  },
});
