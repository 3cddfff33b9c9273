import { Text } from '@fluentui/react-components';
import { usePane } from '../paneContext.ts';
import { Section } from '../views/Section.tsx';
import { useFormStyles } from '../views/ViewFrame.tsx';

/**
 * The steps to the first push.
 * @param current the index of the next step
 * @param isShort whether only that one is shown
 */
export function FirstSteps({ current, isShort = false }: { current: number; isShort?: boolean }) {
  const styles = useFormStyles();
  const { firstSteps, steps } = usePane().messages.home;
  return (
    <Section title={firstSteps}>
      <ol className={styles.bullets} start={isShort ? current + 1 : 1}>
        {steps.map((step, index) =>
          isShort && index !== current ? null : (
            <li key={step} {...(index === current ? { 'aria-current': 'step' as const } : {})}>
              <Text
                weight={index === current ? 'semibold' : 'regular'}
                {...(index < current ? { className: styles.muted } : {})}
              >
                {step}
              </Text>
            </li>
          ),
        )}
      </ol>
    </Section>
  );
}
