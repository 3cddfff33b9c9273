import { useEffect, useState } from 'react';
import { groupBy } from '../../../shared/groupBy.ts';
import type { Retry } from '../../excel/batch.ts';
import {
  type Administration,
  isOfEarlierVersion,
  isSameAdministration,
  storeAdministration,
  type TableHandle,
  tablesInWorkbook,
} from '../../excel/tables/tableMemory.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import { ErrorNotice } from '../views/ErrorNotice.tsx';
import { Notice } from '../views/Notice.tsx';
import { Status } from '../views/Status.tsx';
import { WorkButton } from '../views/WorkButton.tsx';
import { administrationOf, type Connection, withEarlierIds } from './connections.ts';
import { EvidenceList } from './EvidenceList.tsx';
import { compareSheets, type Evidence, sourcesOf, verdictOn } from './evidence.ts';

type Props = Pick<Connected, 'connection'> & {
  /** Called after sheets were taken for those of the administration. */
  onConfirmed: () => void;
};

/** Sheets of earlier versions with one connection, and what speaks for its being the present one. */
type Found = { administration: Administration; tables: readonly TableHandle[]; evidence: readonly Evidence[] };

/**
 * Sheets of an earlier version store the id of a connection only. The user is asked once whether they are of the
 * administration that the pane is connected to, and sees which of their rows that has as well.
 */
export function EarlierSheets({ connection, onConfirmed }: Props) {
  const { messages, connections, change, notes, reading } = usePane();
  const texts = messages.sameAdministration;
  const [found, setFound] = useState<readonly Found[]>([]);
  const [comparing, setComparing] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const { job, start } = useJob<never, void>();
  const current = administrationOf(connection);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the pane makes it anew for each connection, and asks once
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setFailure(undefined);
    const onComparing = (sheets: readonly string[]) => !signal.aborted && setComparing(sheets);
    findEarlierSheets(connection, connections.all, notes.readDenied(), onComparing, { ...reading, signal })
      .then(
        (all) => !signal.aborted && setFound(all),
        (error: unknown) => !signal.aborted && setFailure(error),
      )
      .finally(() => onComparing([]));
    return () => leaving.abort();
  }, [attempt]);

  const inResponse = ({ administration }: Found) =>
    setFound((now) => now.filter((one) => one.administration.id !== administration.id));
  const confirm = (one: Found) =>
    start(async ({ retry }) => {
      const confirmed = { ...current, alsoKnownAs: [...(current.alsoKnownAs ?? []), one.administration.id] };
      await storeAdministration(one.tables, confirmed, retry);
      change((now) => withEarlierIds(now, connection.id, one.administration));
      inResponse(one);
      onConfirmed();
    });
  const deny = (one: Found) => {
    notes.writeDenied([...notes.readDenied(), pairOf(one.administration, current)]);
    inResponse(one);
  };

  return (
    <>
      <ErrorNotice error={failure} onRetry={() => setAttempt(attempt + 1)} />
      {job.state === 'failed' && <ErrorNotice error={job.error} onRetry={job.again} />}
      {comparing.length > 0 && <Status>{texts.comparingSheets(comparing)}</Status>}
      {found.map((one) => (
        <Notice key={one.administration.id} intent="warning">
          <div className="section">
            <div>
              {texts.earlier(
                one.tables.map(({ sheetName }) => sheetName),
                one.administration.label,
                current.name ?? current.label,
              )}
            </div>
            <EvidenceList evidence={one.evidence} />
            <div className="side">
              {verdictOn(one.evidence) !== 'contradicted' && (
                <WorkButton size="small" onClick={() => confirm(one)}>
                  {texts.yes(current.name ?? current.label)}
                </WorkButton>
              )}
              <WorkButton size="small" onClick={() => deny(one)}>
                {texts.no}
              </WorkButton>
            </div>
          </div>
        </Notice>
      ))}
    </>
  );
}

/** An administration of an earlier version and another one, as a pair that the user denied. */
const pairOf = (earlier: Administration, current: Administration): string => `${earlier.id} ${current.id}`;

/**
 * The sheets to ask about, with what speaks for it.
 * @param denied pairs that need not be asked about again
 * @param onComparing called with the names of the sheets before their rows are compared
 */
async function findEarlierSheets(
  connection: Connection,
  all: readonly Connection[],
  denied: readonly string[],
  onComparing: (sheets: readonly string[]) => void,
  retry: Retry,
): Promise<Found[]> {
  const current = administrationOf(connection);
  const isAsked = ({ memory: { administration } }: TableHandle) =>
    isOfEarlierVersion(administration) &&
    !isSameAdministration(administration, current) &&
    !denied.includes(pairOf(administration, current)) &&
    // Those of another connection of this browser are that one's.
    !all.some((other) => other.id === administration.id && other.id !== connection.id);
  const asked = (await tablesInWorkbook(retry)).filter(isAsked);
  onComparing(asked.map(({ sheetName }) => sheetName));
  const groups = groupBy(asked, ({ memory }) => memory.administration.id);
  const sources = sourcesOf(connection);
  return Promise.all(
    [...groups.values()].map(async (tables) => ({
      administration: tables[0]!.memory.administration,
      tables,
      evidence: await compareSheets(tables, sources, retry),
    })),
  );
}
