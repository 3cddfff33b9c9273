import { sql } from 'kysely';
import { relationResponses } from '../functions/administrations/builtin/relations/relationResponses.ts';
import { createAdministration } from '../functions/administrations/builtin/setup/createAdministration.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { dialectOf } from '../functions/administrations/builtin/sql/dialects/dialectOf.ts';
import { sqlite } from '../functions/administrations/builtin/sql/dialects/sqlite.ts';
import { newRow } from '../functions/administrations/builtin/sql/rows.ts';
import { flag, type NewRow } from '../functions/administrations/builtin/sql/schema.ts';
import { storeResponses } from '../functions/administrations/builtin/sql/storedResponses.ts';

const NOW = 1_760_000_000n;
/** The number of the pattern, where every other relation has its own. */
const PATTERN = '987654321';

/** Makes an administration with so many relations, six in ten of them customers, two suppliers, and tells its id. */
export async function fillRelations(db: Database, count: number): Promise<bigint> {
  const administrationId = await createAdministration(db, {
    name: `${count} relations`,
    country: 'NL',
    fiscalYears: [2026],
    now: NOW,
  });
  const { id } = await db
    .insertInto('relation')
    .values(patternOf(administrationId))
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const position of [0n, 1n]) {
    const person = { email: `p${position}@example.com`, phone: '010-7654321', sex: 'Vrouw', preposition: 'de' };
    await db
      .insertInto('relation_contact')
      .values({
        ...person,
        relation_id: id,
        position,
        last_name: 'Jansen',
        first_name: 'Anna',
        notes: '',
        is_default: flag(position === 0n),
      })
      .execute();
  }
  await storeResponses(db, 'relation', await relationResponses(db, [id]));
  const indexes = await dropIndexes(db);
  // The order of names and dates has nothing to do with that of the numbers; the multipliers only stir.
  await sql`
    insert into relation (administration_id, guid, name, name_folded, is_business, email, email_folded, phone, city, street,
      postal_code, unit, country_code, group_name, is_customer, is_supplier, is_other, customer_number, supplier_number,
      vat_number, vat_compared, created_on, changed_on, answer)
    with recursive series(n) as (select cast(1 as bigint) union all select n + 1 from series where n < ${sql.lit(count)})
    select administration_id, 1000000 + n, 'Handel ' || (n * 7919 % 1000003), 'handel ' || (n * 7919 % 1000003), is_business,
      'post' || n || '@example.com', 'post' || n || '@example.com', phone, city, street, postal_code, unit, country_code,
      group_name, case when n % 10 < 6 then 1 else 0 end, case when n % 10 in (6, 7) then 1 else 0 end,
      case when n % 10 > 7 then 1 else 0 end, case when n % 10 < 6 and n % 50 <> 0 then n end,
      case when n % 10 in (6, 7) and n % 50 <> 7 then n end, 'NL' || (800000000 + n) || 'B01', cast(800000000 + n as text),
      created_on + n * 7907 % 99999989, changed_on + n * 7901 % 99999971,
      replace(answer, ${sql.lit(PATTERN)}, cast(1000000 + n as text))
    from relation, series
    where id = ${id}
  `.execute(db);
  for (const { definition } of indexes) await sql.raw(definition).execute(db);
  return administrationId;
}

/** Rows go in several times as fast without indexes; answers how to make those again. */
async function dropIndexes(db: Database): Promise<{ name: string; definition: string }[]> {
  const { rows } = await (dialectOf(db) === sqlite
    ? sql<{ name: string; definition: string }>`
        select name, sql as definition from sqlite_master
        where type = 'index' and tbl_name = 'relation' and sql is not null`
    : sql<{ name: string; definition: string }>`
        select indexname as name, indexdef as definition from pg_indexes
        where tablename = 'relation' and indexname not like '%_pkey'`
  ).execute(db);
  for (const { name } of rows) await db.schema.dropIndex(name).execute();
  return rows;
}

const patternOf = (administrationId: bigint): NewRow<'relation'> =>
  newRow('relation', {
    administration_id: administrationId,
    guid: BigInt(PATTERN),
    name: 'Handelsonderneming De Vroege Vogels B.V.',
    is_business: 1n,
    email: `post${PATTERN}@example.com`,
    phone: '010-1234567',
    city: 'Rotterdam',
    street: 'Coolsingel',
    postal_code: '3011 AD',
    unit: '12',
    country_code: 'NL',
    group_name: 'Groothandel',
    is_other: 1n,
    registration_number: '24123456',
    vat_number: `NL${PATTERN}B01`,
    created_on: 1_600_000_000n,
    changed_on: 1_600_000_000n,
  });
