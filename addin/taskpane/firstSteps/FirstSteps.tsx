import { makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { usePane } from '../paneContext.ts';

const useStyles = makeStyles({
  section: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  heading: { margin: 0 },
  list: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXS,
    margin: 0,
    paddingLeft: tokens.spacingHorizontalXL,
  },
  done: { color: tokens.colorNeutralForeground3 },
});

/** The way from nothing to the first push. @param current the step to do now, counted from 0 */
export function FirstSteps({ current }: { current: number }) {
  const styles = useStyles();
  const { messages } = usePane();
  const { firstSteps, steps } = messages.home;
  return (
    <section className={styles.section}>
      <Subtitle2 as="h2" className={styles.heading}>
        {firstSteps}
      </Subtitle2>
      <ol className={styles.list}>
        {steps.map((step, index) => (
          <li key={step} {...(index === current ? { 'aria-current': 'step' as const } : {})}>
            <Text
              weight={index === current ? 'semibold' : 'regular'}
              {...(index < current ? { className: styles.done } : {})}
            >
              {step}
            </Text>
          </li>
        ))}
      </ol>
    </section>
  );
}
