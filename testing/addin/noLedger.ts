import type { ListClients } from '../../addin/taskpane/pulledLists/list.ts';

const refuse = () => {
  throw new Error('The service has no ledger.');
};

/** The ledger of a service that has none. */
export const noLedger: ListClients['ledger'] = { balances: refuse, entries: refuse, openItems: refuse };

/** The VAT returns of a service that has no ledger. */
export const noVat: ListClients['vat'] = { vatReturn: refuse, vatLines: refuse };
