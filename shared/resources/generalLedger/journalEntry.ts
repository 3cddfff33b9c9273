import type * as z from 'zod/mini';
import { centsText, MONEY_SCALE, sum, units } from '../../money.ts';
import type { PushRules } from '../../pushRules.ts';
import * as field from '../../wire/field.ts';
import { refuseMember } from '../../wire/issues.ts';
import * as response from '../../wire/response.ts';
import { costCenter, lines, MAX_REFERENCE_LENGTH } from '../document.ts';
import { showsDocument } from '../madeDocument.ts';

/** The journals of entries without a document of their own. */
const enteredJournals = ['memorial', 'bank', 'cash'] as const;

const amount = () => field.optional(field.decimal({ min: 0, decimals: MONEY_SCALE }));
const isAmount = (decimal: string | undefined): boolean => decimal !== undefined && units(decimal, MONEY_SCALE) !== 0n;

const journalEntryLine = field.object(
  () => ({
    LedgerAccountNumber: field.text({ max: field.MAX_NAME_LENGTH, trimmed: true }),
    /** One of both; never negative. */
    Debit: amount(),
    Credit: amount(),
    /** The relation of the line, as a customer or as a supplier; 0 counts as left out. */
    CustomerNumber: field.optional(field.integer({ min: 0 })),
    SupplierNumber: field.optional(field.integer({ min: 0 })),
    /** The number of what is booked, such as an invoice. */
    LineDocument: field.optional(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true })),
    Description: field.optional(field.text({ max: MAX_REFERENCE_LENGTH })),
    CostCenter: costCenter(),
    /** The code of a tax, and the amount that is taxed, on the side of the line. */
    TaxCode: field.optionalText(),
    TaxBase: amount(),
    /** The tax, on a line of what is taxed, as 0 at 0 %. Left out: the line is the tax itself. */
    TaxAmount: amount(),
  }),
  {
    check: (line, context) => {
      if (isAmount(line.Debit) === isAmount(line.Credit)) refuseMember(context, 'Debit', 'DEBIT_OR_CREDIT');
      if (line.CustomerNumber && line.SupplierNumber) refuseMember(context, 'SupplierNumber', 'CUSTOMER_OR_SUPPLIER');
      if (line.TaxCode === undefined && (line.TaxBase ?? line.TaxAmount) !== undefined)
        refuseMember(context, 'TaxCode', 'TAX_WITH_BASE');
      if (line.TaxCode !== undefined && line.TaxBase === undefined) refuseMember(context, 'TaxBase', 'TAX_WITH_BASE');
    },
  },
);
type JournalEntryLine = z.output<typeof journalEntryLine>;

/** The amount of a line in cents: positive is debit, negative is credit. */
export const centsOf = ({ Debit = '0', Credit = '0' }: Pick<JournalEntryLine, 'Debit' | 'Credit'>): bigint =>
  units(Debit, MONEY_SCALE) - units(Credit, MONEY_SCALE);

export const journalEntryAddition = field.object(
  () => ({
    /** Left out: today. */
    EntryDate: field.optional(field.date()),
    Journal: field.otherwise(field.choice(...enteredJournals), 'memorial'),
    /** Left out: the next number. */
    EntryNumber: field.optional(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true })),
    EntryDescription: field.optional(field.text({ max: MAX_REFERENCE_LENGTH })),
    JournalEntry_Line: lines(journalEntryLine),
  }),
  {
    check: ({ JournalEntry_Line }, context) => {
      const difference = sum(JournalEntry_Line.map(centsOf));
      if (difference === 0n) return;
      const [side, missing] = difference > 0n ? (['credit', difference] as const) : (['debit', -difference] as const);
      refuseMember(context, 'JournalEntry_Line', 'NOT_BALANCED', {
        side,
        missing: centsText(missing),
      });
    },
  },
);
export type JournalEntryAddition = z.output<typeof journalEntryAddition>;

/** A booked entry. */
export const journalEntry = response.record(() => ({
  EntryNumber: response.text(),
  EntryDate: response.date(),
  Journal: response.choice(...enteredJournals),
  EntryDescription: response.text(),
}));
export type JournalEntry = z.output<typeof journalEntry>;

/** An entry has no totals with and without tax, so nothing is summed. */
export const journalEntryPush: PushRules<JournalEntryAddition, JournalEntry> = {
  ...showsDocument<JournalEntry>(({ EntryNumber, EntryDate }) => ({ number: EntryNumber, date: EntryDate })),
  sums: [],
  sole: {},
  lines: 'JournalEntry_Line',
};
