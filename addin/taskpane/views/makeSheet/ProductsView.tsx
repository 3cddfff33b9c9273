import { Field } from '@fluentui/react-field';
import { Radio, RadioGroup } from '@fluentui/react-radio';
import { Textarea } from '@fluentui/react-textarea';
import { type SubmitEvent, useMemo, useRef, useState } from 'react';
import { createProductClient } from '../../../../shared/client/productClient.ts';
import { tablesInWorkbook } from '../../../excel/tables/tableMemory.ts';
import { administrationOf } from '../../connections/connections.ts';
import { othersIn } from '../../connections/useMixedQuestion.tsx';
import { serviceOf } from '../../fetchWithRetry.ts';
import { ofFormulas } from '../../ledgerFormulas/registerFormulas.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import {
  articlesOnInvoices,
  duplicatesIn,
  type MadeSheet,
  makeProductSheet,
} from '../../productSheet/makeProductSheet.ts';
import {
  explainPaste,
  type PasteChoice,
  readPasted,
  rowsFromPasted,
  withNumbers,
} from '../../productSheet/pastedRows.ts';
import { readPresentProducts } from '../../productSheet/presentProducts.ts';
import type { StockMode } from '../../sheetColumns/productTable.ts';
import { explainWait, useJob } from '../../useJob.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Status } from '../Status.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { PastedColumns } from './PastedColumns.tsx';
import { ProductSearch } from './ProductSearch.tsx';

/** Makes a product sheet. */
export function ProductsView({ connection }: Connected) {
  const { messages, language, go, askMixed } = usePane();
  const texts = messages.products;
  const { apiKey, username } = connection;
  const products = useMemo(() => createProductClient(serviceOf({ apiKey, username })), [apiKey, username]);
  const [mode, setMode] = useState<StockMode>('Relative');
  const [numbers, setNumbers] = useState('');
  const [chosen, setChosen] = useState<{ guesses: string; choices: PasteChoice[] }>();
  const making = useJob<never, MadeSheet>();
  const adding = useJob<never, number>();
  const pasted = useMemo(() => readPasted(numbers), [numbers]);
  // Chosen columns hold until other columns are pasted.
  const guesses = pasted.guesses.join();
  const choices = chosen?.guesses === guesses ? chosen.choices : pasted.guesses;
  const { values, problems } = useMemo(() => rowsFromPasted(pasted, choices), [pasted, choices]);
  const problem = explainPaste(problems, messages);
  const blank = values.filter((row) => Object.keys(row).length === 0).length;

  const make = () => {
    adding.reset();
    if (problem !== undefined) return;
    making.start(async ({ retry, signal, send }) => {
      const administration = administrationOf(connection);
      const others = othersIn(await tablesInWorkbook(retry), ofFormulas.known(), administration);
      if (others.length > 0 && !(await askMixed(others, administration))) making.cancel();
      retry.signal?.throwIfAborted();
      const client = createProductClient(serviceOf({ apiKey, username }, send));
      const present = values.length === 0 ? undefined : await readPresentProducts(client, values, signal);
      return makeProductSheet(messages, administration, mode, values, present, retry);
    });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    make();
  };

  const listed = useMemo(() => new Set(values.flatMap(({ ArticleNumber }) => ArticleNumber ?? [])), [values]);
  /** Adds article numbers below the others, in their column. */
  const addNumbers = (added: readonly string[]) => setNumbers(withNumbers(numbers, choices, added));
  /** As the pane is when they were found: the user may have pasted others meanwhile. */
  const addFound = useRef<(found: readonly string[]) => void>(undefined);
  addFound.current = (found) => addNumbers(found.filter((number) => !listed.has(number)));
  const addFromInvoices = () =>
    adding.start(async ({ retry }) => {
      const found = await articlesOnInvoices(administrationOf(connection), retry);
      addFound.current?.(found);
      return found.length;
    });

  const duplicates = useMemo(() => duplicatesIn(values).size, [values]);
  const waiting = adding.job.state === 'running' ? adding.job.waiting : undefined;
  return (
    <ViewFrame title={texts.title}>
      <form className="form" onSubmit={submit} noValidate>
        <Field label={texts.mode} hint={texts.modeHint}>
          <RadioGroup value={mode} onChange={(_, { value }) => setMode(value as StockMode)}>
            <Radio
              value="Relative"
              label={<ModeLabel word={messages.codes.Relative} meaning={texts.relativeMeaning} />}
            />
            <Radio
              value="Absolute"
              label={<ModeLabel word={messages.codes.Absolute} meaning={texts.absoluteMeaning} />}
            />
          </RadioGroup>
        </Field>
        <ProductSearch client={products} picked={listed} onPick={({ ArticleNumber }) => addNumbers([ArticleNumber])} />
        <Field label={texts.numbers} hint={texts.numbersHint}>
          <Textarea rows={5} resize="vertical" value={numbers} onChange={(_, { value }) => setNumbers(value)} />
        </Field>
        {values.length > 0 && <Status>{messages.pasting.read(values.length - blank, blank)}</Status>}
        {choices.length > 1 && (
          <PastedColumns pasted={pasted} choices={choices} onChoose={(next) => setChosen({ guesses, choices: next })} />
        )}
        {problem !== undefined && <Notice intent="warning">{problem}</Notice>}
        <WorkButton onClick={addFromInvoices}>{texts.fromInvoices}</WorkButton>
        {adding.job.state === 'done' && (
          <Notice intent="info">
            {adding.job.result === 0 ? texts.fromInvoicesNone : texts.fromInvoicesFound(adding.job.result)}
          </Notice>
        )}
        {adding.job.state === 'failed' && <ErrorNotice error={adding.job.error} onRetry={addFromInvoices} />}
        <WorkButton appearance="primary" type="submit">
          {texts.submit}
        </WorkButton>
      </form>
      {waiting !== undefined && <Notice intent="info">{explainWait(waiting, messages, language)}</Notice>}
      <JobStatus
        job={making.job}
        onCancel={making.cancel}
        running={() => texts.making}
        cancelled={messages.cancelled}
        // Something else may be pasted by now.
        again={make}
        done={(made) => (
          <>
            <Notice intent={duplicates === 0 ? 'success' : 'warning'}>
              {texts.made(made.sheetName)} {texts.madeRows(made)}
              {made.products > 0 && !made.isPresentRead && ` ${texts.presentNotRead}`}
              {duplicates > 0 && ` ${texts.duplicates(duplicates)}`}
            </Notice>
            <WorkButton onClick={() => go('push')}>{texts.next}</WorkButton>
          </>
        )}
      />
    </ViewFrame>
  );
}

const ModeLabel = ({ word, meaning }: { word: string; meaning: string }) => (
  <>
    <strong>{word}</strong> {meaning}
  </>
);
