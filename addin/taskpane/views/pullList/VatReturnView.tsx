import { Text } from '@fluentui/react-text';
import { type Connected, usePane } from '../../paneContext.ts';
import { vatReturn } from '../../pulledLists/vatReturn.ts';
import { InvoiceDocuments } from '../../selectedInvoices/InvoiceDocuments.tsx';
import { BehindSelection } from './BehindSelection.tsx';
import { FileReturn } from './FileReturn.tsx';
import { IntervatFile } from './IntervatFile.tsx';
import { ListView } from './ListView.tsx';

/** Pulls a VAT return, shows the lines behind its boxes and the documents behind those, and marks it as filed. */
export function VatReturnView({ connection }: Connected) {
  const { messages } = usePane();
  return (
    <ListView connection={connection} list={vatReturn}>
      {(question) => (
        <>
          <BehindSelection connection={connection} />
          <InvoiceDocuments connection={connection} />
          <Text size={200} className="muted">
            {messages.vat.hint}
          </Text>
          {connection.identity?.country === 'BE' && <IntervatFile connection={connection} question={question} />}
          <FileReturn connection={connection} question={question} />
        </>
      )}
    </ListView>
  );
}
