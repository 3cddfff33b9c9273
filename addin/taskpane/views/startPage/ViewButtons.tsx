import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { appAddress } from '../../appAddress.ts';
import { usePane } from '../../paneContext.ts';
import type { viewGroups } from '../../viewNames.ts';
import { Section } from '../Section.tsx';

type GroupedView = (typeof viewGroups)[keyof typeof viewGroups][number];

const useStyles = makeStyles({
  grid: {
    listStyleType: 'none',
    // Buttons have room around their texts already.
    margin: `calc(-1 * ${tokens.spacingVerticalXS}) 0 0`,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(8rem, 1fr))',
    columnGap: tokens.spacingHorizontalXS,
  },
  button: {
    width: '100%',
    minWidth: 0,
    justifyContent: 'flex-start',
    textAlign: 'start',
    paddingLeft: tokens.spacingHorizontalXS,
    paddingRight: tokens.spacingHorizontalXS,
    fontWeight: tokens.fontWeightRegular,
  },
});

/** Buttons that open views, with the icons of the ribbon. */
export function ViewButtons({ title, views }: { title: string; views: readonly GroupedView[] }) {
  const styles = useStyles();
  const { messages, go, busy } = usePane();
  return (
    <Section title={title}>
      <ul className={styles.grid}>
        {views.map((view) => (
          <li key={view}>
            <Button
              appearance="subtle"
              size="small"
              className={styles.button}
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
