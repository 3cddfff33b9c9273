import { Problem } from '../../../shared/problem.ts';
import type { OwnAdministrations } from '../administration.ts';
import { listRelations } from './relations/listRelations.ts';
import { administrationOf, unauthorized } from './setup/keys.ts';
import type { Database } from './sql/database.ts';

/** Relations to a page: skipping those before a page costs the more the more pages there are. */
const PAGE_SIZE = 500;

/** The administrations in a database, for the app itself. */
export const ownAdministrations = (db: Database): OwnAdministrations => ({
  async ids() {
    const rows = await db.selectFrom('administration').orderBy('id').select('id').execute();
    return rows.map(({ id }) => String(id));
  },
  async idOf(credential) {
    const administration = await administrationOf(db, credential);
    if (administration === undefined) throw unauthorized();
    return String(administration.id);
  },
  relations: (id) => ({
    async listrelations(query, from) {
      const administration = await db
        .selectFrom('administration')
        .where('id', '=', BigInt(id))
        .selectAll()
        .executeTakeFirst();
      if (administration === undefined) throw new Problem('NOT_FOUND', `There is no administration ${id} any more.`);
      return listRelations({ db, administration }, { ...query, Limit: PAGE_SIZE }, { most: PAGE_SIZE, from });
    },
  }),
});
