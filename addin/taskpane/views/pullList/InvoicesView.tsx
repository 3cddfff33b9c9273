import { Checkbox } from '@fluentui/react-checkbox';
import { Field } from '@fluentui/react-field';
import { Input } from '@fluentui/react-input';
import { useState } from 'react';
import { type Connected, usePane } from '../../paneContext.ts';
import { pullAgeing, pullInvoices } from '../../pull/pulls.ts';
import { invoices } from '../../pulledLists/invoices.ts';
import { InvoiceDocuments } from '../../selectedInvoices/InvoiceDocuments.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { ListView } from './ListView.tsx';

/** Pulls sales invoices, and an ageing overview of all open ones. */
export function InvoicesView({ connection }: Connected) {
  const { messages } = usePane();
  const texts = messages.invoices;
  const [withAgeing, setWithAgeing] = useState(true);
  const [countedTo, setCountedTo] = useState('');
  const ageing = countedTo === '' ? {} : { CountedTo: countedTo };

  return (
    <ListView
      connection={connection}
      list={invoices}
      pull={(context, question) => pullInvoices(context, question, withAgeing ? ageing : undefined)}
      fields={
        <>
          <Checkbox
            label={texts.withAgeing}
            checked={withAgeing}
            onChange={(_, { checked }) => setWithAgeing(checked === true)}
          />
          {withAgeing && (
            <Field label={texts.countedTo} hint={texts.countedToHint}>
              <Input type="date" value={countedTo} onChange={(_, { value }) => setCountedTo(value)} />
            </Field>
          )}
        </>
      }
      buttons={(start) =>
        withAgeing && (
          <WorkButton onClick={() => start((context) => pullAgeing(context, ageing))}>{texts.onlyAgeing}</WorkButton>
        )
      }
    >
      <InvoiceDocuments connection={connection} hint={messages.documents.hint} />
    </ListView>
  );
}
