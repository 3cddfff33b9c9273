import { Button, Link, makeStyles, Subtitle1, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { guideAddress } from '../guideAddress.ts';
import { usePane } from '../paneContext.ts';

const useStyles = makeStyles({
  frame: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, maxWidth: '36rem' },
  top: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: tokens.spacingVerticalXXS },
  back: { minWidth: 'auto', paddingLeft: 0, paddingRight: tokens.spacingHorizontalS },
  heading: {
    alignSelf: 'stretch',
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'baseline',
    gap: tokens.spacingHorizontalM,
  },
  title: { margin: 0 },
  help: { flexShrink: 0 },
});

/** A view: the button to the start page, its title with its page of the guide, and its content. */
export function ViewFrame({ title, back = true, children }: { title: string; back?: boolean; children: ReactNode }) {
  const styles = useStyles();
  const { language, messages, view, go, busy } = usePane();
  return (
    <div className={styles.frame}>
      <div className={styles.top}>
        {back && (
          <Button appearance="transparent" className={styles.back} disabledFocusable={busy} onClick={() => go('home')}>
            <span aria-hidden="true">‹&nbsp;</span>
            {messages.back}
          </Button>
        )}
        <div className={styles.heading}>
          <Subtitle1 as="h1" className={styles.title}>
            {title}
          </Subtitle1>
          <Link className={styles.help} href={guideAddress(language, view)} target="_blank" rel="noopener">
            {messages.help}
          </Link>
        </div>
      </div>
      {children}
    </div>
  );
}

const card = {
  display: 'flex',
  flexDirection: 'column',
  padding: tokens.spacingHorizontalM,
  backgroundColor: tokens.colorNeutralBackground1,
  borderRadius: tokens.borderRadiusLarge,
  border: `1px solid ${tokens.colorNeutralStroke2}`,
} as const;

/** The styles that several views share. */
export const useFormStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  side: { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: tokens.spacingHorizontalM },
  grow: { flexGrow: 1, flexBasis: '10rem', minWidth: 0 },
  section: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  card: { ...card, gap: tokens.spacingVerticalS },
  entry: { ...card, gap: tokens.spacingVerticalXXS },
  heading: { margin: 0 },
  muted: { color: tokens.colorNeutralForeground3 },
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
  },
  bullets: { margin: 0, paddingLeft: tokens.spacingHorizontalXL },
  submit: { alignSelf: 'flex-start' },
});
