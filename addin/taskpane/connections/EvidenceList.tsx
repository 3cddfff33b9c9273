import { Text } from '@fluentui/react-text';
import { useEffect, useState } from 'react';
import { usePane } from '../paneContext.ts';
import { ErrorNotice } from '../views/ErrorNotice.tsx';
import { Status } from '../views/Status.tsx';
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

/**
 * Compares two administrations: once for each subject, and when somebody tries again.
 * @returns the evidence, once there is some, and what is shown of the comparison
 */
export function useComparison(compare: (signal: AbortSignal) => Promise<Evidence[]>, subject = '') {
  const { comparing } = usePane().messages.sameAdministration;
  const [evidence, setEvidence] = useState<readonly Evidence[]>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a subject is compared once, and when asked
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setFailure(undefined);
    compare(signal).then(
      (found) => !signal.aborted && setEvidence(found),
      (error: unknown) => !signal.aborted && setFailure(error),
    );
    return () => leaving.abort();
  }, [subject, attempt]);
  const shown = (
    <>
      {evidence === undefined && failure === undefined && <Status>{comparing}</Status>}
      <ErrorNotice error={failure} onRetry={() => setAttempt(attempt + 1)} />
      {evidence !== undefined && <EvidenceList evidence={evidence} />}
    </>
  );
  return { evidence, shown };
}
