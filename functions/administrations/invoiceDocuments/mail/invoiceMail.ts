import { type InvoiceDocument, isCredit, type Language } from '../invoiceDocument.ts';
import { paymentText } from '../paymentText.ts';
import { dateText, filled, moneyText, words } from '../wording.ts';

/** The mail texts of a template; "" is the default text. Both may contain the placeholders below. */
type MailTemplate = { subject: string; text: string };

const defaults: Record<Language, MailTemplate> = {
  nl: {
    subject: '{kind} {number} van {issuer}',
    text: 'Beste {contact},\n\nIn de bijlage vindt u {kind} {number} van {date}, groot {amount}.\n\n{payment}\n\nMet vriendelijke groet,\n{issuer}',
  },
  fr: {
    subject: '{kind} {number} de {issuer}',
    text: 'Bonjour {contact},\n\nVous trouverez en annexe : {kind} {number} du {date}, d’un montant de {amount}.\n\n{payment}\n\nCordialement,\n{issuer}',
  },
  en: {
    subject: '{kind} {number} from {issuer}',
    text: 'Dear {contact},\n\nPlease find attached {kind} {number} of {date}, for {amount}.\n\n{payment}\n\nKind regards,\n{issuer}',
  },
};

export function invoiceMail(document: InvoiceDocument, template: MailTemplate): MailTemplate {
  const { language, incl } = document;
  const credit = isCredit(document);
  const values = {
    kind: words[language][credit ? 'credit' : 'invoice'].toLowerCase(),
    number: document.number,
    issuer: document.issuer.name,
    customer: document.customer.name,
    contact: document.customer.contact || document.customer.name,
    date: dateText(document.date, language),
    dueDate: document.dueDate === null ? '' : dateText(document.dueDate, language),
    amount: moneyText(credit ? -incl : incl, language),
    reference: document.reference,
    payment: paymentText(document),
  };
  const subject = filled(template.subject || defaults[language].subject, values);
  return {
    subject: subject.charAt(0).toUpperCase() + subject.slice(1),
    text: filled(template.text || defaults[language].text, values).replace(/\n{3,}/g, '\n\n'),
  };
}
