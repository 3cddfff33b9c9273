import type * as z from 'zod/mini';
import { encode } from '../wire/encode.ts';
import * as response from '../wire/response.ts';

/** The amounts of a document, which are summed over a push. */
export const documentAmounts = () => ({
  totalExclTax: response.decimal(),
  taxAmount: response.decimal(),
  totalInclTax: response.decimal(),
});

/**
 * What a push shows of a document that it made: no names, since it is stored beside the books. Amounts that the
 * response of the interface lacks are null.
 */
export const madeDocument = response.record(() => ({
  number: response.text(),
  date: response.date(),
  dueDate: response.date(),
  ...documentAmounts(),
  /** Of an order. */
  status: response.text(),
  /** The path of its PDF; "" where there is none. */
  pdf: response.text(),
}));
export type MadeDocument = z.output<typeof madeDocument>;

const nothing: MadeDocument = {
  number: '',
  date: null,
  dueDate: null,
  totalExclTax: null,
  taxAmount: null,
  totalInclTax: null,
  status: '',
  pdf: '',
};

/** The part of push rules that all documents share. @param shown what a response says of the document */
export const showsDocument = <Made>(shown: (made: Made) => Partial<MadeDocument>) =>
  ({
    result: 'document',
    show: (made: Made): string => encode(madeDocument, { ...nothing, ...shown(made) }),
    sums: Object.keys(documentAmounts()),
    isNumbered: true,
  }) as const;

/** What the response of an invoice says. */
export const shownOfInvoice = (made: {
  InvoiceNumber: string | null;
  InvoiceDate: string | null;
  InvoiceDueDate: string | null;
  InvoiceTotalExclTax: string | null;
  InvoiceTaxAmount: string | null;
  InvoiceTotalInclTax: string | null;
}): Partial<MadeDocument> => ({
  number: made.InvoiceNumber ?? '',
  date: made.InvoiceDate,
  dueDate: made.InvoiceDueDate,
  totalExclTax: made.InvoiceTotalExclTax,
  taxAmount: made.InvoiceTaxAmount,
  totalInclTax: made.InvoiceTotalInclTax,
});
