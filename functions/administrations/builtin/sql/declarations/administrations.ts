import { customFieldTypes } from '../../../../../shared/resources/customField.ts';
import { vatRoundings } from '../../../../../shared/resources/vatReturn/vatReturn.ts';
import * as column from './column.ts';

/** What a key may do: read, exports and documents included; write as well; or also bring in whole files. */
export const keyScopes = ['read', 'all', 'import'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const administrations = {
  administration: {
    id: column.id(),
    /** What sheets, pushes and others know it by, whatever database it is in. */
    identifier: column.identifier(),
    name: column.text('Name'),
    country: column.choice('Countrycode', ['NL', 'BE']),
    created_on: column.seconds('CreatedOn'),
    /** The default accounts for revenue and costs of lines without a ledger account; "" when not set. */
    default_revenue_account: column.text('DefaultRevenueAccount'),
    default_cost_account: column.text('DefaultCostAccount'),
    /** The control accounts that entries are balanced on; "" when not set. */
    debtor_account: column.defaulted(column.text('DebtorAccount')),
    creditor_account: column.defaulted(column.text('CreditorAccount')),
    vat_payable_account: column.defaulted(column.text('VatPayableAccount')),
    vat_receivable_account: column.defaulted(column.text('VatReceivableAccount')),
    /** The account of the balance sheet that gets the results of earlier years; "" when not set. */
    result_account: column.defaulted(column.text('ResultAccount')),
    /** The month in which its fiscal years begin, from 1; 0: not set. */
    fiscal_year_start: column.defaulted(column.integer('FiscalYearStart')),
    /** The sender of its invoices, beside its name and country; "" when unknown. */
    street: column.defaulted(column.text('Address_Street')),
    unit: column.defaulted(column.text('Address_Unit')),
    unit_appendix: column.defaulted(column.text('Address_UnitAppendix')),
    postal_code: column.defaulted(column.text('Address_PostalCode')),
    city: column.defaulted(column.text('Address_City')),
    vat_number: column.defaulted(column.text('TaxIdentificationNumber')),
    company_number: column.defaulted(column.text('RegistrationNumber')),
    iban: column.defaulted(column.text('IBAN')),
    bic: column.defaulted(column.text('BIC')),
    email: column.defaulted(column.text('Email')),
    phone: column.defaulted(column.text('Phone')),
    /** The default payment days of its customers; 0: no due date. */
    payment_days: column.defaulted(column.integer('PaymentDays')),
    /** Since when it is read-only; null: it is not. */
    archived_on: column.optional(column.seconds(null)),
    /** Nothing is booked before the first of these days, or after the last; "": the usual ones. As yyyy-MM-dd. */
    first_booking_date: column.defaulted(column.text('FirstBookingDate')),
    last_booking_date: column.defaulted(column.text('LastBookingDate')),
    /** Nothing is booked up to and including this day any more; "": no period is closed. */
    closed_until: column.defaulted(column.text('ClosedUntil')),
    /** How its VAT return rounds: see `vatRoundings`; "" is nearest. */
    vat_rounding: column.defaulted(column.choice('VatRounding', ['', ...vatRoundings])),
    /** A correction of a filed return is a supplement above this VAT; null: what is usual in its country. */
    vat_supplement_above: column.optional(column.cents('VatSupplementAbove')),
    /** Whether nothing is booked in a period any more whose return was filed. */
    refuses_late: column.defaulted(column.flag('RefusesLate')),
  },
  /** Templates for the look and the texts of documents. */
  document_template: {
    id: column.id(),
    administration_id: column.administration(),
    name: column.text('Name'),
    name_folded: column.foldedFrom('name'),
    /** Whether it is the default template. */
    is_default: column.defaulted(column.flag('IsDefault')),
    /** nl, fr or en; "" for the customer's language. */
    language: column.defaulted(column.text('Language')),
    /** As #rrggbb; "" is the default. */
    color: column.defaulted(column.text('Color')),
    /** A PNG or JPEG, in base64; "" for none. */
    logo: column.defaulted(column.text('Logo')),
    text_before: column.defaulted(column.text('TextBefore')),
    text_after: column.defaulted(column.text('TextAfter')),
    payment_text: column.defaulted(column.text('PaymentText')),
    /** The texts of mails; "" is the default text. */
    mail_subject: column.defaulted(column.text('MailSubject')),
    mail_text: column.defaulted(column.text('MailText')),
  },
  /** The last used number of each series, such as relations or invoices. */
  counter: { administration_id: column.administration(), name: column.text('Name'), value: column.long('Last') },
  api_key: {
    id: column.id(),
    administration_id: column.administration(),
    /** Folded: compared without regard to case. */
    username: column.text(null),
    /** SHA-256 of the key, in hexadecimal. The key itself is never stored. */
    key_hash: column.secret(column.text(null)),
    label: column.text(null),
    created_on: column.seconds(null),
    revoked_on: column.optional(column.seconds(null)),
    scope: column.choice(null, keyScopes),
    /** The last day on which it is valid; null: no end. */
    ends_on: column.optional(column.date(null)),
    /** The last use, updated every few minutes. */
    last_used_on: column.unlogged(column.optional(column.seconds(null))),
  },
  /** A custom field that is configured, of products or of relations. */
  custom_field: {
    id: column.id(),
    administration_id: column.administration(),
    owner: column.choice(null, ['product', 'relation']),
    label: column.text(null),
    field_type: column.choice(null, customFieldTypes),
    /** Customer, Supplier or Other; of relation fields only. */
    type_of_relation: column.optional(column.text(null)),
  },
};
