import { customFieldTypes } from '../../../../../shared/resources/customField.ts';
import { administration, choice, defaulted, id, long, optional, seconds, text } from './column.ts';

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
  },
  /** The last number that was taken, of relations, invoices and the like. */
  counter: { administration_id: administration(), name: text('Name'), value: long('Last') },
  api_key: {
    id: id(),
    administration_id: administration(),
    /** Folded: compared without regard to case. */
    username: text(null),
    /** SHA-256 of the key, in hexadecimal. The key itself is stored nowhere. */
    key_hash: text(null),
    label: text(null),
    created_on: seconds(null),
    revoked_on: optional(seconds(null)),
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
