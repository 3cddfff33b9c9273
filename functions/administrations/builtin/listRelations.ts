import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { MOST_RELATIONS, type Relation, type RelationQuery } from '../../../shared/resources/relation.ts';
import type { Encoded } from '../../../shared/wire/encode.ts';
import { answersOf } from './answers.ts';
import { relationAnswers } from './relationAnswers.ts';
import { comparedVatNumber, folded, type Row, type Schema } from './schema.ts';
import type { Scope } from './scope.ts';

type Relations = SelectQueryBuilder<Schema, 'relation', Pick<Row<'relation'>, 'id' | 'answer'>>;

/** Relations that match, with their contacts, bank accounts and custom fields; at most 200 of them. */
export async function listRelations({ db, administration }: Scope, query: RelationQuery): Promise<Encoded<Relation[]>> {
  let found: Relations = db
    .selectFrom('relation')
    .where('administration_id', '=', administration.id)
    .select(['id', 'answer']);
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
  return answersOf(rows, (missing) => relationAnswers(db, missing));
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
      // Without a number first, whichever the direction; indexes are made of just these expressions.
      return found
        .orderBy(
          direction === 'asc'
            ? sql`coalesce(${sql.ref(column)}, 0)`
            : sql`coalesce(nullif(${sql.ref(column)}, 0), 9223372036854775807)`,
          direction,
        )
        .orderBy('guid', direction);
    }
  }
}
