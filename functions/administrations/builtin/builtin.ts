import type { EndpointName } from '../../../shared/api.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Administration, Administrations } from '../administration.ts';
import type { Database } from './database.ts';
import { administrationOf } from './keys.ts';
import { listLedgerAccounts } from './listLedgerAccounts.ts';
import { listRelations } from './listRelations.ts';
import { listSalesInvoices } from './listSalesInvoices.ts';
import { listTaxCodes } from './listTaxCodes.ts';
import type { Row, Seconds } from './schema.ts';
import { updateProduct } from './updateProduct.ts';

/** What an endpoint of one administration works with. */
export type Scope = {
  db: Database;
  administration: Row<'administration'>;
  now: () => Seconds;
};

/**
 * The administrations of our own, in a database.
 * @param clock milliseconds since 1970
 */
export function builtinAdministrations(db: Database, clock: () => number = Date.now): Administrations {
  const now = (): Seconds => BigInt(Math.floor(clock() / 1000));
  return {
    async open(credential) {
      const id = await administrationOf(db, credential);
      if (id === undefined) throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
      const administration = await db
        .selectFrom('administration')
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirstOrThrow();
      return endpointsOf({ db, administration, now });
    },
    async health() {
      const { count } = await db
        .selectFrom('administration')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow();
      return { kind: 'builtin', administrations: Number(count) };
    },
    close: () => db.destroy(),
  };
}

const endpointsOf = (scope: Scope): Administration => ({
  listledgeraccounts: (query) => listLedgerAccounts(scope, query),
  listtaxcodes: () => listTaxCodes(scope),
  listrelations: (query) => listRelations(scope, query),
  listsalesinvoices: (query) => listSalesInvoices(scope, query),
  updateproduct: (update) => updateProduct(scope, update),
  addproduct: notYet('addproduct'),
  addsalesinvoice: notYet('addsalesinvoice'),
  addorder: notYet('addorder'),
  addsalestransaction: notYet('addsalestransaction'),
  addpurchasetransaction: notYet('addpurchasetransaction'),
  listprojectmaterialbooking: notYet('listprojectmaterialbooking'),
});

const notYet = (name: EndpointName) => async (): Promise<never> => {
  throw new Problem('NOT_IMPLEMENTED', `The built-in administration does not answer ${name} yet.`);
};
