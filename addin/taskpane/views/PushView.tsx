import { Button, Field, ProgressBar, Radio, RadioGroup, Select, Subtitle2, Text } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usualPatience } from '../../excel/batch.ts';
import { isSameAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tableMemory.ts';
import { administrationOf } from '../connections.ts';
import { explainError } from '../explainError.ts';
import { type Connected, usePane } from '../paneTools.ts';
import { checkSheet, type PushResult, pushSheet } from '../push/pushSheet.ts';
import type { ProductRow } from '../push/readProductRow.ts';
import { PRODUCTS, type StockMode } from '../tables/productTable.ts';
import { type JobState, useJob } from '../useJob.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Notice } from './Notice.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';

type Progress = { done: number; total: number; pause: number };
type Checked = { handle: TableHandle; rows: ProductRow[] };

/** Checks a product sheet, says what will be sent, and sends it. */
export function PushView({ connection, client, onPushed }: Connected) {
  const styles = useFormStyles();
  const { messages, language, count, go, busy } = usePane();
  const texts = messages.push;
  const [sheets, setSheets] = useState<TableHandle[]>();
  const [chosen, setChosen] = useState<string>();
  const [mode, setMode] = useState<StockMode>();
  const checking = useJob<never, Checked>();
  const pushing = useJob<Progress, PushResult>();
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const ended = useRef<HTMLDivElement>(null);

  const handle = sheets?.find(({ sheetId }) => sheetId === chosen) ?? sheets?.at(-1);
  const defaultMode = mode ?? (handle?.memory.query.StockUpdateMode === 'Absolute' ? 'Absolute' : 'Relative');

  const { start: startChecking } = checking;
  const check = useCallback(
    (table: TableHandle, word: StockMode) =>
      startChecking(async ({ onWaiting }) => {
        const patience = { ...usualPatience, onWaiting };
        return { handle: table, rows: await checkSheet({ handle: table, messages, language, patience }, word) };
      }),
    [startChecking, messages, language],
  );

  useEffect(() => {
    tablesInWorkbook()
      .then((tables) => setSheets(tables.filter(({ memory }) => memory.view === PRODUCTS)))
      .catch(setFailure);
  }, []);
  useEffect(() => {
    if (handle !== undefined) check(handle, defaultMode);
  }, [handle, defaultMode, check]);
  useEffect(() => {
    if (pushing.job.state === 'done') ended.current?.focus();
  }, [pushing.job.state]);

  const checked =
    checking.job.state === 'done' && checking.job.result.handle === handle ? checking.job.result : undefined;
  const ours = handle !== undefined && isSameAdministration(handle.memory.administration, administrationOf(connection));

  const needsQuestion = !connection.pushedBefore || !ours;

  const push = ({ handle, rows }: Checked) => {
    setConfirming(false);
    const total = rows.filter(({ kind }) => kind === 'ready').length;
    pushing.start(async ({ signal, report, onWaiting }) => {
      const progress = { done: 0, total, pause: 0 };
      const tell = (change: Partial<Progress>) => report({ ...Object.assign(progress, change) });
      tell({});
      const result = await pushSheet(
        { handle, messages, language, patience: { ...usualPatience, onWaiting } },
        rows,
        client,
        {
          signal,
          isOnline: () => navigator.onLine,
          onProgress: (done) => tell({ done }),
          onPause: (pause) => tell({ pause }),
        },
      );
      onPushed();
      return result;
    });
  };

  /** The sheet may have been changed since it was shown: what is asked about, and sent, is what it holds now. */
  const ask = async () => {
    if (handle === undefined) return;
    const now = await check(handle, defaultMode);
    if (now === undefined || !now.rows.some(({ kind }) => kind === 'ready')) return;
    if (needsQuestion) setConfirming(true);
    else push(now);
  };

  if (failure !== undefined) {
    return (
      <ViewFrame title={texts.title}>
        <Notice intent="error">{explainError(failure, messages)}</Notice>
      </ViewFrame>
    );
  }
  if (sheets !== undefined && handle === undefined) {
    return (
      <ViewFrame title={texts.title}>
        <Text>{texts.none}</Text>
        <Button className={styles.submit} appearance="primary" onClick={() => go('products')}>
          {texts.make}
        </Button>
      </ViewFrame>
    );
  }

  const ready = checked?.rows.filter(({ kind }) => kind === 'ready').length ?? 0;
  return (
    <ViewFrame title={texts.title}>
      <Field label={texts.sheet}>
        <Select value={handle?.sheetId ?? ''} disabled={busy} onChange={(_, { value }) => setChosen(value)}>
          {sheets?.map(({ sheetId, sheetName }) => (
            <option key={sheetId} value={sheetId}>
              {sheetName}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={texts.defaultMode}>
        <RadioGroup
          layout="horizontal"
          value={defaultMode}
          disabled={busy}
          onChange={(_, { value }) => setMode(value as StockMode)}
        >
          <Radio value="Relative" label={messages.products.relative} />
          <Radio value="Absolute" label={messages.products.absolute} />
        </RadioGroup>
      </Field>
      <Button
        className={styles.submit}
        disabledFocusable={busy}
        onClick={() => {
          pushing.reset();
          if (handle !== undefined) check(handle, defaultMode);
        }}
      >
        {texts.check}
      </Button>

      {checking.job.state === 'running' && (
        <Text role="status">{checking.job.waiting ? messages.waitingForCell : texts.checking}</Text>
      )}
      {checking.job.state === 'failed' && <Notice intent="error">{explainError(checking.job.error, messages)}</Notice>}
      {checked !== undefined && pushing.job.state === 'idle' && (
        <>
          <Found rows={checked.rows} />
          {!ours && (
            <Notice intent="warning">
              {texts.confirmOther(checked.handle.memory.administration.label, connection.label)}
            </Notice>
          )}
          {ready === 0 ? (
            <Text>{texts.nothing}</Text>
          ) : (
            <Button className={styles.submit} appearance="primary" disabledFocusable={busy} onClick={ask}>
              {texts.submit(count(ready), ready === 1, connection.label)}
            </Button>
          )}
        </>
      )}
      <PushStatus job={pushing.job} onCancel={pushing.cancel} />
      {/* Where the focus goes when a push has ended, so that its result is what is read next. */}
      <div ref={ended} tabIndex={-1} style={{ outline: 'none' }}>
        {pushing.job.state === 'done' && <PushEnd result={pushing.job.result} />}
      </div>

      {confirming && checked !== undefined && (
        <ConfirmDialog
          title={texts.confirmTitle(connection.label)}
          confirm={texts.confirm}
          onCancel={() => setConfirming(false)}
          onConfirm={() => push(checked)}
        >
          <Text>{texts.confirmText(count(ready), ready === 1, connection.label)}</Text>
          <ModeCounts rows={checked.rows} />
          {!connection.pushedBefore && <Text>{texts.confirmFirst}</Text>}
          {!ours && (
            <Text weight="semibold">
              {texts.confirmOther(checked.handle.memory.administration.label, connection.label)}
            </Text>
          )}
        </ConfirmDialog>
      )}
    </ViewFrame>
  );
}

/** Mistakes shown one by one; every row of the sheet shows its own after a push. */
const MOST_SHOWN = 10;

function Found({ rows }: { rows: readonly ProductRow[] }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  const of = (kind: ProductRow['kind']) => rows.filter((row) => row.kind === kind);
  const bad = rows.flatMap((row) => (row.kind === 'bad' ? [row] : []));
  const [ready, held, unchanged] = [of('ready').length, of('held').length, of('unchanged').length];
  return (
    <section className={styles.card}>
      <Subtitle2 as="h2" className={styles.heading}>
        {texts.found}
      </Subtitle2>
      <Text role="status" weight="semibold">
        {texts.ready(count(ready), ready === 1)}
      </Text>
      {ready > 0 && <ModeCounts rows={rows} />}
      {unchanged > 0 && <Text className={styles.muted}>{texts.unchanged(count(unchanged), unchanged === 1)}</Text>}
      {held > 0 && (
        <Notice intent="warning">
          {texts.held(count(held), held === 1)}: {messages.rowMessage.held}
        </Notice>
      )}
      {bad.length > 0 && (
        <Notice intent="warning">
          <strong>{texts.bad(count(bad.length), bad.length === 1)}</strong>
          <ul className={styles.bullets}>
            {bad.slice(0, MOST_SHOWN).map(({ number, message }) => (
              <li key={number}>{texts.rowIssue(String(number), message)}</li>
            ))}
          </ul>
          {bad.length > MOST_SHOWN && texts.more(count(bad.length - MOST_SHOWN))}
        </Notice>
      )}
    </section>
  );
}

function ModeCounts({ rows }: { rows: readonly ProductRow[] }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  const modes = rows.flatMap((row) => (row.kind === 'ready' ? [row.mode] : []));
  const of = (mode: StockMode | null) => count(modes.filter((one) => one === mode).length);
  return (
    <ul className={styles.bullets}>
      <li>{texts.relativeCount(of('Relative'))}</li>
      <li>{texts.absoluteCount(of('Absolute'))}</li>
      <li>{texts.withoutStock(of(null))}</li>
    </ul>
  );
}

function PushStatus({ job, onCancel }: { job: JobState<Progress, PushResult>; onCancel: () => void }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  if (job.state === 'failed') return <Notice intent="error">{explainError(job.error, messages)}</Notice>;
  if (job.state !== 'running') return null;
  const { done, total, pause } = job.progress ?? { done: 0, total: 1, pause: 0 };
  const text = texts.progress(count(done), count(total));
  const more = job.waiting
    ? messages.waitingForCell
    : job.cancelling
      ? texts.stopping
      : pause > 0
        ? texts.pausing(count(pause))
        : '';
  return (
    <div className={styles.card}>
      <ProgressBar value={done} max={total} aria-label={texts.title} aria-valuetext={text} />
      <div role="status">
        {text}
        {more !== '' && `. ${more}`}
      </div>
      <Button className={styles.submit} disabledFocusable={job.cancelling} onClick={onCancel}>
        {messages.cancel}
      </Button>
    </div>
  );
}

function PushEnd({ result }: { result: PushResult }) {
  const { messages, count } = usePane();
  const texts = messages.push;
  const { counts, mistakes, missing, stopped } = result;
  const clean = counts.refused + counts.unknown + counts.notSent + mistakes === 0 && missing.length === 0;
  const parts = (['applied', 'refused', 'unknown', 'notSent'] as const)
    .filter((kind) => kind === 'applied' || counts[kind] > 0)
    .map((kind) => texts.result[kind](count(counts[kind])));
  if (mistakes > 0) parts.push(texts.bad(count(mistakes), mistakes === 1));
  return (
    <Notice intent={clean ? 'success' : 'warning'}>
      <strong>{stopped ? texts.stopped : texts.done}</strong>: {parts.join(', ')}. {texts.seeRows}
      {missing.length > 0 && ` ${texts.missing(missing.slice(0, 20).join('; '))}`}
    </Notice>
  );
}
