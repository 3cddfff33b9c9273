import { Button } from '@fluentui/react-button';
import { Text } from '@fluentui/react-text';
import { useEffect, useState } from 'react';
import { Unreachable } from '../../../../shared/client/client.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import type { Administration } from '../../../excel/tables/tableMemory.ts';
import { WorkbookProblem } from '../../../excel/workbookProblem.ts';
import { wordsFor } from '../../connections/connections.ts';
import { explainError } from '../../explainError.ts';
import { formatTime } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { isFinished, type SheetPush } from '../../push/sheetPush.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Notice } from '../Notice.tsx';
import { Status } from '../Status.tsx';
import { countEnded, StateCounts } from './PushResult.tsx';
import { isOpenHere, type SheetPushing, type ShownPush } from './useSheetPush.ts';

type Props = { pushing: SheetPushing; administration: Administration; onGone: () => void };

/** The progress of the push of a sheet, and the buttons that stop or resume it; nothing once it is finished. */
export function PushProgress({ pushing, administration, onGone }: Props) {
  const { messages } = usePane();
  const texts = messages.push;
  if (pushing.shown === undefined) return null;
  const { push, phase, failure, waiting, cancelling } = pushing.shown;
  if (phase === 'preparing') {
    return (
      <div className="card">
        <Status>
          {cancelling ? messages.cancelling : texts.preparing} {waiting !== undefined && messages.waitingFor[waiting]}
        </Status>
        <Button className="submit" disabledFocusable={cancelling} onClick={pushing.cancelPreparing}>
          {messages.cancel}
        </Button>
      </div>
    );
  }
  if (phase === 'following' && push !== undefined) {
    return <Following shown={pushing.shown} push={push} onCancel={pushing.cancel} />;
  }
  // Without its table nothing of it can be continued or abandoned.
  if (failure instanceof WorkbookProblem && failure.code === 'TABLE_GONE') {
    return <ErrorNotice error={failure} onRetry={onGone} />;
  }
  const isOpen = push !== undefined && !isFinished(push);
  const canResume = isOpen && isOpenHere(push, administration);
  const isNotFound = failure instanceof Problem && failure.code === 'NOT_FOUND';
  return (
    <>
      {/* It is resumed by the button below, or begun again by that of the checked rows. */}
      {failure !== undefined && (
        <Notice intent="error">
          {isNotFound ? (push?.id ? texts.notKnown : texts.notOffered) : explainError(failure, messages)}
        </Notice>
      )}
      {failure === undefined && isOpen && !canResume && (
        <Notice intent="warning">{texts.elsewhere(wordsFor(push.administration))}</Notice>
      )}
      {isOpen && (
        <div className="side">
          {canResume && <Button onClick={pushing.resume}>{texts.resume}</Button>}
          <Button onClick={pushing.abandon}>{texts.abandon}</Button>
          <Text className="muted">{texts.abandonMeaning}</Text>
        </div>
      )}
    </>
  );
}

function Following({ shown, push, onCancel }: { shown: ShownPush; push: SheetPush; onCancel: () => void }) {
  const { messages, language } = usePane();
  const texts = messages.push;
  const { reported, error, cancelling } = shown;
  const isQuiet = useIsQuiet(reported);
  const hasBegun = push.id !== '';
  const total = push.rows.length;
  const done = countEnded(push);
  const text = texts.progress(done, total);
  const problem = error instanceof Unreachable ? texts.unreachable : explainError(error, messages);
  const status =
    shown.waiting !== undefined
      ? messages.waitingFor[shown.waiting]
      : error !== undefined
        ? (hasBegun ? texts.retrying : texts.notConfirmed)(problem)
        : cancelling
          ? texts.stopping
          : reported === undefined
            ? texts.beginning
            : reported.state === 'waiting'
              ? texts.queued
              : isQuiet
                ? texts.quiet
                : '';
  // Without a response the last known pace may be wrong.
  const isCurrent = error === undefined;
  const pace = [
    ...(isCurrent && reported?.perMinute ? [texts.pace(Math.round(Number(reported.perMinute)))] : []),
    ...(isCurrent && reported?.expectedEnd && !cancelling
      ? [texts.expectedEnd(formatTime(language, new Date(Number(reported.expectedEnd) * 1000), new Date()))]
      : []),
  ];
  return (
    <div className="card">
      <progress value={done} max={total} aria-label={texts.title} aria-valuetext={text} />
      <div>
        <strong>{messages.labelled(text, '')}</strong>
        <StateCounts push={push} />
      </div>
      {pace.length > 0 && <div>{pace.join(', ')}</div>}
      {/* Only this text is read aloud: the numbers change all the time. */}
      <Status>{status}</Status>
      <Text className="muted">
        {!hasBegun ? texts.keepOpen : error === undefined ? texts.goesOn : texts.resumesLater}
      </Text>
      <Button className="submit" disabledFocusable={cancelling} onClick={onCancel}>
        {texts.stop}
      </Button>
      <Text className="muted">{texts.stopMeaning}</Text>
    </div>
  );
}

/** Milliseconds without a row after which the pane says that the administration is busy. */
const QUIET_MS = 60_000;

/** Whether a running push has sent no row for a while. */
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
