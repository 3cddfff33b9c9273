import { Button } from '@fluentui/react-button';
import { appAddress } from '../../appAddress.ts';
import { usePane } from '../../paneContext.ts';
import type { viewGroups } from '../../viewNames.ts';
import { Section } from '../Section.tsx';

type GroupedView = (typeof viewGroups)[keyof typeof viewGroups][number];

/** Buttons that open views, with the icons of the ribbon. */
export function ViewButtons({ title, views }: { title: string; views: readonly GroupedView[] }) {
  const { messages, go, busy } = usePane();
  return (
    <Section title={title}>
      <ul className="views">
        {views.map((view) => (
          <li key={view}>
            <Button
              appearance="subtle"
              size="small"
              className="opensView"
              icon={<img src={`${appAddress()}/taskpane/icons/${view}-small.svg`} alt="" width={16} height={16} />}
              title={messages[view].summary}
              disabledFocusable={busy}
              onClick={() => go(view)}
            >
              {messages[view].title}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
