import { Button, ProgressBar, Text } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { Problem } from '../../../shared/problem.ts';
import type { Push } from '../../../shared/resources/push.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { explainError } from '../explainError.ts';
import { formatMoment, formatTime } from '../locales/language.ts';
import { usePane } from '../paneContext.ts';
import { countOf, isFinished, type SheetPush } from '../push/sheetPush.ts';
import { isOpenHere, type ShownPush } from '../push/useSheetPush.ts';
import { Notice } from './Notice.tsx';
import { useFormStyles } from './ViewFrame.tsx';

type Props = {
  shown: ShownPush;
  administration: Administration;
  onCancel: () => void;
  onCancelPreparing: () => void;
  onResume: () => void;
  onAbandon: () => void;
};

/** How the push of a sheet goes, and what can be done about it; nothing once it is finished. */
export function PushProgress({ shown, administration, onCancel, onCancelPreparing, onResume, onAbandon }: Props) {
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.push;
  const { push, phase, failure } = shown;
  if (phase === 'preparing') {
    return (
      <div className={styles.card}>
        <Text role="status">{shown.waiting === undefined ? texts.preparing : messages.waitingFor[shown.waiting]}</Text>
        <Button className={styles.submit} onClick={onCancelPreparing}>
          {messages.cancel}
        </Button>
      </div>
    );
  }
  if (phase === 'following' && push !== undefined) {
    return <Following shown={shown} push={push} onCancel={onCancel} />;
  }
  const isOpen = push !== undefined && !isFinished(push);
  const isGone = failure instanceof Problem && failure.code === 'NOT_FOUND';
  const canResume = isOpen && isOpenHere(push, administration);
  if (failure === undefined && !isOpen) return null;
  return (
    <>
      {failure === undefined ? (
        isOpen && !canResume && <Notice intent="warning">{texts.elsewhere(push.administration.label)}</Notice>
      ) : (
        <Notice intent="error">{isGone ? texts.notKnown : explainError(failure, messages)}</Notice>
      )}
      {isOpen && (
        <div className={styles.side}>
          {canResume && <Button onClick={onResume}>{texts.resume}</Button>}
          <Button onClick={onAbandon}>{texts.abandon}</Button>
          <Text className={styles.muted}>{texts.abandonMeaning}</Text>
        </div>
      )}
    </>
  );
}

function Following({ shown, push, onCancel }: { shown: ShownPush; push: SheetPush; onCancel: () => void }) {
  const styles = useFormStyles();
  const { messages, language, count } = usePane();
  const texts = messages.push;
  const { reported, error, cancelling } = shown;
  const isQuiet = useIsQuiet(reported);
  const total = push.rows.length;
  const done = countOf(push, ...doneStates);
  const text = texts.progress(count(done), count(total));
  const obstacle =
    shown.waiting !== undefined
      ? messages.waitingFor[shown.waiting]
      : error !== undefined
        ? texts.retrying(explainError(error, messages))
        : cancelling
          ? texts.stopping
          : reported === undefined
            ? texts.beginning
            : reported.state === 'waiting'
              ? texts.queued
              : isQuiet
                ? texts.quiet
                : '';
  const pace = [
    ...(reported?.perMinute ? [texts.pace(count(Math.round(Number(reported.perMinute))))] : []),
    ...(reported?.expectedEnd && !cancelling
      ? [texts.expectedEnd(formatTime(language, new Date(Number(reported.expectedEnd) * 1000), new Date()))]
      : []),
  ];
  return (
    <div className={styles.card}>
      <ProgressBar value={done} max={total} aria-label={texts.title} aria-valuetext={text} />
      <div>
        <strong>{text}</strong>: <StateCounts push={push} />
      </div>
      {pace.length > 0 && <div>{pace.join(', ')}</div>}
      {/* The numbers change all the time; read aloud is only what is in the way. */}
      <div role="status">{obstacle}</div>
      <Text className={styles.muted}>{push.id === '' ? texts.notSentYet : texts.goesOn}</Text>
      <Button className={styles.submit} disabledFocusable={cancelling} onClick={onCancel}>
        {texts.stop}
      </Button>
      <Text className={styles.muted}>{texts.stopMeaning}</Text>
    </div>
  );
}

const doneStates = ['applied', 'refused', 'unknown'] as const;
const ends = [...doneStates, 'cancelled'] as const;

/** `12 applied, 1 refused, 30 waiting` */
function StateCounts({ push }: { push: SheetPush }) {
  const { messages, count } = usePane();
  const texts = messages.push;
  const parts = ends
    .filter((state) => state === 'applied' || countOf(push, state) > 0)
    .map((state) => texts.result[state](count(countOf(push, state))));
  const waiting = countOf(push, 'waiting');
  if (waiting > 0) parts.push(texts.waiting(count(waiting)));
  return parts.join(', ');
}

/** Milliseconds without a row after which the person is told that this is the administration's doing. */
const QUIET_MS = 60_000;

/** Whether a push that runs has let no row through for a while. */
function useIsQuiet(reported: Push | undefined): boolean {
  const [isQuiet, setQuiet] = useState(false);
  const open = reported?.state === 'running' ? (reported.counts.waiting ?? 0) : 0;
  useEffect(() => {
    setQuiet(false);
    if (open === 0) return;
    const timer = setTimeout(() => setQuiet(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return isQuiet;
}

/** How the latest push of a sheet ended. */
export function PushEnd({ push }: { push: SheetPush }) {
  const { messages, language, count } = usePane();
  const done = countOf(push, ...doneStates);
  const texts = messages.push;
  const clean = countOf(push, 'applied') === push.rows.length && push.missing.length === 0;
  const isStopped = countOf(push, 'cancelled') > 0;
  const sent = new Set(push.rows.map(({ key }) => key.trim()));
  const changed = push.missing.filter((key) => !sent.has(key));
  const missing = push.missing.filter((key) => sent.has(key));
  return (
    <Notice intent={clean ? 'success' : 'warning'}>
      <strong>
        {texts.of(formatMoment(language, new Date(push.confirmedAt)))}.{' '}
        {isStopped ? texts.stoppedAt(count(done), count(push.rows.length)) : texts.done}
      </strong>
      : <StateCounts push={push} />. {texts.seeRows}
      {push.cancelled && !isStopped && ` ${texts.stoppedLate}`}
      {missing.length > 0 && ` ${texts.missing(missing.join('; '))}`}
      {changed.length > 0 && ` ${texts.changed(changed.join('; '))}`}
    </Notice>
  );
}
