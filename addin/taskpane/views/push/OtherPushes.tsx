import type { Push } from '../../../../shared/resources/push.ts';
import { formatMoment } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { Section } from '../Section.tsx';
import { useFormStyles } from '../ViewFrame.tsx';

/** The most pushes in the list. */
const MAX_PUSHES = 5;

/** Pushes with the same user name that began in another workbook, or on another computer. */
export function OtherPushes({ pushes }: { pushes: readonly Push[] }) {
  const styles = useFormStyles();
  const { messages, language } = usePane();
  const texts = messages.push;
  if (pushes.length === 0) return null;
  return (
    <Section card title={texts.others}>
      <ul className={styles.bullets}>
        {pushes.slice(0, MAX_PUSHES).map(({ id, createdOn, total, counts }) => {
          const done = (counts.applied ?? 0) + (counts.refused ?? 0) + (counts.unknown ?? 0);
          const moment = formatMoment(language, new Date(Number(createdOn) * 1000));
          const text = counts.cancelled ? texts.otherStopped : texts.other;
          return <li key={id}>{text(moment, done, total ?? 0)}</li>;
        })}
      </ul>
    </Section>
  );
}
