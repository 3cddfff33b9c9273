import type { Credential } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { OwnAdministrations } from '../administration.ts';
import { anonymousName } from './anonymise/anonymousName.ts';
import { valuesBefore } from './log/valuesBefore.ts';
import { folded } from './sql/comparedText.ts';
import type { Database } from './sql/database.ts';

/** Relations of a page. Large pages are faster: the rows before a page take time. */
const PAGE_SIZE = 500;

const openOnes = (db: Database) => db.selectFrom('administration').where('archived_on', 'is', null);

/**
 * The administrations in a database, for the app itself.
 * @param idOf the id of the administration that a credential opens
 */
export const ownAdministrations = (
  db: Database,
  idOf: (credential: Credential) => Promise<bigint>,
): OwnAdministrations => ({
  async ids() {
    const rows = await openOnes(db).orderBy('id').select('id').execute();
    return rows.map(({ id }) => String(id));
  },
  isOpen: async (id) =>
    /^\d{1,18}$/.test(id) &&
    (await openOnes(db).where('id', '=', BigInt(id)).select('id').executeTakeFirst()) !== undefined,
  async anonymisedOn() {
    const start = folded(anonymousName(0n)).slice(0, -1);
    const rows = await db
      .selectFrom('administration')
      .select((eb) => [
        'identifier',
        eb
          .selectFrom('relation')
          .whereRef('administration_id', '=', 'administration.id')
          .where('name_folded', '>=', start)
          .where('name_folded', '<=', `${start}:`)
          .select((inner) => inner.fn.max('changed_on').as('last'))
          .as('last'),
      ])
      .execute();
    return new Map(
      rows.flatMap(({ identifier, last }) => (last === null ? [] : [[identifier, Number(last)] as const])),
    );
  },
  idOf: async (credential) => String(await idOf(credential)),
  valuesBefore: (id, { from, until }, writes) =>
    valuesBefore(db, BigInt(id), { from: BigInt(from), until: BigInt(until) }, writes),
  relations: (id) => ({
    async listrelations(query, from) {
      const administration = await db
        .selectFrom('administration')
        .where('id', '=', BigInt(id))
        .selectAll()
        .executeTakeFirst();
      if (administration === undefined) throw new Problem('NOT_FOUND', `There is no administration ${id} any more.`);
      const { listRelations } = await import('./relations/listRelations.ts');
      return listRelations({ db, administration }, { ...query, Limit: PAGE_SIZE }, { most: PAGE_SIZE, from });
    },
  }),
});
