import { Field, Input, Radio, RadioGroup } from '@fluentui/react-components';
import { type SubmitEvent, useState } from 'react';
import type { LedgerType } from '../../../shared/resources/ledgerAccount.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { pullAccounts } from '../pull/pulls.ts';
import { usePull } from '../pull/usePull.ts';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

/** Pulls ledger accounts. */
export function AccountsView({ connection }: Connected) {
  const styles = useFormStyles();
  const texts = usePane().messages.accounts;
  const [year, setYear] = useState('');
  const [type, setType] = useState<LedgerType | 'all'>('all');
  const [wrongYear, setWrongYear] = useState(false);
  const { job, start, cancel } = usePull(connection);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = year.trim() !== '' && !/^(19|[2-9]\d)\d\d$/.test(year.trim());
    setWrongYear(wrong);
    if (wrong) return event.currentTarget.querySelector('input')?.focus();
    start((context) =>
      pullAccounts(context, {
        ...(year.trim() === '' ? {} : { FiscalYear: year.trim() }),
        ...(type === 'all' ? {} : { LedgerType: type }),
      }),
    );
  };

  return (
    <ViewFrame title={texts.title}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field label={texts.year} hint={texts.yearHint} {...(wrongYear ? { validationMessage: texts.yearWrong } : {})}>
          <Input inputMode="numeric" value={year} maxLength={4} onChange={(_, { value }) => setYear(value)} />
        </Field>
        <Field label={texts.type}>
          <RadioGroup value={type} onChange={(_, { value }) => setType(value as LedgerType | 'all')}>
            <Radio value="all" label={texts.all} />
            <Radio value="BalanceSheet" label={texts.balanceSheet} />
            <Radio value="IncomeStatement" label={texts.incomeStatement} />
          </RadioGroup>
        </Field>
        <WorkButton appearance="primary" type="submit">
          {texts.submit}
        </WorkButton>
      </form>
      <PullStatus job={job} onCancel={cancel} />
    </ViewFrame>
  );
}
