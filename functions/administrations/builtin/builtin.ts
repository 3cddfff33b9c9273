import type { Credential } from '../../../shared/client.ts';
import { dateIn } from '../../../shared/wire/calendarDate.ts';
import type { Administration, Administrations } from '../administration.ts';
import { addOrder } from './addOrder.ts';
import { addProduct } from './addProduct.ts';
import { addPurchaseTransaction } from './addPurchaseTransaction.ts';
import { addSalesInvoice } from './addSalesInvoice.ts';
import { addSalesTransaction } from './addSalesTransaction.ts';
import { rememberedWrites } from './appliedWrites.ts';
import { downloadFile } from './attachments/download.ts';
import type { Database } from './database.ts';
import { administrationOf, unauthorized } from './keys.ts';
import { listLedgerAccounts } from './listLedgerAccounts.ts';
import { listMaterialBookings } from './listMaterialBookings.ts';
import { listRelations } from './listRelations.ts';
import { listSalesInvoices } from './listSalesInvoices.ts';
import { listTaxCodes } from './listTaxCodes.ts';
import { ownAdministrations } from './own.ts';
import { productWriter } from './productWriter.ts';
import type { Seconds } from './schema.ts';
import type { Scope } from './scope.ts';
import { updateProduct } from './updateProduct.ts';

export type BuiltinOptions = {
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Where "today" is: an IANA time zone. */
  timeZone?: string;
  download?: typeof downloadFile;
  log?: (line: string) => void;
};

/** The administrations of our own, in a database. */
export function builtinAdministrations(db: Database, options: BuiltinOptions = {}): Administrations {
  const { clock = Date.now, timeZone = 'Europe/Amsterdam', download = downloadFile, log = console.warn } = options;
  const now = (): Seconds => BigInt(Math.floor(clock() / 1000));
  const today = () => dateIn(timeZone, new Date(clock()));
  async function scopeOf(credential: Credential): Promise<Scope> {
    const administration = await administrationOf(db, credential);
    if (administration === undefined) throw unauthorized();
    return { db, administration, now, today, download, log };
  }
  return {
    open: async (credential) => endpointsOf(await scopeOf(credential)),
    writer: async (credential) => productWriter(await scopeOf(credential), credential),
    own: ownAdministrations(db),
    remembered: rememberedWrites(db),
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
  listprojectmaterialbooking: (query) => listMaterialBookings(scope, query),
  updateproduct: (update) => updateProduct(scope, update),
  addproduct: (addition) => addProduct(scope, addition),
  listtaxcodes: () => listTaxCodes(scope),
  addsalesinvoice: (addition) => addSalesInvoice(scope, addition),
  addorder: (addition) => addOrder(scope, addition),
  addpurchasetransaction: (addition) => addPurchaseTransaction(scope, addition),
  addsalestransaction: (addition) => addSalesTransaction(scope, addition),
  listledgeraccounts: (query) => listLedgerAccounts(scope, query),
  listrelations: (query) => listRelations(scope, query),
  listsalesinvoices: (query) => listSalesInvoices(scope, query),
});
