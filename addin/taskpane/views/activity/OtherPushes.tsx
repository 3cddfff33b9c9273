import { Button } from '@fluentui/react-button';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import { usePane } from '../../paneContext.ts';
import { Section } from '../Section.tsx';
import { PushEntry } from './PushEntry.tsx';

/** Pushes that are shown beside a sheet. */
const SHOWN = 5;

type Props = {
  pushes: readonly Push[];
  client: PushClient;
  /** Whether the user began a push, and may stop it. */
  mayStop: (push: Push) => boolean;
};

/** The latest pushes of which the workbook has no sheet: they began elsewhere, or their sheet is gone. */
export function OtherPushes({ pushes, client, mayStop }: Props) {
  const { messages, go, busy } = usePane();
  const texts = messages.push;
  if (pushes.length === 0) return null;
  return (
    <Section card title={texts.others}>
      <ul className="list">
        {pushes.slice(0, SHOWN).map((push) => (
          <PushEntry key={push.id} push={push} client={client} mayStop={mayStop(push)} />
        ))}
      </ul>
      <Button className="submit" size="small" disabledFocusable={busy} onClick={() => go('activity')}>
        {texts.allActivity}
      </Button>
    </Section>
  );
}
