import { Subtitle2 } from '@fluentui/react-components';
import type { Push } from '../../../shared/resources/push.ts';
import { formatMoment } from '../locales/language.ts';
import { usePane } from '../paneContext.ts';
import { useFormStyles } from './ViewFrame.tsx';

/** Most of them shown. */
const MAX_SHOWN = 5;

/** Pushes of the same user name that began elsewhere: another workbook, or another computer. */
export function OtherPushes({ pushes }: { pushes: readonly Push[] }) {
  const styles = useFormStyles();
  const { messages, language, count } = usePane();
  const texts = messages.push;
  if (pushes.length === 0) return null;
  return (
    <section className={styles.card}>
      <Subtitle2 as="h2" className={styles.heading}>
        {texts.others}
      </Subtitle2>
      <ul className={styles.bullets}>
        {pushes.slice(0, MAX_SHOWN).map(({ id, createdOn, total, counts }) => {
          const done = (counts.applied ?? 0) + (counts.refused ?? 0) + (counts.unknown ?? 0);
          const moment = formatMoment(language, new Date(Number(createdOn) * 1000));
          const text = counts.cancelled ? texts.otherStopped : texts.other;
          return <li key={id}>{text(moment, count(done), count(total ?? 0))}</li>;
        })}
      </ul>
    </section>
  );
}
