import type { z } from 'zod';
import { MONEY_SCALE, units } from '../../../../shared/money.ts';
import { type FieldError, Problem } from '../../../../shared/problem.ts';
import { MOST_REFERENCE } from '../../../../shared/resources/document.ts';
import { orderAddition } from '../../../../shared/resources/order.ts';
import { purchaseClassifications, purchaseTransactionAddition } from '../../../../shared/resources/purchaseInvoice.ts';
import { writeDate } from '../../../../shared/wire/calendarDate.ts';
import { addOrder } from '../addOrder.ts';
import { addPurchaseTransaction } from '../addPurchaseTransaction.ts';
import { flag as asFlag } from '../schema.ts';
import type { Scope } from '../scope.ts';
import type { ImportRow } from './bind.ts';
import { type Columns, choice, day, decimal, flag, long, name, number, required, text, whole } from './column.ts';
import { type ImportContext, importer } from './importRows.ts';

/*
 * Orders and purchase invoices, one row a line, are given to what answers the endpoints that make them: the same rules,
 * once. Only what history has and a new document has not, such as its number or what is still to be paid, is set after.
 */

const percentage = () => decimal({ min: 0, max: 100 });

/** How rows of lines become documents. */
type Kind = {
  /** What holds for a whole document: it stands in its first row, and in the others again, or nowhere. */
  header: Columns;
  lines: Columns;
  /** The column that numbers documents, and those that tell two with one number apart. */
  number: string;
  apart: readonly string[];
  /** The request's list of lines, and fields of the request whose column is called otherwise. */
  list: string;
  columns?: Readonly<Record<string, string>>;
  store: (context: ImportContext, scope: Scope, first: ImportRow, request: Record<string, unknown>) => Promise<void>;
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

    const store = async (rows: readonly ImportRow[]) => {
      const first = rows[0]!;
      for (const row of rows.slice(1)) {
        for (const column of Object.keys(kind.header)) {
          const [given, before] = [row.cell(column), first.cell(column)];
          if (given !== '' && given !== before) {
            report(row.line, column, `expected what the first row has, "${before}", or nothing, got "${given}"`);
          }
        }
      }
      if (rows.some(({ bad }) => bad.size > 0)) return;
      const request = {
        ...asRequest(first, kind.header),
        [kind.list]: rows.map((row) => asRequest(row, kind.lines)),
      };
      const tell = ({ path, message }: FieldError) => {
        const [, list, index, field] = /^(\w+)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
        if (list === kind.list) report(rows[Number(index)]!.line, field ?? '', message);
        else report(first.line, kind.columns?.[path] ?? path, message);
      };
      try {
        await kind.store(context, scope, first, request);
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
  const { data, error } = schema.safeParse(request);
  if (error === undefined) return data;
  const errors = error.issues.map(({ path, message }) => ({
    path: path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
      .replace(/^\./, ''),
    message,
  }));
  throw new Problem('INVALID_REQUEST', errors[0]?.message ?? '', { errors });
}

/** Orders and quotes. A number that exists is refused. */
export const orders = documents({
  header: {
    OrderNumber: required(long({ min: 1n })),
    GeneralStatus: choice('concept_quote', 'final_quote', 'order'),
    OrderStatus: text(),
    IsInvoiced: flag(),
    OrderDate: day(),
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
  },
  lines: {
    ProductNumber: text(),
    ProductEAN: text(),
    Description: text(),
    Quantity: decimal(),
    UnitPriceExclTax: decimal(),
    SubTotalInclTax: decimal({ decimals: 2 }),
    DiscountPc: percentage(),
    DiscountAmountInclTax: decimal({ decimals: 2 }),
    TaxPc: decimal({ min: -1, max: 100 }),
    TaxCode: text(),
    IsTextLine: flag(),
    TextLineCategory: text(),
    UseArticlePrice: flag(),
  },
  number: 'OrderNumber',
  apart: [],
  list: 'Order_Orderline',
  async store({ db, administration, report }, scope, { line, values }, request) {
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
    await db
      .updateTable('sales_order')
      .where('administration_id', '=', administration.id)
      .where('number', '=', BigInt(made!.OrderNumber!))
      .set({ number, is_invoiced: asFlag(values.IsInvoiced === true) })
      .execute();
    await db
      .updateTable('counter')
      .where('administration_id', '=', administration.id)
      .where('name', '=', 'sales_order')
      .set({ value: number > before ? number : before })
      .execute();
  },
});

/** Purchase invoices. A number a supplier's invoice has already is refused. */
export const purchaseInvoices = documents({
  header: {
    PurchaseInvoiceNumber: required(long({ min: 0n })),
    SupplierNumber: number(),
    SupplierName: text(),
    SupplierEmail: text(),
    InvoiceDate: day(),
    InvoiceDueDate: day(),
    InvoiceNotes: text(),
    ProjectNumber: number(),
    InvoiceOutstandingAmount: decimal({ decimals: 2 }),
    Paid: flag(),
  },
  lines: {
    Description: text(),
    SubTotalInclTax: decimal({ decimals: 2 }),
    TaxPc: percentage(),
    TaxCode: text(),
    LedgerAccountNumber: text(),
    CostCenter: name(),
    PurchaseClassification: choice(...purchaseClassifications),
  },
  number: 'PurchaseInvoiceNumber',
  apart: ['SupplierNumber', 'SupplierName', 'SupplierEmail'],
  list: 'Invoice_InvoiceLine',
  columns: { InvoiceProject: 'ProjectNumber' },
  async store({ db, administration, report }, scope, { line, values }, request) {
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
        ...(ProjectNumber === undefined ? {} : { InvoiceProject: String(ProjectNumber), SelectProjectBy: 'NUMBER' }),
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
    if (others.some(({ relation_id }) => relation_id === invoice!.relation_id)) {
      report(line, 'PurchaseInvoiceNumber', `expected a number the supplier has not used before, got ${number}`);
    }
    if (Paid !== true && outstanding === undefined) return;
    const left = Paid === true ? 0n : units(outstanding as string, MONEY_SCALE);
    await db.updateTable('purchase_invoice').where('id', '=', invoice!.id).set({ outstanding: left }).execute();
  },
});
