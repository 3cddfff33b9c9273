import { memoized } from '../../../shared/memoized.ts';
import { type Cents, DECIMAL_SCALE, type Decimal8, decimalText, MONEY_SCALE } from '../../../shared/money.ts';
import type { CalendarDate } from '../../../shared/wire/calendarDate.ts';
import type { Language } from './invoiceDocument.ts';

/*
 * Formatted amounts and dates, and the texts of documents, in each language. Figures follow the customs of the
 * Netherlands, of French-speaking Belgium and of Great Britain.
 */

const locales = { nl: 'nl-NL', fr: 'fr-BE', en: 'en-GB' } as const;

type ExactFormat = { format(value: `${number}`): string };

/** The formats of a language. Making them takes milliseconds, which only documents need. */
const formatsOf = memoized((language: Language) => {
  const locale = locales[language];
  const exact = (options: Intl.NumberFormatOptions): ExactFormat => new Intl.NumberFormat(locale, options);
  return {
    money: exact({ style: 'currency', currency: 'EUR' }),
    amount: exact({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    price: exact({ minimumFractionDigits: 2, maximumFractionDigits: 8 }),
    number: exact({ maximumFractionDigits: 8 }),
    date: new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }),
  };
});

/** Formats take decimal text, so nothing goes through a float. Lines do not break inside a figure. */
const written = (format: ExactFormat, units: bigint, scale: number): string =>
  format.format(decimalText(units, scale) as `${number}`).replace(/[\s\u202f]/g, '\u00a0');

/** `€ 1.234,56` */
export const moneyText = (cents: Cents, language: Language): string =>
  written(formatsOf(language).money, cents, MONEY_SCALE);
/** `1.234,56` */
export const amountText = (cents: Cents, language: Language): string =>
  written(formatsOf(language).amount, cents, MONEY_SCALE);
/** With two decimals, or more if there are more. */
export const priceText = (price: Decimal8, language: Language): string =>
  written(formatsOf(language).price, price, DECIMAL_SCALE);
export const numberText = (value: Decimal8, language: Language): string =>
  written(formatsOf(language).number, value, DECIMAL_SCALE);
export const percentageText = (value: Decimal8, language: Language): string => `${numberText(value, language)}%`;
/** `22-11-2026`, `22/11/2026` */
export const dateText = (date: CalendarDate, language: Language): string =>
  formatsOf(language).date.format(new Date(`${date}T00:00:00Z`));

/** The labels of documents. */
export const words = {
  nl: {
    invoice: 'Factuur',
    credit: 'Creditnota',
    draft: 'Concept',
    number: 'Factuurnummer',
    creditNumber: 'Creditnotanummer',
    date: 'Datum',
    dueDate: 'Vervaldatum',
    reference: 'Uw referentie',
    credited: 'Betreft factuur',
    project: 'Project',
    customerNumber: 'Klantnummer',
    customerVat: 'Btw-nummer',
    delivery: 'Leveringsadres',
    description: 'Omschrijving',
    quantity: 'Aantal',
    price: 'Prijs',
    discount: 'Korting',
    vat: 'Btw',
    amount: 'Bedrag',
    subtotal: 'Subtotaal',
    totalExcl: 'Totaal exclusief btw',
    totalIncl: 'Te betalen',
    totalCredit: 'Totaal tegoed',
    over: 'over',
    page: 'Pagina {page} van {pages}',
    vatNumber: 'Btw',
    scan: 'Scan om te betalen',
    attention: 'T.a.v.',
  },
  fr: {
    invoice: 'Facture',
    credit: 'Note de crédit',
    draft: 'Brouillon',
    number: 'Numéro de facture',
    creditNumber: 'Numéro de note de crédit',
    date: 'Date',
    dueDate: 'Échéance',
    reference: 'Votre référence',
    credited: 'Concerne la facture',
    project: 'Projet',
    customerNumber: 'Numéro de client',
    customerVat: 'Numéro de TVA',
    delivery: 'Adresse de livraison',
    description: 'Description',
    quantity: 'Quantité',
    price: 'Prix',
    discount: 'Remise',
    vat: 'TVA',
    amount: 'Montant',
    subtotal: 'Sous-total',
    totalExcl: 'Total hors TVA',
    totalIncl: 'À payer',
    totalCredit: 'Total en votre faveur',
    over: 'sur',
    page: 'Page {page} sur {pages}',
    vatNumber: 'TVA',
    scan: 'Scannez pour payer',
    attention: 'À l’attention de',
  },
  en: {
    invoice: 'Invoice',
    credit: 'Credit note',
    draft: 'Draft',
    number: 'Invoice number',
    creditNumber: 'Credit note number',
    date: 'Date',
    dueDate: 'Due date',
    reference: 'Your reference',
    credited: 'Credits invoice',
    project: 'Project',
    customerNumber: 'Customer number',
    customerVat: 'VAT number',
    delivery: 'Delivery address',
    description: 'Description',
    quantity: 'Quantity',
    price: 'Price',
    discount: 'Discount',
    vat: 'VAT',
    amount: 'Amount',
    subtotal: 'Subtotal',
    totalExcl: 'Total excluding VAT',
    totalIncl: 'Amount due',
    totalCredit: 'Total in your favour',
    over: 'of',
    page: 'Page {page} of {pages}',
    vatNumber: 'VAT',
    scan: 'Scan to pay',
    attention: 'Attn.',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** A text with the values of its `{placeholders}`; an unknown one is left as it is. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : placeholder,
  );

export type Words = { [Name in keyof (typeof words)['nl']]: string };
