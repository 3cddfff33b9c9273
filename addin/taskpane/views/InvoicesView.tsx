import { Checkbox, Field, Input, Text } from '@fluentui/react-components';
import { type SubmitEvent, useState } from 'react';
import { type Connected, usePane } from '../paneContext.ts';
import { pullAgeing, pullInvoices } from '../pull/pulls.ts';
import { usePull } from '../pull/usePull.ts';
import { InvoiceDocuments } from '../selectedInvoices/InvoiceDocuments.tsx';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

/** Pulls the sales invoices of a period, with or without their lines, and an ageing overview of all open ones. */
export function InvoicesView({ connection }: Connected) {
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.invoices;
  const [from, setFrom] = useState('');
  const [till, setTill] = useState('');
  const [withLines, setWithLines] = useState(false);
  const [withAgeing, setWithAgeing] = useState(true);
  const [countedTo, setCountedTo] = useState('');
  const [wrong, setWrong] = useState(false);
  const { job, start, cancel } = usePull(connection);

  const ageing = countedTo === '' ? {} : { CountedTo: countedTo };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reversed = from !== '' && till !== '' && till < from;
    setWrong(reversed);
    if (reversed) return event.currentTarget.querySelector<HTMLInputElement>('[name="till"]')?.focus();
    start((context) =>
      pullInvoices(
        context,
        {
          ...(from === '' ? {} : { DateFrom: from }),
          ...(till === '' ? {} : { DateTill: till }),
          ...(withLines ? { WithLines: 'true' } : {}),
        },
        withAgeing ? ageing : undefined,
      ),
    );
  };

  return (
    <ViewFrame title={texts.title}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.side}>
          <Field className={styles.grow} label={texts.from}>
            <Input type="date" name="from" value={from} onChange={(_, { value }) => setFrom(value)} />
          </Field>
          <Field
            className={styles.grow}
            label={texts.till}
            {...(wrong ? { validationMessage: texts.periodWrong } : {})}
          >
            <Input type="date" name="till" value={till} onChange={(_, { value }) => setTill(value)} />
          </Field>
        </div>
        <Text size={200} className={styles.muted}>
          {texts.periodHint}
        </Text>
        <Checkbox
          label={texts.withLines}
          checked={withLines}
          onChange={(_, { checked }) => setWithLines(checked === true)}
        />
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
        <WorkButton appearance="primary" type="submit">
          {texts.submit}
        </WorkButton>
        {withAgeing && (
          <WorkButton onClick={() => start((context) => pullAgeing(context, ageing))}>{texts.onlyAgeing}</WorkButton>
        )}
      </form>
      <PullStatus job={job} onCancel={cancel} />
      <InvoiceDocuments connection={connection} hint={messages.documents.hint} />
    </ViewFrame>
  );
}
