import type { ListClients } from '../../addin/taskpane/pulledLists/list.ts';

/** The ledger of a service that has none. */
export const noLedger: ListClients['ledger'] = {
  balances: () => Promise.reject(new Error('The service has no ledger.')),
  entries: () => {
    throw new Error('The service has no ledger.');
  },
  openItems: () => {
    throw new Error('The service has no ledger.');
  },
};
