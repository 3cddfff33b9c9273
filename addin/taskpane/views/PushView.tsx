import { Button, Field, Radio, RadioGroup, Select, Subtitle2, Text } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Push } from '../../../shared/resources/push.ts';
import { adoptCopiedTable, type CopiedTable, copiedTables } from '../../excel/tables/copiedTables.ts';
import { findRowsBelow, includeRowsBelow, type RowsBelow } from '../../excel/tables/rowsBelow.ts';
import { isSameAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { administrationOf } from '../connections.ts';
import { explainError } from '../explainError.ts';
import { languages, messagesOf } from '../locales/messages.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { checkSheet, rowsAppliedElsewhere } from '../push/pushSheet.ts';
import { isSendable, type ProductRow, type SendableRow } from '../push/readProductRow.ts';
import { isFinished, keysOf, readSheetPush, type SheetPush } from '../push/sheetPush.ts';
import { useSheetPush } from '../push/useSheetPush.ts';
import { PRODUCTS, productTable, type StockMode } from '../tables/productTable.ts';
import { useJob } from '../useJob.ts';
import { Notice } from './Notice.tsx';
import { OtherPushes } from './OtherPushes.tsx';
import { PushEnd, PushProgress } from './PushProgress.tsx';
import { ModeCounts, PushQuestion } from './PushQuestion.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';

type Checked = { handle: TableHandle; rows: ProductRow[]; below: RowsBelow | undefined };
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
  const { messages, count, go, busy } = usePane();
  const texts = messages.push;
  const [sheets, setSheets] = useState<TableHandle[]>();
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const [others, setOthers] = useState<readonly Push[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [mode, setMode] = useState<StockMode>();
  const checking = useJob<never, Checked>();
  const asking = useJob<never, SendableRow[]>();
  const taking = useJob<never, void>();
  const [copies, setCopies] = useState<readonly CopiedTable[]>([]);
  const [question, setQuestion] = useState<Question>();
  const [failure, setFailure] = useState<unknown>();
  const status = useRef<HTMLDivElement>(null);

  const administration = administrationOf(connection);
  const handle = sheets?.find(({ sheetId }) => sheetId === chosen) ?? sheets?.at(-1);
  const defaultMode = mode ?? (handle?.memory.query.StockUpdateMode === 'Absolute' ? 'Absolute' : 'Relative');
  const pushing = useSheetPush(handle, administration, pushes);
  const { shown } = pushing;
  const push = shown?.push;
  const isPaused = shown?.phase === 'resting' && (push === undefined || isFinished(push));

  const { start: startChecking } = checking;
  const { id, label } = administration;
  const check = useCallback(
    (table: TableHandle, word: StockMode, latest: () => SheetPush | undefined | Promise<SheetPush | undefined>) =>
      startChecking(async ({ retry }) => {
        const context = { handle: table, messages, retry };
        const rows = await checkSheet(context, word, await latest(), { id, label });
        return { handle: table, rows, below: await findRowsBelow(table, retry) };
      }),
    [startChecking, messages, id, label],
  );

  const look = useCallback(
    async (wanted?: string) => {
      const tables = (await tablesInWorkbook()).filter(({ memory }) => memory.view === PRODUCTS);
      const remembered = await Promise.all(tables.map((table) => readSheetPush(table)));
      setKnown(new Set(remembered.flatMap((one) => (one === undefined ? [] : [one.id, ...one.earlier]))));
      // A push that still goes on is what the person comes for.
      const open = tables.find((_, index) => remembered[index] && !isFinished(remembered[index]));
      setChosen(wanted ?? open?.sheetId);
      setSheets(tables);
      const models = languages.map((language) => productTable(messagesOf[language], { id, label }, 'Relative'));
      setCopies(await copiedTables(models));
    },
    [id, label],
  );
  useEffect(() => {
    look().catch(setFailure);
  }, [look]);
  const adoptCopy = (copy: CopiedTable) => adoptCopiedTable(copy).then(({ sheetId }) => look(sheetId), setFailure);
  const takeIn = async ({ handle: table, below }: Checked) => {
    if (below === undefined) return;
    await taking.start(({ retry }) => includeRowsBelow(table, below, retry));
    await check(table, defaultMode, () => push);
  };
  useEffect(() => {
    const look = new AbortController();
    // What else runs is good to know, and no reason to stop when it cannot be told.
    pushes.list(look.signal).then(setOthers, () => {});
    return () => look.abort();
  }, [pushes]);
  useEffect(() => {
    if (handle !== undefined && isPaused) void check(handle, defaultMode, () => push);
  }, [handle, defaultMode, check, isPaused, push]);
  // Who began a push, or waited for it, goes on where it is told of.
  const phase = shown?.phase;
  const seen = useRef(phase);
  useEffect(() => {
    const before = seen.current;
    seen.current = phase;
    const begun = before === 'preparing' && phase === 'following';
    if (begun || (before === 'following' && phase === 'resting')) status.current?.focus();
  }, [phase]);

  // What was found stays in sight while it is looked for again, and so does the button that holds the focus.
  const [latest, setLatest] = useState<Checked>();
  const found = checking.job.state === 'done' ? checking.job.result : undefined;
  useEffect(() => {
    if (found !== undefined) setLatest(found);
  }, [found]);
  const shownRows = found ?? (checking.job.state === 'running' ? latest : undefined);
  const checked = shownRows?.handle === handle ? shownRows : undefined;
  const ours = handle !== undefined && isSameAdministration(handle.memory.administration, administration);
  const isNotListed = ({ id }: Push) => id !== push?.id && !push?.earlier.includes(id) && !known.has(id);
  const notListed = others.filter(isNotListed);

  /**
   * The sheet may have been changed since it was shown, and answers have come in: what is asked about, and sent, is
   * what it holds now.
   */
  const ask = async (isWanted: (row: SendableRow) => boolean) => {
    if (handle === undefined) return;
    const now = await check(handle, defaultMode, pushing.review);
    const chosen = now?.rows.filter(isSendable).filter(isWanted) ?? [];
    if (now === undefined || chosen.length === 0) return;
    const isSince = ({ createdOn }: Push) => Number(createdOn) * 1000 > Date.parse(handle.memory.pulledAt);
    const elsewhere = await asking.start(async () => {
      const since = (await pushes.list()).filter(isNotListed).filter(isSince);
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
        <Copies copies={copies} onTakeUp={adoptCopy} />
        <Button className={styles.submit} appearance="primary" onClick={() => go('products')}>
          {texts.make}
        </Button>
        <OtherPushes pushes={notListed} />
      </ViewFrame>
    );
  }

  const sendable = checked?.rows.filter(isSendable) ?? [];
  const ready = sendable.filter(isReady).length;
  const isRetried = retried(push);
  const retries = sendable.filter(isRetried).length;
  const repeated = sendable.filter(isRepeated).length;
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

      <Copies copies={copies} onTakeUp={adoptCopy} />

      {/* Where the focus goes when a push begins and when it has ended, so that this is what is read next. */}
      <div ref={status} tabIndex={-1} className={styles.form} style={{ outline: 'none' }}>
        {shown !== undefined && (
          <PushProgress
            shown={shown}
            administration={administration}
            onCancel={pushing.cancel}
            onCancelPreparing={pushing.cancelPreparing}
            onResume={pushing.resume}
            onAbandon={pushing.abandon}
          />
        )}
        {isPaused && push !== undefined && <PushEnd push={push} />}
      </div>

      {isPaused && (
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
          {repeated > 0 && (
            <Button className={styles.submit} disabledFocusable={busy} onClick={() => ask(isRepeated)}>
              {texts.repeatAgain(count(repeated), repeated === 1)}
            </Button>
          )}
          <Button
            className={styles.submit}
            disabledFocusable={busy}
            onClick={() => handle !== undefined && check(handle, defaultMode, () => push)}
          >
            {texts.check}
          </Button>
          {checking.job.state === 'running' && (
            <div className={styles.side}>
              <Text role="status">
                {checking.job.waiting === undefined ? texts.checking : messages.waitingFor[checking.job.waiting]}
              </Text>
              {checking.job.waiting && <Button onClick={checking.cancel}>{messages.cancel}</Button>}
            </div>
          )}
          {checking.job.state === 'failed' && (
            <Notice intent="error">{explainError(checking.job.error, messages)}</Notice>
          )}
          {checked !== undefined && (
            <>
              {checked.below !== undefined && (
                <Notice intent="warning">
                  {texts.below(String(checked.below.first), String(checked.below.last))}
                  <div>
                    <Button size="small" disabledFocusable={busy} onClick={() => takeIn(checked)}>
                      {texts.takeIn(checked.below.first === checked.below.last)}
                    </Button>
                  </div>
                </Notice>
              )}
              {taking.job.state === 'failed' && (
                <Notice intent="error">{explainError(taking.job.error, messages)}</Notice>
              )}
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
      <OtherPushes pushes={notListed} />

      {question !== undefined && handle !== undefined && (
        <PushQuestion
          chosen={question.chosen}
          elsewhere={question.elsewhere}
          connectedTo={connection.label}
          madeFor={ours ? undefined : handle.memory.administration.label}
          isFirst={!connection.pushedBefore}
          onCancel={() => setQuestion(undefined)}
          onConfirm={(chosen) => begin({ ...question, chosen })}
        />
      )}
    </ViewFrame>
  );
}

const isReady = ({ kind }: SendableRow): boolean => kind === 'ready';
const isRepeated = ({ kind }: SendableRow): boolean => kind === 'repeated';

/** Which rows "try again" sends: those of the latest push that were refused or unknown, and those held back since. */
const retried = (push: SheetPush | undefined): ((row: SendableRow) => boolean) => {
  const keys = push === undefined ? new Set() : keysOf(push, 'refused', 'unknown');
  return ({ kind, key }) => kind === 'held' || (kind === 'ready' && keys.has(key));
};

/** Copies of product sheets, which remember nothing, to be used as product sheets of their own. */
function Copies({ copies, onTakeUp }: { copies: readonly CopiedTable[]; onTakeUp: (copy: CopiedTable) => void }) {
  const { messages, busy } = usePane();
  const texts = messages.push;
  return copies.map((copy) => (
    <Notice key={copy.sheetId} intent="info">
      {texts.copied(copy.sheetName)}
      <div>
        <Button size="small" disabledFocusable={busy} onClick={() => onTakeUp(copy)}>
          {texts.takeUp(copy.sheetName)}
        </Button>
      </div>
    </Notice>
  ));
}

/** Mistakes shown one by one; every row of the sheet shows its own after a push. */
const MAX_SHOWN = 10;

function Found({ rows }: { rows: readonly ProductRow[] }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  const numberOf = (kind: ProductRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const bad = rows.flatMap((row) => (row.kind === 'bad' ? [row] : []));
  const ready = rows.filter(isSendable).filter(isReady);
  const hidden = ready.filter((row) => row.hidden).length;
  const [held, repeated] = [numberOf('held'), numberOf('repeated')];
  const [unchanged, applied] = [numberOf('unchanged'), numberOf('applied')];
  return (
    <section className={styles.card}>
      <Subtitle2 as="h2" className={styles.heading}>
        {texts.found}
      </Subtitle2>
      <Text role="status" weight="semibold">
        {texts.ready(count(ready.length), ready.length === 1)}
      </Text>
      {ready.length > 0 && <ModeCounts rows={ready} />}
      {hidden > 0 && <Text>{texts.hiddenFound(count(hidden))}</Text>}
      {unchanged > 0 && <Text className={styles.muted}>{texts.unchanged(count(unchanged), unchanged === 1)}</Text>}
      {applied > 0 && (
        <Text className={styles.muted}>
          {texts.asApplied(count(applied), applied === 1)}. {texts.asAppliedHint}
        </Text>
      )}
      {repeated > 0 && <Notice intent="warning">{texts.repeated(count(repeated), repeated === 1)}</Notice>}
      {held > 0 && (
        <Notice intent="warning">
          {texts.held(count(held), held === 1)}: {messages.rowMessage.held}
        </Notice>
      )}
      {bad.length > 0 && (
        <Notice intent="warning">
          <strong>{texts.bad(count(bad.length), bad.length === 1)}</strong>
          <ul className={styles.bullets}>
            {bad.slice(0, MAX_SHOWN).map(({ number, message }) => (
              <li key={number}>{texts.rowIssue(String(number), message)}</li>
            ))}
          </ul>
          {bad.length > MAX_SHOWN && texts.more(count(bad.length - MAX_SHOWN))}
        </Notice>
      )}
    </section>
  );
}
