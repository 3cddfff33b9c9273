import { Button } from '@fluentui/react-button';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import { usePane } from '../../paneContext.ts';
import { Section } from '../Section.tsx';
import { PushEntry } from './PushEntry.tsx';

/** Pushes that are shown beside a sheet. */
const SHOWN = 5;

/** The latest pushes that began in another workbook, or on another computer. */
export function OtherPushes({ pushes, client }: { pushes: readonly Push[]; client: PushClient }) {
  const { messages, go, busy } = usePane();
  const texts = messages.push;
  if (pushes.length === 0) return null;
  return (
    <Section card title={texts.others}>
      <ul className="list">
        {pushes.slice(0, SHOWN).map((push) => (
          <PushEntry key={push.id} push={push} client={client} />
        ))}
      </ul>
      <Button className="submit" size="small" disabledFocusable={busy} onClick={() => go('activity')}>
        {texts.allActivity}
      </Button>
    </Section>
  );
}
