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
    /** Where revenue and costs go when a line names no ledger account; "" when none is set. */
    default_revenue_account: text('DefaultRevenueAccount'),
    default_cost_account: text('DefaultCostAccount'),
    /** The control accounts that entries are balanced on; "" when not set. */
    debtor_account: defaulted(text('DebtorAccount')),
    creditor_account: defaulted(text('CreditorAccount')),
    vat_payable_account: defaulted(text('VatPayableAccount')),
    vat_receivable_account: defaulted(text('VatReceivableAccount')),
    /** Who sends its invoices, beside its name and country; "" what is not known. */
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
    /** Days in which its customers usually pay; 0 when no due date follows. */
    payment_days: defaulted(integer('PaymentDays')),
  },
  /** How documents look and what they say beside the figures, by name. */
  document_template: {
    id: id(),
    administration_id: administration(),
    name: text('Name'),
    name_folded: foldedFrom('name'),
    /** The one that is used where none is named. */
    is_default: defaulted(flag('IsDefault')),
    /** nl, fr or en; "" as the customer is. */
    language: defaulted(text('Language')),
    /** As #rrggbb; "" is the usual one. */
    color: defaulted(text('Color')),
    /** A PNG or JPEG, in base64; "" for none. */
    logo: defaulted(text('Logo')),
    text_before: defaulted(text('TextBefore')),
    text_after: defaulted(text('TextAfter')),
    payment_text: defaulted(text('PaymentText')),
    /** Of the mails documents go with; "" is the usual text. */
    mail_subject: defaulted(text('MailSubject')),
    mail_text: defaulted(text('MailText')),
  },
  /** The last number that was taken, of relations, invoices and the like. */
  counter: { administration_id: administration(), name: text('Name'), value: long('Last') },
  api_key: {
    id: id(),
    administration_id: administration(),
    /** Folded: compared without regard to case. */
    username: text(null),
    /** SHA-256 of the key, in hexadecimal. The key itself is stored nowhere. */
    key_hash: unlogged(text(null)),
    label: text(null),
    created_on: seconds(null),
    revoked_on: optional(seconds(null)),
    scope: choice(null, keyScopes),
    /** The last day it opens anything; null when it has no end. */
    ends_on: optional(date(null)),
    /** Stored some minutes apart. */
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
