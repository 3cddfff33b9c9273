import {
  type Relation,
  relation,
  relationBankAccount,
  relationContact,
} from '../../../../shared/resources/relation.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import { customFieldResponse } from '../customFields/customFieldResponse.ts';
import type { Database } from '../sql/database.ts';
import { responding } from '../sql/rows.ts';
import type { Row } from '../sql/schema.ts';
import type { Responses } from '../sql/storedResponses.ts';

const relationResponse = responding(relation, 'relation');
const contactResponse = responding(relationContact, 'relation_contact');
const bankAccountResponse = responding(relationBankAccount, 'relation_bank_account');

/** The responses of relations, derived from their rows, by id. */
export async function relationResponses(db: Database, ids: readonly bigint[]): Promise<Responses<'relation'>> {
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
  const response = (row: Row<'relation'>): Relation => ({
    ...relationResponse(row),
    Relation_Contact: (contactsOf.get(row.id) ?? []).map((contact) => ({
      ...contactResponse(contact),
      FamilyName: contact.last_name,
    })),
    Relation_CustomField: (customFieldsOf.get(row.id) ?? []).map((field) => ({
      ...customFieldResponse(field),
      TypeOfRelation: field.type_of_relation,
    })),
    Relation_BankAccount: (bankAccountsOf.get(row.id) ?? []).map(bankAccountResponse),
  });
  return new Map(rows.map((row) => [row.id, { answer: encode(relation, response(row)) }]));
}
