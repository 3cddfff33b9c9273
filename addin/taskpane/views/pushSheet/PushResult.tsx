import type { Messages } from '../../locales/en.ts';
import { formatMoment } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { countOf, type SheetPush } from '../../push/sheetPush.ts';
import { Notice } from '../Notice.tsx';

const states = ['applied', 'refused', 'unknown', 'cancelled', 'waiting'] as const;

/** How many rows of a push were sent and have a result. */
export const countEnded = (push: SheetPush): number => countOf(push, 'applied', 'refused', 'unknown');

/** `12 applied, 1 refused, 30 waiting` */
export const countsText = (messages: Messages, count: (state: (typeof states)[number]) => number): string =>
  states
    .filter((state) => state === 'applied' || count(state) > 0)
    .map((state) => messages.push.stateCounts[state](count(state)))
    .join(', ');

export const StateCounts = ({ push }: { push: SheetPush }): string =>
  countsText(usePane().messages, (state) => countOf(push, state));

/** The result of the latest push of a sheet. */
export function PushResult({ push }: { push: SheetPush }) {
  const { messages, language } = usePane();
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
        {messages.labelled(isStopped ? texts.stoppedAt(countEnded(push), push.rows.length) : texts.done, '')}
      </strong>
      <StateCounts push={push} />. {texts.seeRows}
      {push.cancelled && !isStopped && ` ${texts.stoppedLate}`}
      {missing.length > 0 && ` ${texts.missing(missing.join('; '))}`}
      {changed.length > 0 && ` ${texts.changed(changed.join('; '))}`}
    </Notice>
  );
}
