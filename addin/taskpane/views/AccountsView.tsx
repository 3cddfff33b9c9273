import { Button, Field, Input, Radio, RadioGroup } from '@fluentui/react-components';
import { type SubmitEvent, useState } from 'react';
import type { LedgerType } from '../../../shared/resources/ledgerAccount.ts';
import type { Written } from '../../excel/tables/table.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { pullAccounts } from '../pull/pulls.ts';
import { refreshContext } from '../pull/refreshContext.ts';
import { useJob } from '../useJob.ts';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';

/** Asks for ledger accounts. */
export function AccountsView({ connection, client }: Connected) {
  const styles = useFormStyles();
  const { messages, busy } = usePane();
  const texts = messages.accounts;
  const [year, setYear] = useState('');
  const [type, setType] = useState<LedgerType | 'all'>('all');
  const [wrongYear, setWrongYear] = useState(false);
  const { job, start, cancel } = useJob<number, Written[]>();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = year.trim() !== '' && !/^(19|[2-9]\d)\d\d$/.test(year.trim());
    setWrongYear(wrong);
    if (wrong) return event.currentTarget.querySelector('input')?.focus();
    start((tools) =>
      pullAccounts(refreshContext(connection, client, messages, tools), {
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
        <Button className={styles.submit} appearance="primary" type="submit" disabledFocusable={busy}>
          {texts.submit}
        </Button>
      </form>
      <PullStatus job={job} onCancel={cancel} />
    </ViewFrame>
  );
}
