import { type FieldErrorTexts, fieldErrorTexts, refusalText } from '../../../../../shared/fieldErrors.ts';
import { MAX_LINES } from '../../../../../shared/resources/document.ts';
import type { Refuse } from '../../documents/references.ts';
import type { Columns } from '../../files/column.ts';
import type { Adds } from '../../files/documentAmounts.ts';
import type { EndpointContext } from '../../sql/endpointContext.ts';
import { byCommand } from '../../sql/log/author.ts';
import type { ImportRow } from '../bind.ts';
import { type ImportContext, importer } from '../importRows.ts';
import { checkAmounts } from './statedAmounts.ts';

/*
 * How rows become documents, one row a line: which rows are of one document, and where it is told what is wrong with it.
 */

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
  importer<Header & Lines>({ ...kind.header, ...kind.lines }, async (context) => {
    type Table = Header & Lines;
    const { store, texts = fieldErrorTexts, end, begun } = await start(context, scopeOf(context));
    let open: ImportRow<Table>[] = [];
    return {
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
  author: byCommand('import'),
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
