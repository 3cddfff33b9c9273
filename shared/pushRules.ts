/** What a push makes or changes, as a member of a row's result. */
export const resultMembers = ['product', 'document'] as const;
export type ResultMember = (typeof resultMembers)[number];

/** What somebody confirms before a push begins, since it cannot be taken back: the rows with it are counted. */
export const confirmations = ['mails', 'periodicInvoices'] as const;
export type Confirmation = (typeof confirmations)[number];

/** What a list, or a request, says of a document: what is left out is not known, or is given by the administration. */
export type DocumentFacts = {
  number?: string | undefined;
  date?: string | undefined;
  customerNumber?: number | undefined;
  customerName?: string | undefined;
  totalExclTax?: string | undefined;
  /** Of a request: the lines of that total with parts of a cent, which a service may round one by one. */
  roundedLines?: number | undefined;
  totalInclTax?: string | undefined;
  reference?: string | undefined;
};

/** How a document is found that was perhaps made: in a list, by what its request says. */
export type DocumentLookup<Request, Listed> = {
  readonly list: 'listsalesinvoices';
  /** undefined: nothing in the list would tell it from others. */
  expected(request: Request): DocumentFacts | undefined;
  /** undefined: it is of another kind. */
  facts(listed: Listed): DocumentFacts | undefined;
};

/**
 * What pushes know about the writes of an endpoint. It stands beside the endpoint's schemas, so that pushes know no
 * endpoint by name.
 */
export type PushRules<Request, Made> = {
  /** The member of a row's result. */
  readonly result: ResultMember;
  /** What is remembered and shown of a response, as JSON text. @param made the product or the document in it */
  show(made: Made): string;
  /** Amounts in that, which are summed over a push. */
  readonly sums: readonly string[];
  /** Fields whose values no two rows may share, with the code of the refusal. */
  readonly sole: { readonly [Field in keyof Request]?: 'PRODUCT_TWICE' | 'INVOICE_NUMBER_TWICE' };
  /** The list with its lines. */
  readonly lines?: keyof Request & string;
  /** Whether it gets the next number of a series, so that the order of such rows matters. */
  readonly isNumbered: boolean;
  /** Names of what it makes or changes, and of what it reads: a row that reads comes after the one that changes. */
  changes?(request: Request): readonly string[];
  reads?(request: Request): readonly string[];
  /** Whether it adds to what is there, instead of setting it. */
  adds?(request: Request): boolean;
  /** How one is found whose response was lost; left out: there is no list of them. */
  readonly lookup?: DocumentLookup<Request, Made>;
  /** The field of a reference, which a push may fill. */
  readonly reference?: keyof Request & string;
  /** Where somebody looks for one whose outcome is unknown, in words. */
  lookFor?(request: Request): string;
  /** What somebody confirms first. */
  confirmations?(request: Request): readonly Confirmation[];
};
