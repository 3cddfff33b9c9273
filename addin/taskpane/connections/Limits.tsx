import type { AdministrationIdentity } from '../../../shared/resources/administration.ts';
import { usePane } from '../paneContext.ts';
import { type ViewName, viewGroups } from '../viewNames.ts';
import { Notice } from '../views/Notice.tsx';

/** Why nothing can be pushed, if that is known. */
export const writeObstacle = ({ rights, archived }: AdministrationIdentity): 'archived' | 'readOnly' | undefined => {
  if (archived === true) return 'archived';
  return rights !== 'unknown' && !rights.write ? 'readOnly' : undefined;
};

/** Why nothing can be brought in, if that is known. */
export const readObstacle = ({ rights }: AdministrationIdentity): 'notReading' | undefined =>
  rights !== 'unknown' && !rights.read ? 'notReading' : undefined;

/** What cannot be done with the administration or the key, and why, before the user begins it. */
export function Limits({ identity, view }: { identity: AdministrationIdentity; view: ViewName }) {
  const texts = usePane().messages.limits;
  const isOf = (group: keyof typeof viewGroups) => view === 'home' || viewGroups[group].some((name) => name === view);
  const obstacles = [
    (isOf('pull') || isOf('books')) && readObstacle(identity),
    isOf('change') && writeObstacle(identity),
  ];
  return obstacles.map((obstacle) =>
    obstacle ? (
      <Notice key={obstacle} intent="warning">
        {texts[obstacle]}
      </Notice>
    ) : null,
  );
}
