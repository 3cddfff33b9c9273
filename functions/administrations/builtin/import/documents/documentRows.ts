import { type FieldErrorTexts, fieldErrorTexts, refusalText } from '../../../../../shared/fieldErrors.ts';
import { decimalText, FINE_SCALE, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import { MAX_LINES } from '../../../../../shared/resources/document.ts';
import type { KnownLine } from '../../documents/articleLines.ts';
import type { Refuse } from '../../documents/references.ts';
import { type Columns, decimal, whole } from '../../files/column.ts';
import { type Adds, type Amounts, wrongAmounts } from '../../files/documentAmounts.ts';
import type { EndpointContext } from '../../sql/endpointContext.ts';
import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import { type ImportContext, importer } from '../importRows.ts';

/*
 * What documents in rows have in common, one row a line: which rows are of one document, and the amounts of documents
 * that are taken as they were rather than computed, as export writes them.
 */

const money = () => decimal({ decimals: MONEY_SCALE });

/** The column that counts the lines of a document, from 1. */
export const lineNumber = { LineNumber: whole({ min: 1 }) };
/** What a document came to: with these, all of it is taken as it was. */
export const totalColumns = { TotalExclTax: money(), TaxAmount: money(), TotalInclTax: money() };
/** What a line came to, all discounts taken off. */
export const amountColumns = { AmountExclTax: money(), AmountInclTax: money() };
/** And what it listed for. */
export const listColumns = { AmountInclTaxExclDiscount: money() };

export const cents = (amount: unknown) => units((amount as string | undefined) ?? '0', MONEY_SCALE);
export const fine = (amount: unknown) => units((amount as string | undefined) ?? '0', FINE_SCALE);

/** How rows become documents of one kind. */
type Kind<Header extends Columns, Lines extends Columns> = {
  /** What holds for a whole document: it stands in its first row, and in the others again, or nowhere. */
  header: Header;
  lines: Lines;
  /** The column that numbers documents, and how to call one. */
  number: keyof Header & string;
  called: string;
  /** Whether a row with the number of the document before it is of the same one. */
  belongs: (row: ImportRow<Header & Lines>, first: ImportRow<Header & Lines>) => boolean;
  /** What a further line of a document is refused for when it does not agree with the first. */
  asFirst: (before: string, given: string) => string;
  /** The amounts a line has when its document is taken as it was, and what they add up to. */
  amounts: readonly string[];
  adds: Adds;
};

/** The rows of one document. */
export type DocumentRows<Table extends Columns> = {
  rows: readonly ImportRow<Table>[];
  first: ImportRow<Table>;
  /** Whether its amounts are taken as they were. */
  hasAmounts: boolean;
  /** Reports what is wrong with a column, unless its cell was refused already. */
  report: (column: string, message: string, row?: ImportRow<Table>) => void;
  /** Reports what the document would be refused for as a request. */
  refuse: Refuse;
  /** Whether nothing is wrong with it so far. */
  isSound: () => boolean;
};

/** Stores some documents, and reports what is wrong with them. */
type Store<Table extends Columns> = (documents: readonly DocumentRows<Table>[]) => Promise<void>;

/** An importer of documents of one kind. */
export const documentImporter = <Header extends Columns, Lines extends Columns>(
  kind: Kind<Header, Lines>,
  start: (
    context: ImportContext,
    scope: EndpointContext,
  ) => Promise<{
    store: Store<Header & Lines>;
    /** How this kind says what a request would be refused for. */
    texts?: FieldErrorTexts;
    /** After the last document. */
    end: () => Promise<void>;
    /** Called with the first row of each document. */
    begun?: (row: ImportRow<Header & Lines>) => void;
  }>,
) =>
  importer<Header & Lines>(async (context) => {
    type Table = Header & Lines;
    const { store, texts = fieldErrorTexts, end, begun } = await start(context, scopeOf(context));
    let open: ImportRow<Table>[] = [];
    return {
      columns: { ...kind.header, ...kind.lines },
      rows: async (rows) => {
        const complete: ImportRow<Table>[][] = [];
        for (const row of rows) {
          const [first] = open;
          if (first !== undefined && row.cell(kind.number) === first.cell(kind.number) && kind.belongs(row, first)) {
            open.push(row);
            continue;
          }
          if (first !== undefined) complete.push(open);
          open = [row];
          begun?.(row);
        }
        if (complete.length === 0) return;
        await store(complete.map((document) => documentOf(context, kind, document, texts)));
      },
      end: async () => {
        if (open.length > 0) await store([documentOf(context, kind, open, texts)]);
        if (context.isSound()) await end();
      },
    };
  });

/** What the makers of documents work with. */
const scopeOf = ({ db, administration, now }: ImportContext): EndpointContext => ({
  db,
  administration,
  now: () => now,
  today: () => new Date(Number(now) * 1000).toISOString().slice(0, 10),
});

/** Where a request calls a column otherwise. */
const columnNames: Readonly<Record<string, string>> = {
  InvoiceProject: 'ProjectNumber',
  Invoice_InvoiceLine: '',
  Order_Orderline: '',
};
/** Columns that stand in for another. */
const instead: Readonly<Record<string, readonly string[]>> = {
  ProductNumber: ['CurrentProductNumber', 'ProductEAN'],
  TaxCode: ['CurrentTaxCode'],
  TaxPc: ['CurrentTaxCode', 'TaxCode'],
  UnitPriceExclTax: ['SubTotalInclTax'],
  SubTotalInclTax: ['AmountInclTax'],
};

/** The document of some rows; what is wrong with the rows themselves is reported. */
function documentOf<Header extends Columns, Lines extends Columns>(
  context: ImportContext,
  kind: Kind<Header, Lines>,
  rows: readonly ImportRow<Header & Lines>[],
  texts: FieldErrorTexts,
): DocumentRows<Header & Lines> {
  const first = rows[0]!;
  let isSound = rows.every(({ bad }) => bad.size === 0);
  const report: DocumentRows<Header & Lines>['report'] = (column, message, { line, bad } = first) => {
    isSound = false;
    if (!bad.has(column)) context.report(line, column, message);
  };
  for (const row of rows.slice(1)) {
    for (const column of Object.keys(kind.header)) {
      const [before, given] = [first.cell(column), row.cell(column)];
      if (given !== '' && given !== before) context.report(row.line, column, kind.asFirst(before, given));
    }
  }
  if (rows.length > MAX_LINES) {
    const which = `${kind.called} ${first.cell(kind.number)} has ${rows.length}, on lines ${first.line} to ${rows.at(-1)!.line}`;
    report('', `expected at most ${MAX_LINES} lines; ${which}`, rows[MAX_LINES]);
  }
  rows.forEach((row, index) => {
    const number = row.values.LineNumber;
    if (number === undefined || number === index + 1) return;
    report('LineNumber', `expected ${index + 1}, as the lines of a document are counted, got ${number}`, row);
  });
  const hasAmounts = first.values.TotalInclTax !== undefined;
  checkAmounts(rows, hasAmounts, kind, report);
  return {
    rows,
    first,
    hasAmounts,
    report,
    refuse: (errors) => {
      for (const error of errors) {
        const [, index, field = ''] = /^\w+\[(\d+)\]\.?(.*)$/.exec(error.path) ?? [];
        const row = index === undefined ? first : rows[Number(index)]!;
        const name = index === undefined ? (columnNames[error.path] ?? error.path) : field;
        const others = instead[name] ?? [];
        const [current] = others.filter((other) => other.startsWith('Current') && row.values[other] !== undefined);
        // What is required stands in a cell that was refused.
        const isRead = !(error.code.startsWith('REQUIRED') && others.some((other) => row.bad.has(other)));
        if (isRead) report(current ?? name, refusalText(error, texts), row);
        else isSound = false;
      }
    },
    isSound: () => isSound,
  };
}

/** Sees to it that a document has all of its amounts, and that they add up; or none. */
function checkAmounts<Table extends Columns>(
  rows: readonly ImportRow<Table>[],
  hasAmounts: boolean,
  { amounts, adds }: { amounts: readonly string[]; adds: Adds },
  report: DocumentRows<Table>['report'],
): void {
  const first = rows[0]!;
  const lines = rows.filter(({ values }) => values.IsTextLine !== true);
  if (!hasAmounts) {
    for (const row of lines) {
      for (const column of amounts) {
        if (row.values[column] !== undefined) {
          report(column, 'expected nothing, as the document has no TotalInclTax', row);
        }
      }
    }
    return;
  }
  let isComplete = rows.every(({ bad }) => bad.size === 0);
  const need = (row: ImportRow<Table>, column: string) => {
    if (row.values[column] !== undefined) return;
    isComplete = false;
    report(column, 'is required, as the document has a TotalInclTax', row);
  };
  for (const column of Object.keys(totalColumns)) need(first, column);
  for (const row of lines) for (const column of amounts) need(row, column);
  if (!isComplete) return;
  const byLine = new Map(rows.map((row) => [row.line, row]));
  for (const { line, column, message } of wrongAmounts(amountsOf(first), lines.map(amountsOf), adds)) {
    report(column, message, byLine.get(line));
  }
}

const inFine = ['Quantity', 'UnitPriceExclTax', 'TaxPc'];
const amountsOf = ({ line, values }: ImportRow): Amounts => ({
  line,
  amount: (column) => {
    const value = values[column] as string | undefined;
    return value === undefined ? undefined : units(value, inFine.includes(column) ? FINE_SCALE : MONEY_SCALE);
  },
});

/** The product and the tax a line asks for, where what it was called then may be another. */
export function askedFor({ values }: ImportRow, hasAmounts: boolean) {
  const { CurrentProductNumber, CurrentTaxCode, ProductNumber, ProductEAN, TaxCode, TaxPc } = values as Values;
  const number = CurrentProductNumber ?? ProductNumber;
  const code = CurrentTaxCode ?? TaxCode;
  return {
    ProductNumber: number,
    ProductEAN: hasAmounts && number !== undefined ? undefined : ProductEAN,
    TaxCode: code,
    TaxPc: CurrentTaxCode !== undefined || (hasAmounts && code !== undefined) ? undefined : TaxPc,
  };
}

/** What product and tax of a line were called then. */
export function knownLine({ values }: ImportRow): KnownLine {
  const { ProductNumber, ProductEAN, TaxCode, TaxPc } = values as Values;
  const rate = TaxPc === undefined ? undefined : fine(TaxPc);
  return { productNumber: ProductNumber, productEan: ProductEAN, taxCode: TaxCode, rate };
}

type Values = Readonly<Record<string, string | undefined>>;

/** What is wrong with a line's discount in per cent: of a document taken as it was, it may be anything. */
export function checkDiscount<Table extends Columns>(document: DocumentRows<Table>): void {
  if (document.hasAmounts) return;
  for (const row of document.rows) {
    const percentage = Number((row.values as Values).DiscountPc ?? 0);
    if (percentage >= 0 && percentage <= 100) continue;
    document.report('DiscountPc', `expected a decimal number from 0 to 100, got ${row.cell('DiscountPc')}`, row);
  }
}

type Payment = { InvoiceOutstandingAmount?: string; Paid?: boolean };

/** An invoice says in one way what is still to be paid. */
export function checkPayment<Table extends Columns>({ first, report }: DocumentRows<Table>): void {
  const { InvoiceOutstandingAmount: given, Paid } = first.values as Payment;
  if (given === undefined || Paid === undefined) return;
  report('Paid', 'expected either this or InvoiceOutstandingAmount, not both');
}

/**
 * What is still to be paid: no more than the total, on either side of nothing. Some was paid, too much was, or a credit
 * was paid back.
 */
export function outstandingOf<Table extends Columns>({ first, report }: DocumentRows<Table>, total: bigint): bigint {
  const { InvoiceOutstandingAmount: given, Paid } = first.values as Payment;
  if (given === undefined) return Paid === true ? 0n : total;
  const left = cents(given);
  const size = (amount: bigint) => (amount < 0n ? -amount : amount);
  if (size(left) > size(total)) {
    const [is, most] = [left, total].map((amount) => decimalText(amount, MONEY_SCALE, MONEY_SCALE));
    report('InvoiceOutstandingAmount', `expected no more than the total, ${most}, got ${is}`);
  }
  return left;
}

/**
 * Finds the relations that documents name by their RelationGUID.
 * @param what a document must name; one that is not such is reported
 * @returns the relation of a document; nothing where it names none, or none there is
 */
export async function relationsByGuid<Table extends Columns>(
  { db, administration }: ImportContext,
  documents: readonly DocumentRows<Table>[],
  what: 'relation' | 'customer' | 'supplier',
): Promise<(document: DocumentRows<Table>) => Row<'relation'> | undefined> {
  const guidOf = ({ first }: DocumentRows<Table>) => (first.values as Values).RelationGUID;
  const guids = [...new Set(documents.flatMap((document) => guidOf(document) ?? []))].map(BigInt);
  const rows =
    guids.length === 0
      ? []
      : await db
          .selectFrom('relation')
          .where('administration_id', '=', administration.id)
          .where('guid', 'in', guids)
          .selectAll()
          .execute();
  const found = new Map(
    rows.filter((row) => what === 'relation' || row[`${what}_number`] !== null).map((row) => [String(row.guid), row]),
  );
  return (document) => {
    const guid = guidOf(document);
    if (guid === undefined) return undefined;
    const relation = found.get(guid);
    if (relation === undefined) document.report('RelationGUID', `expected the RelationGUID of a ${what}, got ${guid}`);
    return relation;
  };
}

/** The documents there are of the numbers in a column. */
export async function rowsNumbered<Table extends Columns>(
  { db, administration }: ImportContext,
  table: 'sales_invoice' | 'sales_order' | 'purchase_invoice',
  documents: readonly DocumentRows<Table>[],
  column: keyof Table & string,
): Promise<{ id: bigint; number: bigint; relation_id: bigint }[]> {
  const numbers = documents.flatMap(({ first }) => (first.values as Values)[column] ?? []).map(BigInt);
  if (numbers.length === 0) return [];
  return db
    .selectFrom(table as 'sales_order')
    .where('administration_id', '=', administration.id)
    .where('number', 'in', numbers)
    .select(['id', 'number', 'relation_id'])
    .execute();
}

/** How a document named a relation that is known by its RelationGUID. */
export function namedThen({ values }: ImportRow, role: 'Customer' | 'Supplier', relation: Row<'relation'> | undefined) {
  if (relation === undefined) return undefined;
  const { [`${role}Number`]: number, [`${role}Name`]: name } = values as Values;
  return { number: number === undefined ? null : BigInt(number), name: name ?? relation.name };
}
