import * as z from 'zod/mini';
import { type Operations, operationOf, type PushedName, pushRulesOf, type RequestOf } from '../../../shared/api.ts';
import { type Field, kindOf } from '../../../shared/wire/field.ts';
import type { ColumnKind } from '../../excel/cell.ts';
import type { Messages } from '../locales/en.ts';

/*
 * The columns of sheets whose rows become requests. A sheet declares each column once: reading, checking and pushing its
 * cells, its template and its texts follow from that. A column that is no field of the request does not compile, nor
 * does a required field without a column.
 */

/**
 * How the cells of a column are read. `numbered`: a number, which a list shows with a name behind it. `digits`: a number
 * of any length.
 */
export type InputKind =
  | 'text'
  | 'numbered'
  | 'digits'
  | 'integer'
  | 'price'
  | 'amount'
  | 'decimal'
  | 'percentage'
  | 'date'
  | 'yesNo'
  | 'choice';

/** The format of the cells of each kind. */
export const formatOf: Readonly<Record<InputKind, ColumnKind>> = {
  text: 'text',
  numbered: 'text',
  digits: 'text',
  integer: 'integer',
  price: 'price',
  amount: 'amount',
  decimal: 'decimal',
  percentage: 'decimal',
  date: 'date',
  yesNo: 'text',
  choice: 'text',
};

/** What a column offers to choose from, out of the administration. */
const listNames = [
  'customers',
  'suppliers',
  'salesTaxCodes',
  'purchaseTaxCodes',
  'taxCodes',
  'accounts',
  'units',
  'orderStatuses',
] as const;
export type ListName = (typeof listNames)[number];

/** The kinds that fit a field, by the type of its values. */
type KindFor<Value> = [Value] extends [boolean]
  ? 'yesNo'
  : [Value] extends [number]
    ? 'integer' | 'numbered'
    : string extends Value
      ? Exclude<InputKind, 'integer' | 'yesNo' | 'choice'>
      : // The words of a choice stand among the codes.
        Value extends keyof Messages['codes']
        ? 'choice'
        : never;

/** A column that the user fills in. */
export type InputColumn<Value> = {
  kind: KindFor<NonNullable<Value>>;
  /** In characters. */
  width: number;
  /** Whether a row, or a document, usually lacks something without it. */
  needed?: true;
  list?: ListName;
  /** Whether a number less than 0 is a mistake. */
  sign?: 'notNegative';
  /** A number in a cell with the format of a date, a time or a percentage is taken: the pane asks about it. */
  questioned?: true;
};

/** The members with the lines of a document. */
type LinesMember = 'Invoice_InvoiceLine' | 'Order_Orderline' | 'JournalEntry_Line';
type Shape<Name extends PushedName> = Operations[Name]['request']['shape'];
type LineSchema<Name extends PushedName> =
  Shape<Name>[keyof Shape<Name> & LinesMember] extends z.ZodMiniPipe<infer _, z.ZodMiniArray<infer Line>>
    ? Line
    : never;
type RequiredIn<Input> = {
  [Key in keyof Input]-?: Record<never, never> extends Pick<Input, Key> ? never : Key;
}[keyof Input];
type Heading = keyof Messages['headings']['documents'];
type Columns<Output, Input, Part> = {
  readonly [Key in keyof Output & RequiredIn<Input>]: InputColumn<Output[Key]> & Part;
} & { readonly [Key in keyof Output & Heading]?: InputColumn<Output[Key]> & Part };
type LineColumns<Line> = [Line] extends [z.ZodMiniType]
  ? Columns<z.output<Line>, z.input<Line>, { line: true }>
  : unknown;

/** The columns of a sheet by the fields of its request, in the order of the sheet. */
export type RequestColumns<Name extends PushedName> = Columns<
  Omit<RequestOf<Name>, LinesMember>,
  Omit<z.input<Operations[Name]['request']>, LinesMember>,
  { line?: never }
> &
  LineColumns<LineSchema<Name>>;

/** A column of any request. */
export type RequestColumn = Omit<InputColumn<string>, 'kind'> & { kind: InputKind; line?: boolean };

/** A sheet whose rows become requests of an endpoint. */
export type RequestSheet<View extends SheetView = SheetView> = {
  /** The view that its table stores. */
  view: View;
  endpoint: PushedName;
  /** The member of the request with its lines; undefined when a row is a request. */
  lines: string | undefined;
  columns: Readonly<Record<string, RequestColumn>>;
  /** The column that its results stand behind. */
  resultsAfter: string;
  /** The column whose rows with the same value are one request. */
  key: string;
};

/** The views that the tables of sheets store: those that have texts. */
export type SheetView = keyof Messages['documentSheets']['kinds'];

/** Every sheet by its view. One that has texts and no declaration does not compile. */
export type RequestSheets = { readonly [View in SheetView]: RequestSheet<View> };

/** The column that says which rows are lines of one document. */
export const DOCUMENT = 'Document';

/** Declares a sheet with documents. */
export const documentSheet = <View extends SheetView, Name extends PushedName>(
  view: View,
  endpoint: Name,
  columns: RequestColumns<Name>,
  resultsAfter: keyof RequestColumns<Name> & string,
): RequestSheet<View> => ({
  view,
  endpoint,
  lines: pushRulesOf(endpoint).lines,
  columns: columns as RequestSheet['columns'],
  resultsAfter,
  key: DOCUMENT,
});

/** Declares a sheet whose rows are requests without lines. @param key the field that names what a row makes */
export const rowSheet = <View extends SheetView, Name extends PushedName>(
  view: View,
  endpoint: Name,
  columns: RequestColumns<Name>,
  resultsAfter: keyof RequestColumns<Name> & string,
  key: keyof RequestColumns<Name> & string,
): RequestSheet<View> => ({ ...documentSheet(view, endpoint, columns, resultsAfter), lines: undefined, key });

/** What the cells of a row are read by. */
export type InputSheet = Pick<RequestSheet, 'endpoint' | 'lines' | 'columns'>;

/** The fields of a line of a document; undefined for a request without lines. */
export const lineSchemaOf = ({ endpoint, lines }: InputSheet): z.ZodMiniObject | undefined =>
  lines === undefined ? undefined : objectIn(operationOf(endpoint).request.shape[lines]!);

/** The field of a column, in the request or in one of its lines. */
export function fieldOf(sheet: InputSheet, column: string): Field<unknown> {
  const { shape } = sheet.columns[column]!.line ? lineSchemaOf(sheet)! : operationOf(sheet.endpoint).request;
  const schema = shape[column]!;
  return (
    schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema
  ) as Field<unknown>;
}

/** The words of a column with choices, as the interface spells them. */
export const wordsOf = (sheet: InputSheet, column: string): string[] =>
  (kindOf(fieldOf(sheet, column))?.schema.enum ?? []) as string[];

/** The object that a list is of. */
function objectIn(schema: z.core.$ZodType): z.ZodMiniObject {
  if (schema instanceof z.ZodMiniPipe) return objectIn(schema.def.out);
  return schema instanceof z.ZodMiniArray ? objectIn(schema.def.element) : (schema as z.ZodMiniObject);
}
