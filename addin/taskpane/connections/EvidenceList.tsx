import { Text } from '@fluentui/react-components';
import { usePane } from '../paneContext.ts';
import { useFormStyles } from '../views/ViewFrame.tsx';
import type { Evidence } from './evidence.ts';

/** Whether the comparison shows that it is another administration: nothing that was compared agrees. */
export const isContradicted = (evidence: readonly Evidence[]): boolean =>
  evidence.length > 0 && evidence.every(({ found }) => found === 0);

/** What agrees between two administrations, and what that means. */
export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  const styles = useFormStyles();
  const texts = usePane().messages.sameAdministration;
  if (evidence.length === 0) return <Text>{texts.nothingCompared}</Text>;
  return (
    <>
      <ul className={styles.bullets}>
        {evidence.map(({ subject, found, compared }) => (
          <li key={subject}>{texts.agrees[subject](found, compared)}</li>
        ))}
      </ul>
      {isContradicted(evidence) && <Text weight="semibold">{texts.contradicted}</Text>}
    </>
  );
}
