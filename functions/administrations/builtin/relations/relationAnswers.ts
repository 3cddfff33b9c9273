import { type Relation, relation } from '../../../../shared/resources/relation.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import { customFieldAnswer } from '../customFields/customFieldAnswer.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** Relations as they are answered, derived from their rows: relation id -> JSON text. */
export async function relationAnswers(db: Database, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  const [rows, contacts, bankAccounts, customFields] = await Promise.all([
    db.selectFrom('relation').where('id', 'in', ids).selectAll().execute(),
    db
      .selectFrom('relation_contact')
      .where('relation_id', 'in', ids)
      .orderBy('relation_id')
      .orderBy('position')
      .selectAll()
      .execute(),
    db
      .selectFrom('relation_bank_account')
      .where('relation_id', 'in', ids)
      .orderBy('relation_id')
      .orderBy('position')
      .selectAll()
      .execute(),
    db
      .selectFrom('relation_custom_field')
      .innerJoin('custom_field', 'custom_field.id', 'relation_custom_field.custom_field_id')
      .where('relation_id', 'in', ids)
      .orderBy('relation_id')
      .orderBy('label')
      .select(['relation_id', 'label', 'field_type', 'type_of_relation', 'value'])
      .execute(),
  ]);
  const contactsOf = Map.groupBy(contacts, (contact) => contact.relation_id);
  const bankAccountsOf = Map.groupBy(bankAccounts, (account) => account.relation_id);
  const customFieldsOf = Map.groupBy(customFields, (field) => field.relation_id);
  const answer = (row: Row<'relation'>): Relation => ({
    RelationGUID: String(row.guid),
    Name: row.name,
    PrivateOrBusiness: row.is_business === 1n ? 'BusinessRelation' : 'PrivateRelation',
    Email: row.email,
    Phone: row.phone,
    Address_City: row.city,
    Address_Street: row.street,
    Address_PostalCode: row.postal_code,
    Address_Unit: row.unit,
    Address_UnitAppendix: row.unit_appendix,
    Address_CountryCode: row.country_code,
    GroupName: row.group_name,
    IsCustomer: row.is_customer === 1n,
    IsSupplier: row.is_supplier === 1n,
    IsOther: row.is_other === 1n,
    CustomerNumber: row.customer_number === null ? null : Number(row.customer_number),
    SupplierNumber: row.supplier_number === null ? null : Number(row.supplier_number),
    RegistrationNumber: row.registration_number,
    TaxIdentificationNumber: row.vat_number,
    CreatedOn: String(row.created_on),
    ChangedOn: String(row.changed_on),
    Relation_Contact: (contactsOf.get(row.id) ?? []).map((contact) => ({
      Email: contact.email,
      Phone: contact.phone,
      Sex: contact.sex,
      LastName: contact.last_name,
      FamilyName: contact.last_name,
      FirstName: contact.first_name,
      Preposition: contact.preposition,
      ContactNotes: contact.notes,
      DefaultContact: contact.is_default === 1n,
    })),
    Relation_CustomField: (customFieldsOf.get(row.id) ?? []).map((field) => ({
      ...customFieldAnswer(field),
      TypeOfRelation: field.type_of_relation,
    })),
    Relation_BankAccount: (bankAccountsOf.get(row.id) ?? []).map((account) => ({
      IBAN: account.iban,
      SkipIBANCheck: account.skip_iban_check === 1n,
      UseForExcasso: account.use_for_excasso === 1n,
      BIC: account.bic,
      Place: account.place,
      Name: account.name,
    })),
  });
  return new Map(rows.map((row) => [row.id, encode(relation, answer(row))]));
}
