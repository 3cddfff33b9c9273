import { Text } from '@fluentui/react-text';
import { usePane } from '../paneContext.ts';
import { type Evidence, verdictOn } from './evidence.ts';

/** What agrees between two administrations, and what that means. */
export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  const texts = usePane().messages.sameAdministration;
  const verdict = verdictOn(evidence);
  return (
    <>
      {evidence.length > 0 && (
        <ul className="bullets">
          {evidence.map(({ subject, found, compared, outOf }) => (
            <li key={subject}>
              {texts.agrees[subject](found, compared)}
              {outOf !== undefined && ` ${texts.notAll(outOf)}`}
            </li>
          ))}
        </ul>
      )}
      {verdict !== 'same' && <Text weight="semibold">{texts.verdict[verdict]}</Text>}
    </>
  );
}
