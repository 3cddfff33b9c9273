import type { ColumnType, Generated } from 'kysely';
import { DECIMAL_SCALE, decimalText, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import type { ValueKind } from '../../../../../shared/wire/valueKind.ts';
import { comparedVatNumber, folded } from '../comparedText.ts';

/*
 * The columns of a table are declared once, as values: their types, and their names in files, responses and requests.
 * The types of rows and the functions of rows.ts follow from that. Every whole number is a bigint.
 */

/** The stored values. */
export type Stored = string | bigint | Uint8Array | null;

type Kind = {
  /** The kind of its values; null: files and responses do not have them. */
  value: ValueKind | null;
  /** The default value of a column. */
  blank: Stored;
  /** The value as a response has it in memory. */
  toResponse: (stored: never, words: readonly string[]) => unknown;
  /** The stored value of one that a request has in memory. */
  fromRequest: (value: never) => Stored;
};

const identity = <Value>(value: Value): Value => value;
const textual = <Value extends ValueKind>(value: Value) => ({
  value,
  blank: '',
  toResponse: identity,
  fromRequest: identity,
});
const decimal = (scale: number) => ({
  value: 'decimal' as const,
  blank: 0n,
  toResponse: (value: bigint) => decimalText(value, scale),
  fromRequest: (value: string) => units(value, scale),
});

const flagOf = (set: boolean): bigint => (set ? 1n : 0n);

export const kinds = {
  text: textual('text'),
  choice: textual('choice'),
  date: textual('date'),
  /** 0 or 1. */
  flag: { value: 'boolean', blank: 0n, toResponse: (value: bigint) => value === 1n, fromRequest: flagOf },
  /** A flag with a word for 1 and a word for 0. */
  either: {
    value: 'choice',
    blank: 0n,
    toResponse: (value: bigint, [set, notSet]: readonly string[]) => (value === 1n ? set : notSet),
    fromRequest: flagOf,
  },
  /** Hundredths of a euro. */
  cents: decimal(MONEY_SCALE),
  /** Units of 10^-8: prices per unit, quantities and percentages. */
  decimal8: decimal(DECIMAL_SCALE),
  /** A whole number of up to 64 bits; a response has its digits. */
  long: { value: 'long', blank: 0n, toResponse: String, fromRequest: BigInt },
  /** A whole number that a JavaScript number holds. */
  integer: { value: 'integer', blank: 0n, toResponse: Number, fromRequest: BigInt },
  bytes: { value: null, blank: null, toResponse: identity, fromRequest: identity },
  /** The id of a row. */
  reference: { value: null, blank: null, toResponse: identity, fromRequest: identity },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;

/** The kinds of column whose values files have. */
export type FiledKind = { [Name in KindName]: (typeof kinds)[Name]['value'] extends null ? never : Name }[KindName];

/**
 * What an insert needs for a column: nothing, the database makes it (generated); its value (required); its value, which
 * has a default in code (blank); optional, with a default in the database (defaulted); nothing, it follows from another
 * column (derived).
 */
type Insertion = 'generated' | 'required' | 'blank' | 'defaulted' | 'derived';

/** Makes the value of a column of those that it follows from, in their order. */
type Derive = (...stored: never[]) => string;

export type Column<
  Value = unknown,
  Responded = unknown,
  Response extends string | null = string | null,
  Request extends string | null = string | null,
  Inserted extends Insertion = Insertion,
> = {
  readonly kind: KindName;
  /** Its heading in files of imports and archives; null: files do not have it. */
  readonly heading: string | null;
  /** Its member of a response; null: it is not in responses. */
  readonly response: Response;
  /** The member of a request that changes it; null: none does so directly. */
  readonly request: Request;
  readonly insertion: Inserted;
  /** Whether it may be null. */
  readonly isOptional: boolean;
  /** Whether it identifies the row, and so never changes. */
  readonly isIdentity: boolean;
  /** Of a choice: all of them. Of a flag with words: the one for 1 and the one for 0. */
  readonly words: readonly string[];
  /** The table whose rows it refers to; `where` limits it to some of them. */
  readonly to: { readonly table: string; readonly where?: readonly [column: string, value: string] } | null;
  /** Whether this row belongs to the row it names, and is deleted with it. */
  readonly isOwner: boolean;
  /** Whether its changes are logged; those of derived columns are not. */
  readonly isLogged: boolean;
  /** Whether it names something of the administration, such as an account, unless there is no such thing. */
  readonly isCode: boolean;
  /** Whether the log says that it changed, and never its value. */
  readonly isSecret: boolean;
  /** The columns it follows from, and how. */
  readonly derivedFrom: { readonly columns: readonly string[]; readonly derive: Derive } | null;
  /** For types only; it has no value at run time. */
  readonly types?: { value: Value; inResponse: Responded };
};

export type Columns = Readonly<Record<string, Column>>;

type TypesOf<Of> = Of extends { readonly types?: infer Types } ? NonNullable<Types> : never;
export type ValueOf<Of> = TypesOf<Of> extends { value: infer Value } ? Value : never;
export type RespondedOf<Of> = TypesOf<Of> extends { inResponse: infer Responded } ? Responded : never;

/** A table as Kysely knows it. */
export type TableOf<Of extends Columns> = {
  [Name in keyof Of]: Of[Name]['insertion'] extends 'generated'
    ? Generated<ValueOf<Of[Name]>>
    : Of[Name]['insertion'] extends 'defaulted'
      ? ColumnType<ValueOf<Of[Name]>, ValueOf<Of[Name]> | undefined, ValueOf<Of[Name]>>
      : ValueOf<Of[Name]>;
};

/** Names of a column that differ from its heading. */
type Naming = { response?: string | null; request?: string; isIdentity?: true };
type ResponseName<Heading, Named> = Named extends { response: infer Name extends string | null } ? Name : Heading;
type RequestName<Named> = Named extends { request: infer Name extends string } ? Name : null;

const plain = {
  heading: null,
  response: null,
  request: null,
  insertion: 'blank',
  isOptional: false,
  isIdentity: false,
  words: [],
  to: null,
  isOwner: false,
  isLogged: true,
  isCode: false,
  isSecret: false,
  derivedFrom: null,
} as const;

/** Returns a function that declares columns of a kind. */
const columnsOf =
  <Value, Responded, Inserted extends Insertion = 'blank'>(kind: KindName, of: Partial<Column> = {}) =>
  <const Heading extends string | null, const Named extends Naming>(heading: Heading, naming?: Named) =>
    ({ ...plain, kind, heading, response: heading, ...of, ...naming }) as Column<
      Value,
      Responded,
      ResponseName<Heading, Named>,
      RequestName<Named>,
      Inserted
    >;

export const text = columnsOf<string, string>('text');
export const flag = columnsOf<bigint, boolean>('flag');
export const cents = columnsOf<bigint, string>('cents');
export const decimal8 = columnsOf<bigint, string>('decimal8');
export const long = columnsOf<bigint, string>('long');
export const integer = columnsOf<bigint, number>('integer');
/** Seconds since 1970. */
export const seconds = long;
export const date = columnsOf<CalendarDate, CalendarDate, 'required'>('date', { insertion: 'required' });

export const choice = <const Heading extends string | null, const Word extends string, const Named extends Naming>(
  heading: Heading,
  words: readonly Word[],
  naming?: Named,
) => columnsOf<Word, Word, 'required'>('choice', { insertion: 'required', words })(heading, naming);

/** A flag that files and responses have a word for when it is set, and another when it is not. */
export const either = <const Heading extends string, const Word extends string>(
  heading: Heading,
  set: Word,
  notSet: Word,
) => columnsOf<bigint, Word>('either', { words: [set, notSet] })(heading);

/** The id that the database generates. */
export const id = () =>
  columnsOf<bigint, never, 'generated'>('reference', { insertion: 'generated', isIdentity: true })(null);

/** A random id for others than the database, which is in no file: a row that is imported is another one. */
export const identifier = () =>
  columnsOf<string, never, 'required'>('text', { insertion: 'required', isIdentity: true, isLogged: false })(null);

/** The position of the row among those of its owner, from 0. */
export const position = () => columnsOf<bigint, never, 'required'>('long', { insertion: 'required' })(null);

/** The content of a file; null when there is none. */
export const bytes = () => columnsOf<Uint8Array | null, never>('bytes', { isOptional: true })(null);

/** A reference to another row. Files contain its public identifier (tables.ts), or its position in its own file. */
export const reference = (heading: string, table: string, where?: readonly [column: string, value: string]) =>
  columnsOf<bigint, never, 'required'>('reference', {
    insertion: 'required',
    to: { table, ...(where === undefined ? {} : { where }) },
  })(heading, { response: null });

/** The row that this one belongs to, and is deleted with. */
export const owner = (heading: string | null, table: string) =>
  columnsOf<bigint, never, 'required'>('reference', {
    insertion: 'required',
    to: { table },
    isOwner: true,
    isIdentity: true,
  })(heading, { response: null });

/** The administration the row is of. */
export const administration = () => owner(null, 'administration');

/** A column that may be null, which is its default. */
export const optional = <Value, Responded, Response extends string | null, Request extends string | null>(
  column: Column<Value, Responded, Response, Request>,
) =>
  ({ ...column, isOptional: true, insertion: 'blank' }) as Column<
    Value | null,
    Responded | null,
    Response,
    Request,
    'blank'
  >;

/** A column that an insert may leave out: the database makes it "" or 0. */
export const defaulted = <Value, Responded, Response extends string | null, Request extends string | null>(
  column: Column<Value, Responded, Response, Request>,
) => ({ ...column, insertion: 'defaulted' }) as Column<Value, Responded, Response, Request, 'defaulted'>;

/** A column that follows from others of its row. */
export const derived = (columns: readonly string[], derive: Derive) =>
  columnsOf<string, never, 'derived'>('text', {
    insertion: 'derived',
    isLogged: false,
    derivedFrom: { columns, derive },
  })(null);

/** Another column in the form in which it is compared: without regard to case. */
export const foldedFrom = (column: string) => derived([column], (text: Stored) => folded(String(text)));
export const comparedVatFrom = (column: string) => derived([column], (text: Stored) => comparedVatNumber(String(text)));

/** A column whose changes are logged without its values. */
export const secret = <Of extends Column>(column: Of): Of => ({ ...column, isSecret: true });

/** A column whose changes are not logged. */
export const unlogged = <Of extends Column>(column: Of): Of => ({ ...column, isLogged: false });

/** A text that names something of the administration: an account, a tax code, an article, a status, a template. */
export const code = <Of extends Column>(column: Of): Of => ({ ...column, isCode: true });

/** The stored JSON text of a response; "" when it must be made from the rows. */
export const storedResponse = () => defaulted(columnsOf<string, never>('text', { isLogged: false })(null));
