import { Button, Field, Radio, RadioGroup, Select, Subtitle2, Text } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import { MOST_ROWS, type Push } from '../../../shared/resources/push.ts';
import { isSameAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tableMemory.ts';
import { administrationOf } from '../connections.ts';
import { explainError } from '../explainError.ts';
import { type Connected, usePane } from '../paneTools.ts';
import { checkSheet, rowsAppliedElsewhere } from '../push/pushSheet.ts';
import { isSendable, type ProductRow, type SendableRow } from '../push/readProductRow.ts';
import { isFinished, keysOf, readSheetPush, type SheetPush } from '../push/sheetPush.ts';
import { useSheetPush } from '../push/useSheetPush.ts';
import { PRODUCTS, type StockMode } from '../tables/productTable.ts';
import { useJob } from '../useJob.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Notice } from './Notice.tsx';
import { OtherPushes } from './OtherPushes.tsx';
import { PushEnd, PushProgress } from './PushProgress.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';

type Checked = { handle: TableHandle; rows: ProductRow[] };
/** What the person is asked about: these rows of that sheet, as it was read just now. */
type Question = {
  rows: readonly ProductRow[];
  chosen: readonly SendableRow[];
  /** Of the chosen rows, those that another push may have added already. */
  elsewhere: readonly SendableRow[];
};

/** Checks a product sheet, says what will be sent, begins its push and shows what becomes of it. */
export function PushView({ connection, pushes, onPushed }: Connected) {
  const styles = useFormStyles();
  const { messages, language, count, go, busy } = usePane();
  const texts = messages.push;
  const [sheets, setSheets] = useState<TableHandle[]>();
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const [others, setOthers] = useState<readonly Push[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [mode, setMode] = useState<StockMode>();
  const checking = useJob<never, Checked>();
  const asking = useJob<never, SendableRow[]>();
  const [question, setQuestion] = useState<Question>();
  const [failure, setFailure] = useState<unknown>();
  const status = useRef<HTMLDivElement>(null);

  const administration = administrationOf(connection);
  const handle = sheets?.find(({ sheetId }) => sheetId === chosen) ?? sheets?.at(-1);
  const defaultMode = mode ?? (handle?.memory.query.StockUpdateMode === 'Absolute' ? 'Absolute' : 'Relative');
  const pushing = useSheetPush(handle, administration, pushes);
  const { shown } = pushing;
  const push = shown?.push;
  const isResting = shown?.phase === 'resting' && (push === undefined || isFinished(push));

  const { start: startChecking } = checking;
  const { id, label } = administration;
  const check = useCallback(
    (table: TableHandle, word: StockMode, latest: () => SheetPush | undefined | Promise<SheetPush | undefined>) =>
      startChecking(async ({ retry }) => {
        const context = { handle: table, messages, language, retry };
        return { handle: table, rows: await checkSheet(context, word, await latest(), { id, label }) };
      }),
    [startChecking, messages, language, id, label],
  );

  useEffect(() => {
    const look = async () => {
      const tables = (await tablesInWorkbook()).filter(({ memory }) => memory.view === PRODUCTS);
      const remembered = await Promise.all(tables.map((table) => readSheetPush(table)));
      setKnown(new Set(remembered.flatMap((one) => (one === undefined ? [] : [one.id, ...one.earlier]))));
      // A push that still goes on is what the person comes for.
      setChosen(tables.find((_, index) => remembered[index] && !isFinished(remembered[index]))?.sheetId);
      setSheets(tables);
    };
    look().catch(setFailure);
  }, []);
  useEffect(() => {
    const look = new AbortController();
    // What else runs is good to know, and no reason to stop when it cannot be told.
    pushes.list(look.signal).then(setOthers, () => {});
    return () => look.abort();
  }, [pushes]);
  useEffect(() => {
    if (handle !== undefined && isResting) void check(handle, defaultMode, () => push);
  }, [handle, defaultMode, check, isResting, push]);
  // Who began a push, or waited for it, goes on where it is told of.
  const phase = shown?.phase;
  const seen = useRef(phase);
  useEffect(() => {
    const before = seen.current;
    seen.current = phase;
    const begun = before === 'preparing' && phase === 'following';
    if (begun || (before === 'following' && phase === 'resting')) status.current?.focus();
  }, [phase]);

  const checked =
    checking.job.state === 'done' && checking.job.result.handle === handle ? checking.job.result : undefined;
  const ours = handle !== undefined && isSameAdministration(handle.memory.administration, administration);
  const isUnheardOf = ({ id }: Push) => id !== push?.id && !push?.earlier.includes(id) && !known.has(id);
  const unheardOf = others.filter(isUnheardOf);

  /**
   * The sheet may have been changed since it was shown, and answers have come in: what is asked about, and sent, is what
   * it holds now.
   */
  const ask = async (isWanted: (row: SendableRow) => boolean) => {
    if (handle === undefined) return;
    const now = await check(handle, defaultMode, pushing.review);
    const chosen = now?.rows.filter(isSendable).filter(isWanted).slice(0, MOST_ROWS) ?? [];
    if (now === undefined || chosen.length === 0) return;
    const isSince = ({ createdOn }: Push) => Number(createdOn) * 1000 > Date.parse(handle.memory.pulledAt);
    const elsewhere = await asking.start(async () => {
      const since = (await pushes.list()).filter(isUnheardOf).filter(isSince);
      return rowsAppliedElsewhere(chosen, since, pushes);
    });
    // Without a network nothing is known of other pushes; this one waits for it too.
    setQuestion({ rows: now.rows, chosen, elsewhere: elsewhere ?? [] });
  };
  const begin = async ({ rows, chosen }: Question) => {
    setQuestion(undefined);
    if (await pushing.begin(rows, chosen)) onPushed();
  };

  const looking = failure ?? pushing.failure;
  if (looking !== undefined) {
    return (
      <ViewFrame title={texts.title}>
        <Notice intent="error">{explainError(looking, messages)}</Notice>
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
        <OtherPushes pushes={unheardOf} />
      </ViewFrame>
    );
  }

  const sendable = checked?.rows.filter(isSendable) ?? [];
  const ready = sendable.filter(isReady).length;
  const isRetried = retried(push);
  const retries = sendable.filter(isRetried).length;
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

      {/* Where the focus goes when a push begins and when it has ended, so that this is what is read next. */}
      <div ref={status} tabIndex={-1} className={styles.form} style={{ outline: 'none' }}>
        {shown !== undefined && (
          <PushProgress
            shown={shown}
            administration={administration}
            onCancel={pushing.cancel}
            onResume={pushing.resume}
            onAbandon={pushing.abandon}
          />
        )}
        {isResting && push !== undefined && <PushEnd push={push} />}
      </div>

      {isResting && (
        <>
          {retries > 0 && (
            <Button className={styles.submit} disabledFocusable={busy} onClick={() => ask(isRetried)}>
              {texts.retry(count(retries), retries === 1)}
            </Button>
          )}
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
            onClick={() => handle !== undefined && check(handle, defaultMode, () => push)}
          >
            {texts.check}
          </Button>
          {checking.job.state === 'running' && (
            <Text role="status">{checking.job.waiting ? messages.waitingForCell : texts.checking}</Text>
          )}
          {checking.job.state === 'failed' && (
            <Notice intent="error">{explainError(checking.job.error, messages)}</Notice>
          )}
          {checked !== undefined && (
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
                <Button
                  className={styles.submit}
                  appearance="primary"
                  disabledFocusable={busy}
                  onClick={() => ask(isReady)}
                >
                  {texts.submit(count(ready), ready === 1, connection.label)}
                </Button>
              )}
            </>
          )}
        </>
      )}
      <OtherPushes pushes={unheardOf} />

      {question !== undefined && handle !== undefined && (
        <ConfirmDialog
          title={texts.confirmTitle(connection.label)}
          confirm={texts.confirm}
          onCancel={() => setQuestion(undefined)}
          onConfirm={() => begin(question)}
        >
          <Text>
            {texts.confirmText(count(question.chosen.length), question.chosen.length === 1, connection.label)}
          </Text>
          <ModeCounts rows={question.chosen} />
          <Warnings
            held={question.chosen.filter(({ kind }) => kind === 'held').length}
            isFull={question.chosen.length === MOST_ROWS}
            isFirst={!connection.pushedBefore}
            madeFor={ours ? undefined : handle.memory.administration.label}
            connectedTo={connection.label}
            elsewhere={question.elsewhere.length}
          />
          <Text>{texts.confirmGoesOn}</Text>
        </ConfirmDialog>
      )}
    </ViewFrame>
  );
}

const isReady = ({ kind }: SendableRow): boolean => kind === 'ready';

/** Which rows "try again" sends: those of the latest push that were refused or unknown, and those held back since. */
const retried = (push: SheetPush | undefined): ((row: SendableRow) => boolean) => {
  const keys = push === undefined ? new Set() : keysOf(push, 'refused', 'unknown');
  return ({ kind, key }) => kind === 'held' || (kind === 'ready' && keys.has(key));
};

/** What to think of before a push, beside its numbers. */
function Warnings({
  held,
  isFull,
  isFirst,
  madeFor,
  connectedTo,
  elsewhere,
}: {
  held: number;
  isFull: boolean;
  isFirst: boolean;
  madeFor: string | undefined;
  connectedTo: string;
  elsewhere: number;
}) {
  const { messages, count } = usePane();
  const texts = messages.push;
  return (
    <>
      {isFull && <Text>{texts.onlyFirst(count(MOST_ROWS))}</Text>}
      {isFirst && <Text>{texts.confirmFirst}</Text>}
      {held > 0 && <Text weight="semibold">{texts.confirmUnknown(count(held), held === 1)}</Text>}
      {elsewhere > 0 && <Text weight="semibold">{texts.confirmElsewhere(count(elsewhere), elsewhere === 1)}</Text>}
      {madeFor !== undefined && <Text weight="semibold">{texts.confirmOther(madeFor, connectedTo)}</Text>}
    </>
  );
}

/** Mistakes shown one by one; every row of the sheet shows its own after a push. */
const MOST_SHOWN = 10;

function Found({ rows }: { rows: readonly ProductRow[] }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  const numberOf = (kind: ProductRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const bad = rows.flatMap((row) => (row.kind === 'bad' ? [row] : []));
  const ready = rows.filter(isSendable).filter(isReady);
  const [held, unchanged, applied] = [numberOf('held'), numberOf('unchanged'), numberOf('applied')];
  return (
    <section className={styles.card}>
      <Subtitle2 as="h2" className={styles.heading}>
        {texts.found}
      </Subtitle2>
      <Text role="status" weight="semibold">
        {texts.ready(count(ready.length), ready.length === 1)}
      </Text>
      {ready.length > 0 && <ModeCounts rows={ready} />}
      {unchanged > 0 && <Text className={styles.muted}>{texts.unchanged(count(unchanged), unchanged === 1)}</Text>}
      {applied > 0 && (
        <Text className={styles.muted}>
          {texts.asApplied(count(applied), applied === 1)}. {texts.asAppliedHint}
        </Text>
      )}
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

function ModeCounts({ rows }: { rows: readonly SendableRow[] }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  const of = (mode: StockMode | null) => count(rows.filter((row) => row.mode === mode).length);
  return (
    <ul className={styles.bullets}>
      <li>{texts.relativeCount(of('Relative'))}</li>
      <li>{texts.absoluteCount(of('Absolute'))}</li>
      <li>{texts.withoutStock(of(null))}</li>
    </ul>
  );
}
