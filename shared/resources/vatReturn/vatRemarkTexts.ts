/*
 * What a VAT return says of itself: codes, and the English sentence of each, made from its values. Codes are permanent,
 * so that clients can translate them. Amounts are decimal text.
 */

/** `1, 2, 3 and 4 more`. */
const several = (documents: string, more: string): string =>
  more === '0' ? documents : `${documents} and ${more} more`;
const control = (rule: string) => (expected: string, declared: string) =>
  `${rule}: ${expected} expected, ${declared} declared.`;
const limit = (rule: string) => (most: string, declared: string) => `${rule}: at most ${most}, ${declared} declared.`;

export const vatRemarkTexts = {
  UNMAPPED: (side: string, taxCode: string, base: string, tax: string, documents: string, more: string) => {
    const what = taxCode === '' ? `${side} lines without a tax code` : `The ${side} tax code "${taxCode}"`;
    return `${what}: no box is known for ${base} with ${tax} of VAT, in ${several(documents, more)}.`;
  },
  DOUBTFUL: (side: string, taxCode: string, doubt: string) => `${side} ${taxCode}: ${doubt}`,
  NOT_BOOKED: (documents: string, more: string) =>
    `Booked with what the invoice charges only, while the return has what is owed and deducted too: ${several(documents, more)}.`,
  BASE_DERIVED: (documents: string, more: string) =>
    `Entries with VAT and without its base, which follows from the percentage: ${several(documents, more)}.`,
  KIND_DERIVED: (count: string) =>
    count === '1'
      ? '1 purchase has no kind (81 to 83): it was derived from its account.'
      : `${count} purchases have no kind (81 to 83): it was derived from their accounts.`,
  NO_VAT_NUMBER: (name: string, document: string) => `${name} has no VAT number: ${document} charges no VAT.`,
  NO_EU_NUMBER: (name: string, vatNumber: string, document: string) =>
    `The VAT number of ${name}, ${vatNumber}, is of no other country of the EU: ${document} is in the listing within the EU.`,
  UNUSUAL_RATE: (document: string, tax: string, base: string) =>
    `${document}: ${tax} of VAT on ${base} is no usual rate on its date.`,
  CARRIED: (box: string, amount: string) =>
    `Box ${box} would be ${amount}: it is 0, and the rest counts in the next period.`,
  LISTING_DIFFERS: (boxes: string, declared: string, listed: string) =>
    `${boxes}: ${declared}, the listing within the EU: ${listed}.`,
  ACCOUNTS_DIFFER: (moved: string, expected: string) =>
    `The VAT accounts moved by ${moved} in the period, the documents of the return by ${expected}.`,
  ENTRY_DIFFERS: (date: string, document: string, moved: string, expected: string) =>
    `${date} ${document}: the VAT accounts moved by ${moved}, the return has ${expected}.`,
  LATE: (count: string, tax: string, due: string) =>
    `${count} ${count === '1' ? 'document is' : 'documents are'} dated in a period that had been filed, with ${tax} of VAT to pay: ${
      due === 'supplement'
        ? 'that is above the limit for the next return: file a supplement'
        : count === '1'
          ? 'it counts in this one'
          : 'they count in this one'
    }.`,
  CHANGED: (box: string, part: string, filed: string, now: string) =>
    `Box ${box} (${part}) was filed as ${filed}, and would be ${now} today.`,
  DOCUMENT_CHANGED: (document: string, date: string, box: string, part: string, filed: string, now: string) =>
    `${document} of ${date}: ${filed} was filed in box ${box} (${part}), and it would be ${now} today.`,
  LATE_DOCUMENT: (document: string, date: string, tax: string, countsOn: string) =>
    `${document} of ${date} was entered after this return was filed: its VAT to pay, ${tax}, counts in the return of ${countsOn}.`,
  /** `due`: supplement; late: what came later, which counts by itself; next: what has changed; both. */
  CORRECTION: (tax: string, due: string, ofChanges: string) =>
    `Since this return was filed, VAT to pay has changed by ${tax}: ${
      due === 'supplement'
        ? 'that is above the limit for the next return: file a supplement'
        : due === 'late'
          ? 'the next return has it by itself'
          : due === 'both'
            ? `the next return has what came later by itself; correct the other ${ofChanges} in it`
            : 'correct it in the next return'
    }.`,
  MORE: (count: string, code: string) => `${count} more as those of ${code}.`,
  CONTROL_O: control('54 against 6% of 01, 12% of 02 and 21% of 03'),
  CONTROL_P: control('55 against 21% of 84, 86 and 88'),
  CONTROL_Q: control('56 and 57 against 21% of 85 and 87'),
  CONTROL_S: limit('59 against half of 81 to 85'),
  CONTROL_T: limit('63 against 21% of 85'),
  CONTROL_U: limit('64 against 21% of 49'),
};

export type VatRemarkTexts = typeof vatRemarkTexts;
export type VatRemarkCode = keyof VatRemarkTexts;

/** A remark on a return. It warns and never prevents anything. */
export type VatRemark = {
  [Code in VatRemarkCode]: { code: Code; values: Parameters<VatRemarkTexts[Code]> };
}[VatRemarkCode];
