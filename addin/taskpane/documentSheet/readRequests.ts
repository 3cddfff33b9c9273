import { pushRulesOf } from '../../../shared/api.ts';
import { type FieldError, fieldError } from '../../../shared/fieldErrors.ts';
import { groupBy } from '../../../shared/groupBy.ts';
import type { Confirmation } from '../../../shared/pushRules.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { keyText } from '../../excel/tables/table.ts';
import { explainField } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';
import type { PushedRequest } from '../push/sheetPush.ts';
import { aboutCell, readAsService, readFilled, readText } from '../sheetColumns/readInput.ts';
import { DOCUMENT, type RequestSheet } from '../sheetColumns/requestColumns.ts';
import { headingIn } from '../sheetColumns/requestTable.ts';
import { type RequestTotals, requestTotals, type TaxRates } from './requestTotals.ts';

/** What is wrong with a cell; one of a whole request is of its key. */
type CellIssue = { number: number; column: string; address: string; message: string };

/** A request as the rows of a sheet make it: a document, or a single row. */
export type RowRequest = {
  /** The number of its first row in the sheet. */
  number: number;
  key: string;
  /** The numbers of its rows, the first one first. */
  rows: readonly number[];
  hidden: boolean;
  status: Cell;
  message: Cell;
  /** The address of a cell of its first row. */
  addressOf: TableRow['addressOf'];
  request: PushedRequest;
  issues: readonly CellIssue[];
  totals: RequestTotals;
  /** What somebody confirms before it is sent. */
  confirmations: readonly Confirmation[];
};

/** What a request is read by. `errorsOf`: what the books say of it, as far as they are known. */
export type Reading = {
  sheet: RequestSheet;
  messages: Messages;
  taxRates: TaxRates;
  errorsOf?: ((request: PushedRequest) => readonly FieldError[]) | undefined;
};

/**
 * Reads the requests of a sheet by the rules of the interface. Rows with the same document are its lines, wherever they
 * are, in their order; a field of the document stands in any of them, and is the same in all that have it.
 */
export function readRequests(rows: readonly TableRow[], reading: Reading): RowRequest[] {
  const { sheet } = reading;
  const filled = rows.filter((row) => !isEmptyRow(row, sheet));
  const groups = groupBy(filled, (row) =>
    sheet.key === DOCUMENT && documentIssue(row, reading) === undefined ? keyOf(row, sheet) : row.number,
  );
  return withoutShared(
    [...groups.values()].map((group) => readRequestOf(group, reading)),
    reading,
  );
}

/** Whether a row has nothing of a request. */
export const isEmptyRow = (row: TableRow, { columns }: RequestSheet): boolean =>
  !Object.keys(columns).some((column) => isFilled(row, column));

const cellIn = ({ cells }: TableRow, column: string): Cell => cells.get(column) ?? '';
const isFilled = (row: TableRow, column: string): boolean => textOfCell(cellIn(row, column)) !== '';
export const keyOf = (row: TableRow, { key }: RequestSheet): string => keyText([cellIn(row, key)]);

/** What is wrong with the cell that says which document a row is of. */
function documentIssue(row: TableRow, { messages }: Reading): string | undefined {
  if (!isFilled(row, DOCUMENT)) return messages.cell.noDocument;
  const read = readText({ cell: cellIn(row, DOCUMENT), nature: row.natures.get(DOCUMENT) }, messages);
  return read.kind === 'refused' ? read.reason : undefined;
}

function readRequestOf(rows: readonly TableRow[], reading: Reading): RowRequest {
  const { sheet, messages, taxRates, errorsOf } = reading;
  const [first] = rows as [TableRow];
  const issues: CellIssue[] = [];
  const report = (row: TableRow, column: string, text: string) => {
    const { number } = row;
    if (issues.some((issue) => issue.number === number && issue.column === column)) return;
    const address = row.addressOf(column);
    const message = aboutCell(headingIn(sheet, column, messages), address, text, messages);
    issues.push({ number, column, address: address ?? wholeRow(number), message });
  };
  const ofDocument = sheet.key === DOCUMENT ? documentIssue(first, reading) : undefined;
  if (ofDocument !== undefined) report(first, DOCUMENT, ofDocument);

  const request: Record<string, unknown> = {};
  /** The row with the value of each field of the document. */
  const places = new Map<string, TableRow>();
  const lines: Record<string, unknown>[] = [];
  const lineRows: TableRow[] = [];
  for (const row of rows) {
    const line: Record<string, unknown> = {};
    for (const [column, read] of readFilled(row, sheet, messages)) {
      if (read.kind === 'refused') report(row, column, read.reason);
      if (sheet.columns[column]!.line) {
        // A refused value still makes its row a line, so that the others are not refused for the lack of it.
        line[column] = read.kind === 'refused' ? undefined : read.value;
      } else if (read.kind === 'found') {
        if (places.has(column) && request[column] !== read.value) report(row, column, messages.cell.sameInDocument);
        else if (!places.has(column)) request[column] = read.value;
        if (!places.has(column)) places.set(column, row);
      }
    }
    if (Object.keys(line).length > 0) {
      lines.push(line);
      lineRows.push(row);
    }
  }
  if (sheet.lines !== undefined) request[sheet.lines] = lines.map(withoutMissing);

  const place = {
    number: first.number,
    key: keyOf(first, sheet),
    rows: rows.map(({ number }) => number),
    hidden: rows.some(({ hidden }) => hidden),
    status: rows.map((row) => cellIn(row, 'Status')).find((status) => status !== '') ?? '',
    message: cellIn(first, 'Message'),
    addressOf: first.addressOf,
  };
  const read = readAsService(sheet.endpoint, request);
  for (const error of [...(read.kind === 'refused' ? read.reason : []), ...(errorsOf?.(request) ?? [])]) {
    const { row, column } = placeOfError(error, sheet, { first, places, lineRows });
    const text = explainField(error, messages);
    if (column !== undefined) report(row, column, text);
    else {
      const { number } = row;
      const address = row.addressOf(sheet.key) ?? wholeRow(number);
      issues.push({ number, column: sheet.key, address, message: text });
    }
  }
  if (read.kind === 'refused') {
    return { ...place, request, issues, totals: {}, confirmations: [] };
  }
  const confirmations = pushRulesOf(sheet.endpoint).confirmations?.(read.value) ?? [];
  const totals = issues.length === 0 ? requestTotals(sheet.endpoint, read.value, taxRates) : {};
  return { ...place, request, issues, totals, confirmations };
}

/** The address of a row, where a cell of it has none. */
const wholeRow = (number: number): string => `${number}:${number}`;

const withoutMissing = (line: Record<string, unknown>): PushedRequest =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));

/** The row and the column of an error; without a column it is of the whole request. */
function placeOfError(
  { path }: FieldError,
  { columns }: RequestSheet,
  {
    first,
    places,
    lineRows,
  }: { first: TableRow; places: ReadonlyMap<string, TableRow>; lineRows: readonly TableRow[] },
): { row: TableRow; column: string | undefined } {
  const [, index, member = ''] = /\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const column = index === undefined ? path : member;
  const row = index === undefined ? (places.get(path) ?? first) : (lineRows[Number(index)] ?? first);
  return { row, column: Object.hasOwn(columns, column) ? column : undefined };
}

/** Refuses requests that share what no two may, as a push of them would be. */
function withoutShared(requests: readonly RowRequest[], { sheet, messages }: Reading): RowRequest[] {
  const { sole } = pushRulesOf(sheet.endpoint);
  const shared = new Map<RowRequest, CellIssue>();
  for (const [field, code] of Object.entries(sole)) {
    const named = requests.filter(({ request }) => request[field] !== undefined);
    for (const [value, group] of groupBy(named, ({ request }) => String(request[field]))) {
      if (group.length < 2 || !Object.hasOwn(sheet.columns, field)) continue;
      for (const one of group) {
        const rows = group.filter((other) => other !== one).map(({ number }) => String(number));
        const error = fieldError(field, code!, { row: one.number, field, value, rows: rows.slice(0, 5) });
        const { number } = one;
        const address = one.addressOf(field) ?? wholeRow(number);
        const heading = headingIn(sheet, field, messages);
        const message = messages.cell.at(heading, address, explainField(error, messages));
        shared.set(one, { number, address, column: field, message });
      }
    }
  }
  return requests.map((one) => {
    const issue = shared.get(one);
    return issue === undefined ? one : { ...one, issues: [...one.issues, issue] };
  });
}
