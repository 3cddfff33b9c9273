import { Button, makeStyles, Text } from '@fluentui/react-components';
import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useId, useState } from 'react';
import type { PushClient } from '../../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../../shared/resources/push.ts';
import { formatMoment } from '../../../locales/language.ts';
import { usePane } from '../../../paneContext.ts';
import { Section } from '../../Section.tsx';
import { useFormStyles } from '../../ViewFrame.tsx';
import { countsText } from '../PushResult.tsx';
import { SentRows } from './SentRows.tsx';

const useStyles = makeStyles({ opener: { alignSelf: 'start', justifyContent: 'start', textAlign: 'start' } });

/** Pushes that are shown at first, and that are added each time. */
const FIRST_PUSHES = 5;
const MORE_PUSHES = 20;

/** Pushes that began in another workbook, or on another computer. Each opens. */
export function OtherPushes({ pushes, client }: { pushes: readonly Push[]; client: PushClient }) {
  const styles = useFormStyles();
  const texts = usePane().messages.push;
  const [shown, setShown] = useState(FIRST_PUSHES);
  if (pushes.length === 0) return null;
  const older = Math.min(MORE_PUSHES, pushes.length - shown);
  return (
    <Section card title={texts.others}>
      <ul className={styles.list}>
        {pushes.slice(0, shown).map((push) => (
          <OtherPush key={push.id} push={push} client={client} />
        ))}
      </ul>
      {older > 0 && (
        <Button className={styles.submit} size="small" onClick={() => setShown(shown + MORE_PUSHES)}>
          {texts.olderPushes(older)}
        </Button>
      )}
    </Section>
  );
}

function OtherPush({ push, client }: { push: Push; client: PushClient }) {
  const styles = useFormStyles();
  const { opener } = useStyles();
  const { messages, language } = usePane();
  const [isOpen, setOpen] = useState(false);
  const rows = useId();
  const { by, counts, createdOn } = push;
  const author = by === undefined ? '' : [by.username, by.label].filter(Boolean).join(', ');
  return (
    <li className={styles.section}>
      <Button
        className={opener}
        appearance="subtle"
        size="small"
        icon={isOpen ? <ChevronDownRegular /> : <ChevronRightRegular />}
        aria-expanded={isOpen}
        aria-controls={rows}
        onClick={() => setOpen(!isOpen)}
      >
        {messages.push.other(formatMoment(language, new Date(Number(createdOn) * 1000)), author)}
      </Button>
      <Text className={styles.muted}>
        {countsText(messages, (state) => (counts[state] ?? 0) + (state === 'waiting' ? (counts.sending ?? 0) : 0))}
      </Text>
      <div id={rows}>{isOpen && <SentRows push={push} client={client} />}</div>
    </li>
  );
}
