import { Fragment } from 'react';
import { type Administration, isOfEarlierVersion, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { usePane } from '../paneContext.ts';
import { activeConnection, administrationOf, wordsFor } from './connections.ts';
import { markColor, shortCode } from './markColor.ts';

/**
 * The mark of an administration: its name on its colour. A sheet of the administration that the pane is connected to has
 * the pane's own mark. Another one with the same name has a part of its id too.
 */
export function AdministrationMark({ administration }: { administration: Administration }) {
  const { connections } = usePane();
  const active = activeConnection(connections);
  const current = active === undefined ? undefined : administrationOf(active);
  const isCurrent = current !== undefined && isSameAdministration(administration, current);
  const shown = isCurrent ? current : administration;
  if (isOfEarlierVersion(shown)) return <span className="mark unknown">{wordsFor(shown)}</span>;
  const others = connections.all.map(administrationOf);
  const hasNamesake = [...others, ...(current === undefined ? [] : [current])].some(
    (other) => wordsFor(other) === wordsFor(shown) && !isSameAdministration(other, shown),
  );
  return (
    <span className="mark" style={{ backgroundColor: markColor(shown, current) }}>
      {wordsFor(shown)}
      {[shown.country, hasNamesake ? shortCode(shown) : undefined].filter(Boolean).map((part) => (
        <Fragment key={part}>
          {' '}
          <span className="part">· {part}</span>
        </Fragment>
      ))}
    </span>
  );
}
