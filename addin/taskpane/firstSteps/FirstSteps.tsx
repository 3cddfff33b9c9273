import { Text } from '@fluentui/react-text';
import { usePane } from '../paneContext.ts';
import { Section } from '../views/Section.tsx';

/** The next of the steps to the first push. @param current its index */
export function FirstSteps({ current }: { current: number }) {
  const { firstSteps, steps } = usePane().messages.home;
  return (
    <Section title={firstSteps}>
      <ol className="bullets" start={current + 1}>
        <li aria-current="step">
          <Text>{steps[current]}</Text>
        </li>
      </ol>
    </Section>
  );
}
