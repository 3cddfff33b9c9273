import { type InvoiceDocument, isCredit } from './invoiceDocument.ts';
import { compact } from './partyNumbers.ts';
import { dateText, filled, moneyText } from './wording.ts';

const defaults = {
  nl: {
    due: 'Gelieve {amount} uiterlijk op {dueDate} over te maken op {iban} ten name van {name}, onder vermelding van {reference}.',
    open: 'Gelieve {amount} over te maken op {iban} ten name van {name}, onder vermelding van {reference}.',
    credit: 'Wij betalen u dit bedrag terug of verrekenen het met een andere factuur.',
  },
  fr: {
    due: 'Veuillez verser {amount} au plus tard le {dueDate} sur le compte {iban} au nom de {name}, avec la communication {reference}.',
    open: 'Veuillez verser {amount} sur le compte {iban} au nom de {name}, avec la communication {reference}.',
    credit: 'Ce montant vous sera remboursé ou déduit d’une autre facture.',
  },
  en: {
    due: 'Please pay {amount} by {dueDate} to {iban} in the name of {name}, quoting {reference}.',
    open: 'Please pay {amount} to {iban} in the name of {name}, quoting {reference}.',
    credit: 'We will refund this amount or set it off against another invoice.',
  },
} as const;

/** The payment text of an invoice: the template's, or the default. */
export function paymentText(document: InvoiceDocument): string {
  const { language, template, issuer, dueDate, incl } = document;
  if (isCredit(document)) return defaults[language].credit;
  if (incl === 0n || issuer.iban === '') return '';
  const text = template.paymentText || defaults[language][dueDate === null ? 'open' : 'due'];
  return filled(text, {
    amount: moneyText(incl, language),
    dueDate: dueDate === null ? '' : dateText(dueDate, language),
    iban: ibanText(issuer.iban),
    name: issuer.name,
    reference: document.ogm || document.number,
    number: document.number,
  });
}

/** An IBAN as people read it, in groups of four. */
export const ibanText = (iban: string): string => compact(iban).replace(/(.{4})(?=.)/g, '$1 ');
