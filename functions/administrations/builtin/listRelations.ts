import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { MOST_RELATIONS, type Relation, type RelationQuery } from '../../../shared/resources/relation.ts';
import type { Scope } from './builtin.ts';
import { customFieldAnswer } from './customFields.ts';
import { comparedVatNumber, folded, type Row, type Schema } from './schema.ts';

type Relations = SelectQueryBuilder<Schema, 'relation', Row<'relation'>>;

/** Relations that match, with their contacts, bank accounts and custom fields; at most 200 of them. */
export async function listRelations({ db, administration }: Scope, query: RelationQuery): Promise<Relation[]> {
  let found: Relations = db.selectFrom('relation').where('administration_id', '=', administration.id).selectAll();
  if (query.RelationType === 'Customer') found = found.where('is_customer', '=', 1n);
  if (query.RelationType === 'Supplier') found = found.where('is_supplier', '=', 1n);
  if (query.RelationGUID !== undefined) found = found.where('guid', '=', BigInt(query.RelationGUID));
  if (query.ChangedSince !== undefined) found = found.where('changed_on', '>=', BigInt(query.ChangedSince));
  if (query.CreatedSince !== undefined) found = found.where('created_on', '>=', BigInt(query.CreatedSince));
  found = found.where((eb) => {
    const searched = searches(eb, query);
    return searched.length === 0 ? eb.lit(true) : query.SearchOperand === 'OR' ? eb.or(searched) : eb.and(searched);
  });
  const rows = await sorted(found, query)
    .limit(Math.min(query.Limit ?? MOST_RELATIONS, MOST_RELATIONS))
    .offset(query.Offset ?? 0)
    .execute();
  return withDetails(db, rows);
}

/** What number, name, e-mail and VAT number ask for: the four that SearchOperand joins. */
function searches(eb: ExpressionBuilder<Schema, 'relation'>, query: RelationQuery): Expression<SqlBool>[] {
  const asked: Expression<SqlBool>[] = [];
  if (query.RelationNumber !== undefined) {
    const number = /^\d{1,18}$/.test(query.RelationNumber.trim()) ? BigInt(query.RelationNumber) : undefined;
    asked.push(
      number === undefined
        ? eb.lit(false)
        : eb.or([eb('customer_number', '=', number), eb('supplier_number', '=', number)]),
    );
  }
  if (query.RelationName !== undefined) asked.push(eb('name_folded', '=', folded(query.RelationName)));
  if (query.RelationEmail !== undefined) asked.push(eb('email_folded', '=', folded(query.RelationEmail)));
  if (query.RelationVAT !== undefined) {
    const vat = comparedVatNumber(query.RelationVAT);
    asked.push(vat === '' ? eb.lit(false) : eb.and([eb('is_business', '=', 1n), eb('vat_compared', '=', vat)]));
  }
  return asked;
}

/** The order asked for, and RelationGUID after it, so that pages do not overlap. */
function sorted(found: Relations, { Sorting, SortDir }: RelationQuery): Relations {
  const direction = SortDir === 'ASC' ? 'asc' : 'desc';
  switch (Sorting) {
    case 'RelationGUID':
      return found.orderBy('guid', direction);
    case 'CreatedDate':
      return found.orderBy('created_on', direction).orderBy('guid', direction);
    case 'ChangedDate':
      return found.orderBy('changed_on', direction).orderBy('guid', direction);
    case 'RelationName':
      return found.orderBy('name_folded', direction).orderBy('guid', direction);
    case 'CustomerNumber':
    case 'SupplierNumber': {
      const column = Sorting === 'CustomerNumber' ? 'customer_number' : 'supplier_number';
      // Without a number first, whichever the direction.
      return found
        .orderBy(sql`case when coalesce(${sql.ref(column)}, 0) = 0 then 0 else 1 end`)
        .orderBy(column, direction)
        .orderBy('guid', direction);
    }
  }
}

async function withDetails(db: Scope['db'], rows: readonly Row<'relation'>[]): Promise<Relation[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [contacts, bankAccounts, customFields] = await Promise.all([
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
  return rows.map((row) => ({
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
  }));
}
