import type { Credential } from '../../../shared/client/client.ts';
import { dateIn } from '../../../shared/wire/calendarDate.ts';
import type { Administration, Administrations } from '../administration.ts';
import { downloadFile } from './attachments/download.ts';
import type { FileScope } from './documents/attachments.ts';
import { listLedgerAccounts } from './ledger/listLedgerAccounts.ts';
import { listTaxCodes } from './ledger/listTaxCodes.ts';
import { ownAdministrations } from './ownAdministrations.ts';
import { addProduct } from './products/addProduct.ts';
import { appliedWrites } from './products/appliedWrites.ts';
import { productWriter } from './products/productWriter.ts';
import { updateProduct } from './products/updateProduct.ts';
import { listMaterialBookings } from './projects/listMaterialBookings.ts';
import { addPurchaseTransaction } from './purchases/addPurchaseTransaction.ts';
import { listRelations } from './relations/listRelations.ts';
import { addOrder } from './sales/addOrder.ts';
import { addSalesInvoice } from './sales/addSalesInvoice.ts';
import { addSalesTransaction } from './sales/addSalesTransaction.ts';
import { listSalesInvoices } from './sales/listSalesInvoices.ts';
import { administrationOf, unauthorized } from './setup/keys.ts';
import type { Database } from './sql/database.ts';
import type { Seconds } from './sql/schema.ts';

export type BuiltinOptions = {
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Where "today" is: an IANA time zone. */
  timeZone?: string;
  /** Ports that attachments may be downloaded from; those of the web when left out. */
  attachmentPorts?: readonly number[];
  download?: typeof downloadFile;
  log?: (line: string) => void;
};

/** The administrations of our own, in a database. */
export function builtinAdministrations(db: Database, options: BuiltinOptions = {}): Administrations {
  const { clock = Date.now, timeZone = 'Europe/Amsterdam', attachmentPorts, log = console.warn } = options;
  const { download = (address, given) => downloadFile(address, { ...given, ports: attachmentPorts }) } = options;
  const now = (): Seconds => BigInt(Math.floor(clock() / 1000));
  const today = () => dateIn(timeZone, new Date(clock()));
  async function scopeOf(credential: Credential): Promise<FileScope> {
    const administration = await administrationOf(db, credential);
    if (administration === undefined) throw unauthorized();
    return { db, administration, now, today, download, log };
  }
  return {
    open: async (credential) => endpointsOf(await scopeOf(credential)),
    writer: async (credential) => productWriter(await scopeOf(credential), credential),
    own: ownAdministrations(db),
    appliedWrites: appliedWrites(db),
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

const endpointsOf = (scope: FileScope): Administration => ({
  listprojectmaterialbooking: (query) => listMaterialBookings(scope, query),
  updateproduct: (update) => updateProduct(scope, update),
  addproduct: (addition) => addProduct(scope, addition),
  listtaxcodes: () => listTaxCodes(scope),
  addsalesinvoice: (addition) => addSalesInvoice(scope, addition),
  addorder: (addition) => addOrder(scope, addition),
  addpurchasetransaction: (addition) => addPurchaseTransaction(scope, addition),
  addsalestransaction: (addition) => addSalesTransaction(scope, addition),
  listledgeraccounts: (query) => listLedgerAccounts(scope, query),
  listrelations: (query, from?: bigint) => listRelations(scope, query, { from }),
  listsalesinvoices: (query) => listSalesInvoices(scope, query),
});
