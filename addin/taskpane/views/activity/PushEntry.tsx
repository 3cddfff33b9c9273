import { Button } from '@fluentui/react-button';
import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { Text } from '@fluentui/react-text';
import { type ReactNode, useId, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import { formatMoment } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { countsText } from '../pushSheet/PushResult.tsx';
import { SentRows } from './SentRows.tsx';
import { StopPush } from './StopPush.tsx';

type Props = {
  push: Push;
  client: PushClient;
  /** Whether it can be stopped here. */
  mayStop?: boolean;
  /** Shown below its counts. @param moment when it began */
  children?: (moment: string) => ReactNode;
};

/** A push: when, by whom, what became of its rows; it opens. */
export function PushEntry({ push, client, mayStop, children }: Props) {
  const { messages, language } = usePane();
  const [isOpen, setOpen] = useState(false);
  const rows = useId();
  const { by, counts, createdOn } = push;
  const author = by === undefined ? '' : [by.username, by.label].filter(Boolean).join(', ');
  const moment = formatMoment(language, new Date(Number(createdOn) * 1000));
  return (
    <li className="section">
      <Button
        className="opener"
        appearance="subtle"
        size="small"
        icon={isOpen ? <ChevronDownRegular /> : <ChevronRightRegular />}
        aria-expanded={isOpen}
        aria-controls={rows}
        onClick={() => setOpen(!isOpen)}
      >
        {messages.push.other(moment, author)}
      </Button>
      <Text className="muted">
        {countsText(messages, (state) => (counts[state] ?? 0) + (state === 'waiting' ? (counts.sending ?? 0) : 0))}
      </Text>
      {mayStop && push.state !== 'ended' && <StopPush push={push} client={client} moment={moment} />}
      {children?.(moment)}
      <div id={rows}>{isOpen && <SentRows push={push} client={client} />}</div>
    </li>
  );
}
