import { type FieldErrorTexts, fieldErrorTexts, refusalText } from '../../../../../shared/fieldErrors.ts';
import { MAX_LINES } from '../../../../../shared/resources/document.ts';
import { numberTaken } from '../../documentParts/numbering.ts';
import type { Refuse } from '../../documentParts/references.ts';
import type { Columns } from '../../files/column.ts';
import { type Adds, asFirst } from '../../files/documentAmounts.ts';
import type { EndpointContext } from '../../sql/endpointContext.ts';
import { byCommand } from '../../sql/logWriting/author.ts';
import type { ImportRow } from '../bind.ts';
import { type ImportContext, importer } from '../importRows.ts';
import { checkAmounts } from './statedAmounts.ts';

/*
 * How rows become documents, one row a line: which rows are of one document, and where its problems are reported.
 */

/** How rows become documents of one kind. */
type Kind<Header extends Columns, Lines extends Columns> = {
  /** The columns of the whole document: in its first row, and repeated or empty in the others. */
  header: Header;
  lines: Lines;
  /** The column with the number of a document, and the word for a document. */
  number: keyof Header & string;
  called: string;
  /** The series that continues after the imported numbers; left out: the numbers are those of suppliers. */
  counter?: 'sales_invoice' | 'sales_order';
  /** Whether a row with the same number as the row before belongs to the same document. */
  belongs: (row: ImportRow<Header & Lines>, first: ImportRow<Header & Lines>) => boolean;
  /** The stated amounts of a line, and the totals they add up to. */
  amounts: readonly string[];
  adds: Adds;
};

/** The rows of one document. */
export type DocumentRows<Table extends Columns> = {
  rows: readonly ImportRow<Table>[];
  first: ImportRow<Table>;
  /** Whether the file states its amounts. */
  hasAmounts: boolean;
  /** Reports a problem of a column, unless its cell was refused already. */
  report: (column: string, message: string, row?: ImportRow<Table>) => void;
  /** Reports the errors for which a request would be refused. */
  refuse: Refuse;
  /** Whether it has no problem so far. */
  isSound: () => boolean;
};

/** An importer of documents of one kind. */
export const documentImporter = <Header extends Columns, Lines extends Columns, Document extends { number: bigint }>(
  kind: Kind<Header, Lines>,
  start: (
    context: ImportContext,
    endpointContext: EndpointContext,
  ) => Promise<{
    /** Reads documents, and reports their problems. */
    read: (documents: readonly DocumentRows<Header & Lines>[]) => Promise<Document[]>;
    store: (documents: Document[]) => Promise<unknown>;
    /** The texts of errors of a request, for this kind. */
    texts?: FieldErrorTexts;
    /** Called with the first row of each document. */
    begun?: (row: ImportRow<Header & Lines>) => void;
  }>,
) =>
  importer<Header & Lines>({ ...kind.header, ...kind.lines }, async (context) => {
    type Table = Header & Lines;
    const { db, administration, isSound, counts } = context;
    const { read, store, texts = fieldErrorTexts, begun } = await start(context, scopeOf(context));
    let open: ImportRow<Table>[] = [];
    let highest = 0n;
    const add = async (rowsOfDocuments: readonly ImportRow<Table>[][]) => {
      const documents = await read(rowsOfDocuments.map((rows) => documentOf(context, kind, rows, texts)));
      if (!isSound()) return;
      await store(documents);
      counts.added += documents.length;
      for (const { number } of documents) if (number > highest) highest = number;
    };
    return {
      rows: async (rows) => {
        const complete: ImportRow<Table>[][] = [];
        for (const row of rows) {
          const [first] = open;
          if (
            first !== undefined &&
            numberOf(row, kind.number) === numberOf(first, kind.number) &&
            kind.belongs(row, first)
          ) {
            open.push(row);
            continue;
          }
          if (first !== undefined) complete.push(open);
          open = [row];
          begun?.(row);
        }
        if (complete.length > 0) await add(complete);
      },
      end: async () => {
        if (open.length > 0) await add([open]);
        const { counter } = kind;
        if (counter !== undefined && highest > 0n && isSound()) {
          await numberTaken(db, administration.id, counter, highest);
        }
      },
    };
  });

/** The number of a document in its row, without zeros before it; a refused one as it is. */
export const numberOf = (row: ImportRow, column: string): string =>
  (row.values[column] as string | undefined) ?? row.cell(column);

/** The context of the functions that make documents. */
const scopeOf = ({ db, administration, now }: ImportContext): EndpointContext => ({
  db,
  administration,
  now: () => now,
  author: byCommand('import'),
  today: () => new Date(Number(now) * 1000).toISOString().slice(0, 10),
});

/** Members of a request -> columns with another name. */
const columnNames: Readonly<Record<string, string>> = {
  InvoiceProject: 'ProjectNumber',
  Invoice_InvoiceLine: '',
  Order_Orderline: '',
};
/** Columns that may replace another. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  ProductNumber: ['CurrentProductNumber', 'ProductEAN'],
  TaxCode: ['CurrentTaxCode'],
  TaxPc: ['CurrentTaxCode', 'TaxCode'],
  UnitPriceExclTax: ['SubTotalInclTax'],
  SubTotalInclTax: ['AmountInclTax'],
};

/** The document of some rows; problems of the rows are reported. */
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
      if (column === kind.number) continue;
      const [expected, repeated] = [first.cell(column), row.cell(column)];
      if (repeated === '' || repeated === expected) continue;
      context.report(row.line, column, asFirst(expected, repeated));
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
        const others = alternatives[name] ?? [];
        const [current] = others.filter((other) => other.startsWith('Current') && row.values[other] !== undefined);
        // A required value is in a cell that was refused.
        const isRead = !(error.code.startsWith('REQUIRED') && others.some((other) => row.bad.has(other)));
        if (isRead) report(current ?? name, refusalText(error, texts), row);
        else isSound = false;
      }
    },
    isSound: () => isSound,
  };
}
