import type { PushedName, RequestOf, ResponseOf } from '../../../../shared/api.ts';
import { once } from '../../../../shared/memoized.ts';
import type { DocumentWrite, FileContext } from '../documentParts/attachments.ts';
import type { MailContext } from '../sales/outgoingMail.ts';

/** The context of any write. */
export type WriteContext = FileContext & MailContext;

/** What the response of an endpoint has one of. */
type MadeBy<Name extends PushedName> = ResponseOf<Name> extends readonly (infer Made)[] ? Made : ResponseOf<Name>;

/** How a write is carried out in a transaction. */
type Write<Name extends PushedName> = DocumentWrite<WriteContext, RequestOf<Name>, MadeBy<Name>>;

const withoutFiles = <Request, Made>(
  write: (transaction: WriteContext, request: Request) => Promise<Made>,
): DocumentWrite<WriteContext, Request, Made> => ({
  files: () => [],
  write: async (transaction, request) => ({ response: await write(transaction, request) }),
});

/** The writes that pushes carry, each loaded when it is first used. */
export const writes: { readonly [Name in PushedName]: () => Promise<Write<Name>> } = {
  updateproduct: once(async () =>
    withoutFiles((await import('../products/updateProduct.ts')).updateProductInTransaction),
  ),
  addproduct: once(async () => withoutFiles((await import('../products/addProduct.ts')).addProductInTransaction)),
  addsalesinvoice: once(async () => (await import('../sales/addSalesInvoice.ts')).salesInvoiceWrite),
  addorder: once(async () => (await import('../sales/addOrder.ts')).orderWrite),
  addsalestransaction: once(async () => (await import('../sales/addSalesTransaction.ts')).salesTransactionWrite),
  addpurchasetransaction: once(
    async () => (await import('../purchases/addPurchaseTransaction.ts')).purchaseTransactionWrite,
  ),
  addjournalentry: once(async () => withoutFiles((await import('../ledger/addJournalEntry.ts')).addJournalEntry)),
};
