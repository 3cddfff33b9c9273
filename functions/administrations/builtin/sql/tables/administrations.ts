import { customFieldTypes } from '../../../../../shared/resources/customField.ts';
import {
  administration,
  choice,
  date,
  defaulted,
  flag,
  foldedFrom,
  id,
  integer,
  long,
  optional,
  seconds,
  text,
  unlogged,
} from './column.ts';

/** What a key may do: read, exports and documents included; or everything. */
export const keyScopes = ['read', 'all'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const administrations = {
  administration: {
    id: id(),
    name: text('Name'),
    country: choice('Countrycode', ['NL', 'BE']),
    created_on: seconds('CreatedOn'),
    /** The default accounts for revenue and costs of lines without a ledger account; "" when not set. */
    default_revenue_account: text('DefaultRevenueAccount'),
    default_cost_account: text('DefaultCostAccount'),
    /** The control accounts that entries are balanced on; "" when not set. */
    debtor_account: defaulted(text('DebtorAccount')),
    creditor_account: defaulted(text('CreditorAccount')),
    vat_payable_account: defaulted(text('VatPayableAccount')),
    vat_receivable_account: defaulted(text('VatReceivableAccount')),
    /** The sender of its invoices, beside its name and country; "" when unknown. */
    street: defaulted(text('Address_Street')),
    unit: defaulted(text('Address_Unit')),
    unit_appendix: defaulted(text('Address_UnitAppendix')),
    postal_code: defaulted(text('Address_PostalCode')),
    city: defaulted(text('Address_City')),
    vat_number: defaulted(text('TaxIdentificationNumber')),
    company_number: defaulted(text('RegistrationNumber')),
    iban: defaulted(text('IBAN')),
    bic: defaulted(text('BIC')),
    email: defaulted(text('Email')),
    phone: defaulted(text('Phone')),
    /** The default payment days of its customers; 0: no due date. */
    payment_days: defaulted(integer('PaymentDays')),
    /** Since when it is read-only; null: it is not. */
    archived_on: optional(seconds(null)),
  },
  /** Templates for the look and the texts of documents. */
  document_template: {
    id: id(),
    administration_id: administration(),
    name: text('Name'),
    name_folded: foldedFrom('name'),
    /** Whether it is the default template. */
    is_default: defaulted(flag('IsDefault')),
    /** nl, fr or en; "" for the customer's language. */
    language: defaulted(text('Language')),
    /** As #rrggbb; "" is the default. */
    color: defaulted(text('Color')),
    /** A PNG or JPEG, in base64; "" for none. */
    logo: defaulted(text('Logo')),
    text_before: defaulted(text('TextBefore')),
    text_after: defaulted(text('TextAfter')),
    payment_text: defaulted(text('PaymentText')),
    /** The texts of mails; "" is the default text. */
    mail_subject: defaulted(text('MailSubject')),
    mail_text: defaulted(text('MailText')),
  },
  /** The last used number of each series, such as relations or invoices. */
  counter: { administration_id: administration(), name: text('Name'), value: long('Last') },
  api_key: {
    id: id(),
    administration_id: administration(),
    /** Folded: compared without regard to case. */
    username: text(null),
    /** SHA-256 of the key, in hexadecimal. The key itself is never stored. */
    key_hash: unlogged(text(null)),
    label: text(null),
    created_on: seconds(null),
    revoked_on: optional(seconds(null)),
    scope: choice(null, keyScopes),
    /** The last day on which it is valid; null: no end. */
    ends_on: optional(date(null)),
    /** The last use, updated every few minutes. */
    last_used_on: unlogged(optional(seconds(null))),
  },
  /** A custom field that is configured, of products or of relations. */
  custom_field: {
    id: id(),
    administration_id: administration(),
    owner: choice(null, ['product', 'relation']),
    label: text(null),
    field_type: choice(null, customFieldTypes),
    /** Customer, Supplier or Other; of relation fields only. */
    type_of_relation: optional(text(null)),
  },
};
