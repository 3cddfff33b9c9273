import type { ComponentType } from 'react';
import { type Connected, usePane } from '../../paneContext.ts';
import type { PulledList } from '../../pulledLists/list.ts';
import { InvoiceDocuments } from '../../selectedInvoices/InvoiceDocuments.tsx';
import { BehindSelection } from './BehindSelection.tsx';
import { ListView } from './ListView.tsx';

/** The view of a list of the ledger, with the documents and the entries behind the selected rows of one. */
export function ledgerView(list: PulledList): ComponentType<Connected> {
  return function LedgerView({ connection }) {
    const { messages } = usePane();
    return (
      <ListView connection={connection} list={list}>
        <InvoiceDocuments connection={connection} />
        <BehindSelection connection={connection} hint={messages.ledger.hint} />
      </ListView>
    );
  };
}
