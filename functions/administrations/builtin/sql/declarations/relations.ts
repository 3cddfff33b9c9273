import * as column from './column.ts';
import { postalAddress } from './shared.ts';

export const relations = {
  relation: {
    id: column.id(),
    administration_id: column.administration(),
    guid: column.long('RelationGUID', { isIdentity: true }),
    name: column.text('Name'),
    name_folded: column.foldedFrom('name'),
    is_business: column.either('PrivateOrBusiness', 'BusinessRelation', 'PrivateRelation'),
    email: column.text('Email'),
    email_folded: column.foldedFrom('email'),
    phone: column.text('Phone'),
    ...postalAddress,
    group_name: column.text('GroupName'),
    is_customer: column.flag('IsCustomer'),
    is_supplier: column.flag('IsSupplier'),
    is_other: column.flag('IsOther'),
    customer_number: column.optional(column.integer('CustomerNumber')),
    supplier_number: column.optional(column.integer('SupplierNumber')),
    registration_number: column.text('RegistrationNumber'),
    vat_number: column.text('TaxIdentificationNumber'),
    vat_compared: column.comparedVatFrom('vat_number'),
    /** nl, fr or en; "" when it follows from the country. */
    language: column.defaulted(column.text('Language', { response: null })),
    /** The template of its documents; "" is the default. */
    template_invoice: column.code(column.defaulted(column.text('TemplateName_Invoice', { response: null }))),
    created_on: column.seconds('CreatedOn'),
    changed_on: column.seconds('ChangedOn'),
    answer: column.storedResponse(),
  },
  relation_contact: {
    id: column.id(),
    relation_id: column.owner(null, 'relation'),
    position: column.position(),
    first_name: column.text('FirstName'),
    preposition: column.text('Preposition'),
    last_name: column.text('LastName'),
    sex: column.text('Sex'),
    email: column.text('Email'),
    phone: column.text('Phone'),
    notes: column.text('ContactNotes'),
    is_default: column.flag('DefaultContact'),
  },
  relation_bank_account: {
    id: column.id(),
    relation_id: column.owner(null, 'relation'),
    position: column.position(),
    iban: column.text('IBAN'),
    bic: column.text('BIC'),
    name: column.text('Name'),
    place: column.text('Place'),
    skip_iban_check: column.flag('SkipIBANCheck'),
    use_for_excasso: column.flag('UseForExcasso'),
  },
  /** A value as text: a decimal as decimal text, a date as yyyy-MM-dd, a checkbox as true or false. */
  relation_custom_field: {
    relation_id: column.owner('RelationGUID', 'relation'),
    custom_field_id: column.reference('Label', 'custom_field', ['owner', 'relation']),
    value: column.text(null),
  },
  /** Addresses of a relation beside its correspondence address. */
  relation_address: { id: column.id(), relation_id: column.owner('RelationGUID', 'relation'), ...postalAddress },
};
