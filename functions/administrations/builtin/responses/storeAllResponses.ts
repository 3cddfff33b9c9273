import { relationResponses } from '../relations/relationResponses.ts';
import { salesInvoiceResponses } from '../sales/salesInvoiceResponses.ts';
import type { Database } from '../sql/database.ts';
import { type Responses, storeResponses, type TableWithResponses, withoutResponse } from '../sql/storedResponses.ts';

/** The functions that make stored responses. */
export const responseMakers: {
  [Table in TableWithResponses]: (db: Database, ids: readonly bigint[]) => Promise<Responses<Table>>;
} = {
  relation: relationResponses,
  sales_invoice: salesInvoiceResponses,
};

/** Makes and stores every empty response of an administration, after an import. */
export async function storeAllResponses(db: Database, administrationId: bigint): Promise<void> {
  const store = async <Table extends TableWithResponses>(table: Table) => {
    for await (const ids of withoutResponse(db, administrationId, table)) {
      await storeResponses(db, table, await responseMakers[table](db, ids));
    }
  };
  await store('relation');
  await store('sales_invoice');
}
