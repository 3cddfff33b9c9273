import { Field, Radio, RadioGroup, Textarea } from '@fluentui/react-components';
import { type SubmitEvent, useState } from 'react';
import { administrationOf } from '../connections.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { articlesOnInvoices, duplicatesIn, makeProductSheet, readArticleNumbers } from '../productSheet.ts';
import type { StockMode } from '../tables/productTable.ts';
import { useJob } from '../useJob.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from './Notice.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

/** Makes a product sheet. */
export function ProductsView({ connection }: Connected) {
  const styles = useFormStyles();
  const { messages, go } = usePane();
  const texts = messages.products;
  const [mode, setMode] = useState<StockMode>('Relative');
  const [numbers, setNumbers] = useState('');
  const making = useJob<never, string>();
  const adding = useJob<never, number>();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.reset();
    making.start(({ retry }) =>
      makeProductSheet(messages, administrationOf(connection), mode, readArticleNumbers(numbers), retry),
    );
  };

  const addFromInvoices = () =>
    adding.start(async ({ retry }) => {
      const known = readArticleNumbers(numbers);
      const found = await articlesOnInvoices(administrationOf(connection), retry);
      const added = found.filter((number) => !known.includes(number));
      setNumbers([...known, ...added].join('\n'));
      return found.length;
    });

  const duplicates = duplicatesIn(readArticleNumbers(numbers)).size;
  const waiting = [making.job, adding.job].find((job) => job.state === 'running')?.waiting;
  return (
    <ViewFrame title={texts.title}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field label={texts.mode} hint={texts.modeHint}>
          <RadioGroup value={mode} onChange={(_, { value }) => setMode(value as StockMode)}>
            <Radio value="Relative" label={<ModeLabel word={texts.relative} meaning={texts.relativeMeaning} />} />
            <Radio value="Absolute" label={<ModeLabel word={texts.absolute} meaning={texts.absoluteMeaning} />} />
          </RadioGroup>
        </Field>
        <Field label={texts.numbers} hint={texts.numbersHint}>
          <Textarea rows={5} resize="vertical" value={numbers} onChange={(_, { value }) => setNumbers(value)} />
        </Field>
        <WorkButton onClick={addFromInvoices}>{texts.fromInvoices}</WorkButton>
        {adding.job.state === 'done' && (
          <Notice intent="info">
            {adding.job.result === 0 ? texts.fromInvoicesNone : texts.fromInvoicesFound(adding.job.result)}
          </Notice>
        )}
        {adding.job.state === 'failed' && <ErrorNotice error={adding.job.error} />}
        <WorkButton appearance="primary" type="submit">
          {texts.submit}
        </WorkButton>
      </form>
      {waiting !== undefined && <Notice intent="info">{messages.waitingFor[waiting]}</Notice>}
      {making.job.state === 'failed' && <ErrorNotice error={making.job.error} />}
      {making.job.state === 'done' && (
        <>
          <Notice intent={duplicates === 0 ? 'success' : 'warning'}>
            {texts.made(making.job.result)}
            {duplicates > 0 && ` ${texts.duplicates(duplicates)}`}
          </Notice>
          <WorkButton onClick={() => go('push')}>{texts.next}</WorkButton>
        </>
      )}
    </ViewFrame>
  );
}

const ModeLabel = ({ word, meaning }: { word: string; meaning: string }) => (
  <>
    <strong>{word}</strong> {meaning}
  </>
);
