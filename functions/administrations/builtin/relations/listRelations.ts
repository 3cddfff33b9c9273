import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { MAX_RELATIONS, type Relation, type RelationQuery } from '../../../../shared/resources/relation.ts';
import { type Encoded, EncodedList } from '../../../../shared/wire/encode.ts';
import { folded, soughtVatNumbers } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { choosePlan, type QueryPlan, searchedFirst, unindexedNumber } from '../sql/queryPlan.ts';
import type { Schema } from '../sql/schema.ts';
import { withResponses } from '../sql/storedResponses.ts';
import { relationResponses } from './relationResponses.ts';

type Relations = SelectQueryBuilder<Schema, 'relation', object>;

/**
 * The matching relations, with their contacts, bank accounts and custom fields.
 * @param page.most the most relations, for any Limit of the query
 * @param page.from the RelationGUID to begin with instead of the query's Offset: a large Offset is slow, and PostgreSQL
 *   sorts all rows for each page
 */
export async function listRelations(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  query: RelationQuery,
  { most = MAX_RELATIONS, from }: { most?: number; from?: bigint | undefined } = {},
): Promise<Encoded<Relation[]>> {
  const searched = matching(db, administration.id, query, 'search');
  const plan = narrows(query) ? await choosePlan(db, searched) : 'scan';
  const relations =
    plan === 'search' ? searchedFirst(db, 'relation', searched) : matching(db, administration.id, query, plan);
  const rows = await sorted(from === undefined ? relations : relations.where('guid', '>=', from), query, plan)
    .select(['id', 'answer'])
    .limit(Math.min(query.Limit ?? most, most))
    .offset(from === undefined ? (query.Offset ?? 0) : 0)
    .execute();
  const complete = await withResponses(rows, (ids) => relationResponses(db, ids));
  return new EncodedList(complete.map(({ answer }) => answer));
}

/** Whether a query asks for less than all relations. */
const narrows = (query: RelationQuery): boolean =>
  query.RelationType !== 'All' ||
  query.ChangedSince !== undefined ||
  query.CreatedSince !== undefined ||
  namesSome(query);

/** Whether it names the relations it asks for. */
const namesSome = (query: RelationQuery): boolean =>
  [query.RelationGUID, query.RelationNumber, query.RelationName, query.RelationEmail, query.RelationVAT].some(
    (value) => value !== undefined,
  );

function matching(db: Database, administrationId: bigint, query: RelationQuery, plan: QueryPlan): Relations {
  const plain = (column: 'administration_id' | 'changed_on' | 'created_on', indexed: boolean) =>
    indexed ? sql<bigint>`${sql.ref(column)}` : unindexedNumber(column);
  const either = query.SearchOperand === 'OR';
  let relations: Relations = db
    .selectFrom('relation')
    // Each alternative has an index that begins with the administration.
    .where(plain('administration_id', plan === 'scan' || !either), '=', administrationId)
    .where((eb) => {
      const searched = searches(eb, query);
      if (searched.length === 0) return eb('administration_id', '=', administrationId);
      return either
        ? eb.or(searched.map((search) => eb.and([eb('administration_id', '=', administrationId), search])))
        : eb.and(searched);
    });
  if (query.RelationType === 'Customer') relations = relations.where('is_customer', '=', 1n);
  if (query.RelationType === 'Supplier') relations = relations.where('is_supplier', '=', 1n);
  if (query.RelationGUID !== undefined) relations = relations.where('guid', '=', BigInt(query.RelationGUID));
  const { RelationType, ChangedSince, CreatedSince } = query;
  // Names select fewer rows than dates, and dates fewer than roles.
  const byDate = plan === 'search' && !namesSome(query);
  if (ChangedSince !== undefined) relations = relations.where(plain('changed_on', byDate), '>=', BigInt(ChangedSince));
  if (CreatedSince !== undefined) relations = relations.where(plain('created_on', byDate), '>=', BigInt(CreatedSince));
  const byRole = byDate && ChangedSince === undefined && CreatedSince === undefined;
  return byRole && RelationType !== 'All' ? ofRole(relations, RelationType, 'asc') : relations;
}

/** The conditions for number, name, e-mail and VAT number: the four that SearchOperand joins. */
function searches(eb: ExpressionBuilder<Schema, 'relation'>, query: RelationQuery): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (query.RelationNumber !== undefined) {
    const number = /^\d{1,18}$/.test(query.RelationNumber.trim()) ? BigInt(query.RelationNumber) : undefined;
    conditions.push(
      number === undefined
        ? eb.lit(false)
        : eb.or([eb('customer_number', '=', number), eb('supplier_number', '=', number)]),
    );
  }
  for (const [column, text] of [
    ['name_folded', query.RelationName],
    ['email_folded', query.RelationEmail],
  ] as const) {
    if (text === undefined) continue;
    // Spaces alone match no relation, since many have no e-mail address.
    conditions.push(folded(text) === '' ? eb.lit(false) : eb(column, '=', folded(text)));
  }
  if (query.RelationVAT !== undefined) {
    const vat = soughtVatNumbers(query.RelationVAT);
    conditions.push(
      vat.includes('') ? eb.lit(false) : eb.and([eb('is_business', '=', 1n), eb('vat_compared', 'in', vat)]),
    );
  }
  return conditions;
}

/** The requested order, followed by RelationGUID, so that pages do not overlap. */
function sorted(relations: Relations, { RelationType, Sorting, SortDir }: RelationQuery, plan: QueryPlan): Relations {
  const direction = SortDir === 'ASC' ? 'asc' : 'desc';
  switch (Sorting) {
    case 'RelationGUID':
      return relations.orderBy('guid', direction);
    case 'CreatedDate':
      return relations.orderBy('created_on', direction).orderBy('guid', direction);
    case 'ChangedDate':
      return relations.orderBy('changed_on', direction).orderBy('guid', direction);
    case 'RelationName':
      return relations.orderBy('name_folded', direction).orderBy('guid', direction);
    case 'CustomerNumber':
    case 'SupplierNumber': {
      const role = Sorting === 'CustomerNumber' ? 'Customer' : 'Supplier';
      const ordered = relations.orderBy(byNumber(role, direction), direction).orderBy('guid', direction);
      return role === RelationType && plan === 'scan' ? ofRole(ordered, role, direction) : ordered;
    }
  }
}

type Role = 'Customer' | 'Supplier';

/**
 * Orders relations by their number as a customer or a supplier, those without one first in either
 * direction, and those without the role before them. The indexes have exactly these expressions.
 */
function byNumber(role: Role, direction: 'asc' | 'desc'): RawBuilder<bigint> {
  const [number, flag] = role === 'Customer' ? ['customer_number', 'is_customer'] : ['supplier_number', 'is_supplier'];
  const without = direction === 'asc' ? sql`${sql.ref(flag)} - 1` : sql`9223372036854775807 - ${sql.ref(flag)}`;
  return sql`case when coalesce(${sql.ref(number)}, 0) <> 0 then ${sql.ref(number)} else ${without} end`;
}

/** Leaves out relations without the role, by their position in that order. */
const ofRole = (relations: Relations, role: Role, direction: 'asc' | 'desc'): Relations =>
  direction === 'asc'
    ? relations.where(byNumber(role, 'asc'), '>=', sql<bigint>`0`)
    : relations.where(byNumber(role, 'desc'), '<=', sql<bigint>`9223372036854775806`);
